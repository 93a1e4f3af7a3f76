package dev.weir.search.hybrid;

/**
 * A document that one sub-query found on one shard.
 *
 * @param shard number of the shard among all shards of the search
 * @param doc document number within the shard
 * @param rank place among what this sub-query found on this shard, from 0, best first
 * @param score the sub-query's own score; finite, since Lucene allows no other
 */
public record SubQueryHit(int shard, int doc, int rank, float score) {
  /** Checks the ranges. */
  public SubQueryHit {
    if (shard < 0 || doc < 0 || rank < 0) {
      throw new IllegalArgumentException(
          "shard, doc and rank must not be negative, shard="
              + shard
              + " doc="
              + doc
              + " rank="
              + rank);
    }
    if (!Float.isFinite(score)) {
      throw new IllegalArgumentException("score must be finite, score=" + score);
    }
  }
}
