package dev.weir.search.query;

/** What a formula may ask of two vectors. */
public enum VectorFunction {
  /** Sum of the squared differences. */
  L2_SQUARED("l2Squared"),
  /** Sum of the absolute differences. */
  L1_NORM("l1Norm"),
  /** Largest absolute difference. */
  LINF_NORM("lInfNorm"),
  /** Cosine of the angle, -1 to 1. */
  COSINE_SIMILARITY("cosineSimilarity"),
  /** Dot product. */
  INNER_PRODUCT("innerProduct"),
  /** Bits that differ. */
  HAMMING("hamming");

  private final String text;

  VectorFunction(String text) {
    this.text = text;
  }

  /** The name in a formula. */
  public String text() {
    return text;
  }
}
