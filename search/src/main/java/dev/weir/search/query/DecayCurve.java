package dev.weir.search.query;

/** How a score falls with the distance. */
public enum DecayCurve {
  /** As a bell. */
  GAUSS,
  /** By the same part for each step. */
  EXP,
  /** By the same amount for each step, down to 0. */
  LINEAR;

  /**
   * The score at a distance.
   *
   * @param distance not negative
   * @param scale the distance with the score {@code decay}; above 0
   */
  public double at(double distance, double scale, double decay) {
    return switch (this) {
      case GAUSS -> Math.exp(Math.log(decay) * (distance / scale) * (distance / scale));
      case EXP -> Math.exp(Math.log(decay) * distance / scale);
      case LINEAR -> Math.max(0, 1 - (1 - decay) * distance / scale);
    };
  }
}
