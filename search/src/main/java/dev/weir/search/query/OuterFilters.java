package dev.weir.search.query;

/** What becomes of the filters that are put upon a vector search from outside of it. */
public enum OuterFilters {
  /** They go inside: the search chooses among the documents that they let through. */
  INSIDE,
  /**
   * The search chooses by its own filter alone, and what it has chosen is filtered afterwards. It
   * may then give fewer documents than it was asked for, down to none.
   */
  AFTER
}
