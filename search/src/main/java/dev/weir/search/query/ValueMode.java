package dev.weir.search.query;

/** Which of a document's several distances counts ({@code multi_value_mode}). */
public enum ValueMode {
  MIN,
  MAX,
  AVG,
  SUM
}
