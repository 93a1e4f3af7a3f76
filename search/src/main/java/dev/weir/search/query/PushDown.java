package dev.weir.search.query;

/** How far an added filter goes into a query. */
public enum PushDown {
  /** One level, and down to every vector search, which chooses among the documents let through. */
  VECTORS,
  /** One level and no further: vector searches below it choose first and are filtered after. */
  SHALLOW,
  /** Into every inner query. */
  DEEP
}
