package dev.weir.search.vector;

import java.util.OptionalInt;

/**
 * How many documents a search gives.
 *
 * @param k the nearest ones of a shard
 * @param rescored so many candidates of a shard, found with compressed vectors, are scored again
 *     with the full ones, at least {@code k}; empty: scores are those of the vectors that the graph
 *     is made of
 */
public record Take(int k, OptionalInt rescored) {
  /** Checks the numbers. */
  public Take {
    if (k < 1 || rescored.orElse(k) < k) {
      throw new IllegalArgumentException(
          "k must be at least 1, and at least k candidates rescored, k="
              + k
              + " rescored="
              + rescored);
    }
  }

  /** The {@code k} nearest, without a second look. */
  public static Take of(int k) {
    return new Take(k, OptionalInt.empty());
  }

  /** The {@code k} nearest of so many candidates by the full vectors. */
  public static Take rescoring(int k, int candidates) {
    return new Take(k, OptionalInt.of(candidates));
  }

  /** How many candidates a segment must give. */
  int candidates() {
    return rescored.orElse(k);
  }

  /** What is compared where every document is looked at. */
  Precision scanned() {
    return rescored.isPresent() ? Precision.FULL : Precision.COMPRESSED;
  }
}
