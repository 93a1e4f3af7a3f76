package dev.weir.search.shard;

/**
 * Which of two records of one id in different shards stands for it: the one with the newer
 * timestamp; of two with the same, the one at home, then the one in the higher shard. Within a
 * shard the newer offset has replaced the older one before this is asked. Tombstones take part.
 */
record VersionOrder(int home) {

  /** Whether the first record stands for the id. The shards differ. */
  boolean beats(int shard, DocumentState state, int otherShard, DocumentState other) {
    if (state.recordTimeMs() != other.recordTimeMs()) {
      return state.recordTimeMs() > other.recordTimeMs();
    }
    if (shard == home || otherShard == home) {
      return shard == home;
    }
    return shard > otherShard;
  }
}
