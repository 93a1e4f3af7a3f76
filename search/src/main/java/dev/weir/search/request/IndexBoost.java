package dev.weir.search.request;

/**
 * A factor on the scores of one index's documents.
 *
 * @param index a name, alias or pattern, as the request says it
 * @param boost not negative, finite
 */
public record IndexBoost(String index, float boost) {
  /** Checks the factor. */
  public IndexBoost {
    if (!(boost >= 0 && boost < Float.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "[indices_boost] of [" + index + "] must be a number that is not negative, got " + boost);
    }
    boost += 0.0f; // -0.0 becomes 0.0: it means that, and Lucene takes it for negative
  }
}
