package dev.weir.search.mapping;

import org.apache.lucene.index.VectorSimilarityFunction;

/** How near two vectors are. Scores are OpenSearch's; Lucene's similarities give the same ones. */
public enum SpaceType {
  /** Euclidean; score {@code 1 / (1 + d²)}. */
  L2("l2", VectorSimilarityFunction.EUCLIDEAN),
  /** Cosine; score {@code (1 + cos) / 2}. */
  COSINE("cosinesimil", VectorSimilarityFunction.COSINE),
  /** Inner product; score {@code 1 + dot} if it is not negative, else {@code 1 / (1 - dot)}. */
  INNER_PRODUCT("innerproduct", VectorSimilarityFunction.MAXIMUM_INNER_PRODUCT);

  private final String text;
  private final VectorSimilarityFunction similarity;

  SpaceType(String text, VectorSimilarityFunction similarity) {
    this.text = text;
    this.similarity = similarity;
  }

  /** The word in a mapping. */
  public String text() {
    return text;
  }

  /** Lucene's function for it. */
  public VectorSimilarityFunction similarity() {
    return similarity;
  }
}
