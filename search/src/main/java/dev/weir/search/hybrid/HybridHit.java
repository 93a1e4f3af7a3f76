package dev.weir.search.hybrid;

/**
 * A document of the combined ranking.
 *
 * @param shard number of the shard among all shards of the search
 * @param doc document number within the shard
 * @param score the combined score; 0 for a document that no sub-query ranked within the window
 */
public record HybridHit(int shard, int doc, float score) {}
