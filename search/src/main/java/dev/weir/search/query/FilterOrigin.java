package dev.weir.search.query;

/** Who asked for a filter. */
public enum FilterOrigin {
  /** The vector search itself. */
  OWN("knn.filter"),
  /** A {@code must} clause of a {@code bool} around it. */
  BOOL_MUST("bool.must"),
  /** A {@code filter} clause of a {@code bool} around it. */
  BOOL_FILTER("bool.filter"),
  /** A {@code must_not} clause of a {@code bool} around it. */
  BOOL_MUST_NOT("bool.must_not"),
  /** What the documents around nested ones must match. */
  NESTED("nested.filter"),
  /** The common filter of a {@code hybrid}. */
  HYBRID("hybrid.filter"),
  /** A {@code filter_query} processor of the pipeline that the request names or brings. */
  FILTER_QUERY("filter_query"),
  /** A {@code filter_query} processor of the index's default pipeline. */
  DEFAULT_PIPELINE("default_pipeline.filter_query"),
  /** An alias through which the index is seen. */
  ALIAS("alias.filter"),
  /** The request's {@code post_filter}. */
  POST_FILTER("post_filter");

  private final String text;

  FilterOrigin(String text) {
    this.text = text;
  }

  /** As reports call it. */
  public String text() {
    return text;
  }
}
