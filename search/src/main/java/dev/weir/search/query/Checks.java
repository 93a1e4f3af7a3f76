package dev.weir.search.query;

import java.util.List;

/** What every query checks of its parts, whoever makes it. */
final class Checks {

  private Checks() {}

  static void boost(float boost) {
    if (!Float.isFinite(boost)) {
      throw new IllegalArgumentException("[boost] must be a finite number, boost=" + boost);
    }
    if (Float.compare(boost, 0f) < 0) { // so that -0.0 counts as negative, as for Lucene
      throw new IllegalArgumentException("negative [boost] are not allowed, boost=" + boost);
    }
  }

  static void negativeBoost(float value) {
    if (!(value >= 0 && Float.isFinite(value))) {
      throw new IllegalArgumentException(
          "[boosting] [negative_boost] must be a finite number, not negative, got " + value);
    }
  }

  static float tieBreaker(float value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("[tie_breaker] must be from 0 to 1, got " + value);
    }
    return value;
  }

  static void notNegative(String name, int value) {
    if (value < 0) {
      throw new IllegalArgumentException("no negative " + name + " allowed, " + name + "=" + value);
    }
  }

  /** A copy of queries that are to stand inside another one. */
  static List<Query> inner(List<Query> queries) {
    queries.forEach(Checks::inner);
    return List.copyOf(queries);
  }

  static void inner(Query query) {
    if (query instanceof Query.Hybrid) {
      throw new IllegalArgumentException(
          "[hybrid] must be the outermost query; inside another query use [bool] with [should]");
    }
  }
}
