package dev.weir.search.request;

/** Which of several values of a field a document is sorted by. */
public enum SortMode {
  MIN,
  MAX,
  SUM,
  AVG,
  MEDIAN
}
