package dev.weir.search.query;

/**
 * Bounds on what a request may ask; above each the request is refused with 400.
 *
 * @param clausesMax queries in one tree that are not made of others
 * @param depthMax levels of queries inside each other; it bounds the recursion of every walk
 * @param termsMax values of one {@code terms} or {@code ids}
 * @param hybridQueriesMax queries of one {@code hybrid}, whatever an index allows: each is a search
 *     with a list of its own
 */
public record QueryLimits(int clausesMax, int depthMax, int termsMax, int hybridQueriesMax) {

  /** What the OpenSearch defaults are; depth and queries of a hybrid are our own. */
  public static final QueryLimits DEFAULT = new QueryLimits(1024, 64, 65_536, 64);
}
