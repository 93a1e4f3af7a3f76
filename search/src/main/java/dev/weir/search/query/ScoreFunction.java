package dev.weir.search.query;

import org.jspecify.annotations.Nullable;

/**
 * One function of a {@code function_score}.
 *
 * @param filter the documents that it is for; null for all
 * @param shape what it makes of a document
 * @param weight factor on its value; finite and not negative; null where none is said, which is 1
 */
public record ScoreFunction(@Nullable Query filter, ScoreShape shape, @Nullable Float weight) {

  /** Checks the weight, which is always said where it is all there is. */
  public ScoreFunction {
    if (weight == null && shape instanceof ScoreShape.One) {
      weight = 1f;
    }
    if (weight != null && !(weight >= 0 && Float.isFinite(weight))) {
      throw new IllegalArgumentException(
          "[function_score] [weight] must be finite and not negative, got " + weight);
    }
    if (weight != null) {
      weight += 0.0f; // -0.0 becomes 0.0: as a score it would sort behind it
    }
    if (filter != null) {
      Checks.inner(filter);
    }
  }

  ScoreFunction withFilter(Query newFilter) {
    return new ScoreFunction(newFilter, shape, weight);
  }
}
