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
    if (!Float.isFinite(boost) || Float.compare(boost, 0f) < 0) { // -0.0 is negative for Lucene
      throw new IllegalArgumentException(
          "[indices_boost] of [" + index + "] must be a number that is not negative, got " + boost);
    }
  }
}
