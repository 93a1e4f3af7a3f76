package dev.weir.search.request;

/** Direction of a sort key. */
public enum SortOrder {
  ASCENDING,
  DESCENDING
}
