package dev.weir.search.query;

/** How the factor of the functions meets the score of the query. */
public enum BoostMode {
  MULTIPLY,
  /** The factor stands alone. */
  REPLACE,
  SUM,
  AVG,
  MAX,
  MIN;

  /** The score. */
  public double of(double score, double factor) {
    return switch (this) {
      case MULTIPLY -> score * factor;
      case REPLACE -> factor;
      case SUM -> score + factor;
      case AVG -> (score + factor) / 2;
      case MAX -> Math.max(score, factor);
      case MIN -> Math.min(score, factor);
    };
  }
}
