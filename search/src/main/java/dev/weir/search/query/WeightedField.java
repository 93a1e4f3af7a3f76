package dev.weir.search.query;

/**
 * A field, or a pattern of fields, with the factor on its score.
 *
 * @param field name or pattern with {@code *}
 * @param boost factor; finite, not negative
 */
public record WeightedField(String field, float boost) {
  /** Checks the boost. */
  public WeightedField {
    boost += 0.0f; // -0.0 becomes 0.0, which is what it means
    Checks.boost(boost);
  }
}
