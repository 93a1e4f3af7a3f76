package dev.weir.search.query;

/** How the fields of a {@code multi_match} come together. */
public enum MultiMatchType {
  /** The score of the best field. */
  BEST_FIELDS,
  /** The sum over the fields. */
  MOST_FIELDS,
  /** The best field in which the text stands as a phrase. */
  PHRASE
}
