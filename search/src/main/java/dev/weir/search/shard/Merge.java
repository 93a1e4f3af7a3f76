package dev.weir.search.shard;

/** What a shard's segments are to be merged to, on demand. */
public sealed interface Merge {
  /** As the merge policy would have it. */
  record ByPolicy() implements Merge {}

  /** To at most so many segments. */
  record ToSegments(int segmentsMax) implements Merge {
    /** Checks the number. */
    public ToSegments {
      if (segmentsMax < 1) {
        throw new IllegalArgumentException(
            "[max_num_segments] is " + segmentsMax + ", expected 1 or more");
      }
    }
  }

  /** Those whose documents have been deleted in part. */
  record ExpungeDeletes() implements Merge {}
}
