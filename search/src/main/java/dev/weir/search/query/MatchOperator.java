package dev.weir.search.query;

/** Whether one word of a text is enough or all are needed. */
public enum MatchOperator {
  OR,
  AND
}
