package dev.weir.search.query;

/**
 * How the functions of a {@code function_score} and the score of its query come together.
 *
 * @param maxBoost the factor of the functions is never larger
 */
public record FunctionCombination(ScoreMode scoreMode, BoostMode boostMode, float maxBoost) {
  /** What holds where a request says nothing. */
  public static final FunctionCombination DEFAULT =
      new FunctionCombination(ScoreMode.MULTIPLY, BoostMode.MULTIPLY, Float.MAX_VALUE);
}
