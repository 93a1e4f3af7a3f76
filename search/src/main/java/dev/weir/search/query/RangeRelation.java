package dev.weir.search.query;

/** How a stored range lies to the range of a query. For fields of single values all are equal. */
public enum RangeRelation {
  INTERSECTS,
  CONTAINS,
  WITHIN
}
