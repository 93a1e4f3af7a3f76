package dev.weir.search.query;

/** How many documents a vector search takes, or how near they must be. */
public sealed interface KnnExtent {

  /** The most that {@code k} can be. */
  int K_MAX = 10_000;

  /** The {@code k} nearest of each shard; 1 to {@link #K_MAX}. */
  record Nearest(int k) implements KnnExtent {
    public Nearest {
      if (k < 1 || k > K_MAX) {
        throw new IllegalArgumentException(
            "[knn] requires k to be in the range [1, " + K_MAX + "], k=" + k);
      }
    }
  }

  /** All within a distance, in the measure of the field's space. */
  record MaxDistance(float distance) implements KnnExtent {}

  /** All whose score, before the boost, is at least this; above 0. */
  record MinScore(float score) implements KnnExtent {
    public MinScore {
      if (!(score > 0)) {
        throw new IllegalArgumentException(
            "[knn] requires min_score to be greater than 0, min_score=" + score);
      }
    }
  }
}
