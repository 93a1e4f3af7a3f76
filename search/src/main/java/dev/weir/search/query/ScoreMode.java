package dev.weir.search.query;

/** How the values of several functions become one factor. */
public enum ScoreMode {
  MULTIPLY,
  SUM,
  /** The mean, weighted by the functions' weights. */
  AVG,
  /** That of the first function whose filter matches. */
  FIRST,
  MAX,
  MIN
}
