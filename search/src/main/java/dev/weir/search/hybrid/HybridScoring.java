package dev.weir.search.hybrid;

/** What a hybrid query does with the scores of its sub-queries. */
public record HybridScoring(Normalization normalization, Combination combination, Weights weights) {
  /** Also what a hybrid query gets that runs without a pipeline. */
  public static final HybridScoring DEFAULT =
      new HybridScoring(new Normalization.MinMax(), Combination.ARITHMETIC_MEAN, Weights.EQUAL);
}
