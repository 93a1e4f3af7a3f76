package dev.weir.search.execute;

import dev.weir.search.query.FilterOrigins;
import dev.weir.search.query.VectorSearch.Knn;
import dev.weir.search.vector.VectorListener;
import org.jspecify.annotations.Nullable;

/**
 * Who is told what a request does.
 *
 * @param counters told of every vector search
 * @param nodeId what a profile names as the node of a shard
 * @param origins the filters that were put into the query, where a profile is asked for; null where
 *     it is not
 */
record Tracing(VectorListener counters, String nodeId, @Nullable FilterOrigins origins) {
  /** Nobody. */
  static final Tracing NONE = new Tracing(VectorListener.NONE, "", null);

  /** Only the counters. */
  static Tracing counting(VectorListener counters) {
    return new Tracing(counters, "", null);
  }

  /** Finds out who is told of a vector search on one shard. */
  @FunctionalInterface
  interface Watch {
    /** Who is told of this one. */
    VectorListener of(Knn knn);
  }
}
