package dev.weir.search.mapping;

import dev.weir.search.vector.Measure;
import org.apache.lucene.index.VectorSimilarityFunction;

/** How near two vectors are; scores are OpenSearch's. */
public enum SpaceType {
  /** Euclidean; score {@code 1 / (1 + d²)}. */
  L2("l2", Measure.SQUARED_EUCLIDEAN, VectorSimilarityFunction.EUCLIDEAN),
  /** Sum of differences; score {@code 1 / (1 + d)}. Exact search only. */
  L1("l1", Measure.MANHATTAN, VectorSimilarityFunction.EUCLIDEAN),
  /** Largest difference; score {@code 1 / (1 + d)}. Exact search only. */
  LINF("linf", Measure.CHEBYSHEV, VectorSimilarityFunction.EUCLIDEAN),
  /** Cosine; score {@code (1 + cos) / 2}. */
  COSINE("cosinesimil", Measure.COSINE, VectorSimilarityFunction.COSINE),
  /** Inner product; score {@code 1 + dot} if it is not negative, else {@code 1 / (1 - dot)}. */
  INNER_PRODUCT(
      "innerproduct", Measure.NEGATED_DOT, VectorSimilarityFunction.MAXIMUM_INNER_PRODUCT),
  /** Bits that differ; score {@code 1 / (1 + d)}. Of binary vectors only. */
  HAMMING("hamming", Measure.HAMMING, VectorSimilarityFunction.EUCLIDEAN);

  private final String text;
  private final Measure measure;
  private final VectorSimilarityFunction similarity;

  SpaceType(String text, Measure measure, VectorSimilarityFunction similarity) {
    this.text = text;
    this.measure = measure;
    this.similarity = similarity;
  }

  /** The word in a mapping. */
  public String text() {
    return text;
  }

  /** Distance and score. */
  public Measure measure() {
    return measure;
  }

  /**
   * What Lucene is told. It compares by it in the spaces of floats that a graph can have; where it
   * has no function for the space this is never asked, since the field's format compares, or
   * nothing but a scan does.
   */
  public VectorSimilarityFunction similarity() {
    return similarity;
  }
}
