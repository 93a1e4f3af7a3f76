package dev.weir.search.query;

/** How an added filter meets the filter that a query already has. */
public enum FilterMode {
  /** Both must match. */
  AND,
  /** One of the two must match; where the query has no filter, the added one alone. */
  OR,
  /** The query's own filter stands alone; where the query has none, the added one. */
  IGNORE_IF_EXISTS
}
