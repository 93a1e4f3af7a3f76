package dev.weir.search.execute;

import dev.weir.search.profile.QueryTimes;
import dev.weir.search.query.KnnExtent;
import dev.weir.search.query.VectorLeg;
import dev.weir.search.vector.VectorReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request did on one shard.
 *
 * @param id node, index and number of the shard
 * @param parts the queries that were searched by: one, or one of each query of a {@code hybrid}
 * @param legs the vector searches, in the order in which they ended
 * @param aggregationsNs time that all aggregations took together; 0 without any
 */
record ShardReport(String id, List<Part> parts, List<Leg> legs, long aggregationsNs) {
  ShardReport {
    parts = List.copyOf(parts);
    legs = List.copyOf(legs);
  }

  /**
   * One query.
   *
   * @param queries what Lucene was asked
   * @param rewriteNs time until it could be asked, vector searches included
   * @param elapsedNs time of the search itself
   * @param total documents that matched, as far as they were counted
   * @param kept how many of them went on to the ranking
   */
  record Part(
      List<QueryTimes> queries,
      long rewriteNs,
      Collecting collecting,
      long elapsedNs,
      TotalHits total,
      int kept) {
    Part {
      queries = List.copyOf(queries);
    }
  }

  /** Keeping the best documents, and asking for their scores. */
  record Collecting(String name, String reason, long elapsedNs) {}

  /**
   * One vector search.
   *
   * @param part number of the query that it stands in; null for one beside, as in {@code rescore}
   */
  record Leg(@Nullable Integer part, VectorLeg leg, KnnExtent extent, VectorReport report) {}
}
