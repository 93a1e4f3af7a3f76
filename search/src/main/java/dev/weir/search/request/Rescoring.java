package dev.weir.search.request;

import dev.weir.search.query.Query;

/**
 * The best hits of a search scored once more, by another query.
 *
 * @param windowSize how many hits
 * @param query what they are scored by; hits that it does not match keep their score, weighted
 * @param queryWeight factor of the score that a hit has
 * @param rescoreWeight factor of the score by the query
 * @param mode how both become one
 */
public record Rescoring(
    int windowSize, Query query, float queryWeight, float rescoreWeight, Mode mode) {
  /** Window where nothing is said. */
  public static final int DEFAULT_WINDOW_SIZE = 10;

  /** How two scores become one. */
  public enum Mode {
    TOTAL,
    MULTIPLY,
    AVG,
    MAX,
    MIN
  }

  /** The same scoring by another query. */
  public Rescoring withQuery(Query other) {
    return new Rescoring(windowSize, other, queryWeight, rescoreWeight, mode);
  }

  /** The score of a hit that the query matches. */
  public float combined(float score, float rescore) {
    float first = queryWeight * score;
    float second = rescoreWeight * rescore;
    return switch (mode) {
      case TOTAL -> first + second;
      case MULTIPLY -> first * second;
      case AVG -> (first + second) / 2;
      case MAX -> Math.max(first, second);
      case MIN -> Math.min(first, second);
    };
  }

  /** The score of a hit that the query does not match. */
  public float unmatched(float score) {
    return queryWeight * score;
  }
}
