package dev.weir.search.hybrid;

import java.util.List;

/**
 * How the scores of one sub-query are brought to a common scale. The statistics are taken over what
 * the sub-query found within the window on all shards together, so a document's score does not
 * depend on which shard holds it.
 */
public sealed interface Normalization {
  /**
   * What a document gets whose place on the scale is the bottom or below: not 0, for it did match.
   */
  double FLOOR = 0.001;

  /** All names, in the order in which messages list them. */
  static List<String> techniques() {
    return List.of("min_max", "l2", "z_score");
  }

  /** The technique's name in a pipeline definition. */
  String technique();

  /**
   * Checks that what is said of each sub-query is said of as many as there are.
   *
   * @throws IllegalArgumentException if not; the message is fit for the user
   */
  default void requireFor(int subQueries) {}

  /**
   * Fixes the statistics of one sub-query's list; every score given later must be of that list.
   *
   * @param subQuery number of the sub-query, from 0
   */
  Scale scaleOf(List<SubQueryHit> list, int subQuery);

  /** Maps raw scores of one list to normalised ones. */
  @FunctionalInterface
  interface Scale {
    /** The normalised score, not negative. */
    double normalise(float score);
  }

  /**
   * {@code (score - min) / (max - min)}. A list whose scores are all equal gets 1 throughout. The
   * lowest document of a list gets {@value Normalization#FLOOR}.
   *
   * @param lower a bound that may stand for the least score, of each sub-query; empty for none
   * @param upper a bound that may stand for the largest score, of each sub-query; empty for none
   */
  record MinMax(List<ScoreBound> lower, List<ScoreBound> upper) implements Normalization {
    /** Between the least and the largest score as they are. */
    public static final MinMax DEFAULT = new MinMax(List.of(), List.of());

    /** Copies the bounds. */
    public MinMax {
      lower = List.copyOf(lower);
      upper = List.copyOf(upper);
    }

    @Override
    public String technique() {
      return "min_max";
    }

    @Override
    public void requireFor(int subQueries) {
      requireFor("lower_bounds", lower, subQueries);
      requireFor("upper_bounds", upper, subQueries);
    }

    private static void requireFor(String name, List<ScoreBound> bounds, int subQueries) {
      if (!bounds.isEmpty() && bounds.size() != subQueries) {
        throw new IllegalArgumentException(
            "the number of ["
                + name
                + "] must equal the number of sub-queries, "
                + name
                + "="
                + bounds.size()
                + " queries="
                + subQueries);
      }
    }

    @Override
    public Scale scaleOf(List<SubQueryHit> list, int subQuery) {
      double min = Double.POSITIVE_INFINITY;
      double max = Double.NEGATIVE_INFINITY;
      for (SubQueryHit hit : list) {
        min = Math.min(min, hit.score());
        max = Math.max(max, hit.score());
      }
      if (min >= max) {
        return _ -> 1.0;
      }
      ScoreBound low = lower.isEmpty() ? ScoreBound.NONE : lower.get(subQuery);
      ScoreBound high = upper.isEmpty() ? ScoreBound.NONE : upper.get(subQuery);
      double lowest = min;
      double highest = max;
      return score -> normalise(score, lowest, highest, low, high);
    }

    private static double normalise(
        double score, double min, double max, ScoreBound low, ScoreBound high) {
      double bottom =
          switch (low.mode()) {
            case APPLY -> max > low.score() && score > low.score() ? low.score() : min;
            case CLIP -> max < low.score() ? min : low.score();
            case IGNORE -> min;
          };
      double top =
          switch (high.mode()) {
            case APPLY -> min < high.score() && score < high.score() ? high.score() : max;
            case CLIP -> min > high.score() ? max : high.score();
            case IGNORE -> max;
          };
      if (score < bottom || (score == bottom && bottom < top)) {
        return FLOOR;
      }
      return score >= top ? 1 : (score - bottom) / (top - bottom);
    }
  }

  /** {@code score / sqrt(sum of squared scores)}; 0 throughout for a list of zeros. */
  record L2() implements Normalization {
    @Override
    public String technique() {
      return "l2";
    }

    @Override
    public Scale scaleOf(List<SubQueryHit> list, int subQuery) {
      double squares = 0;
      for (SubQueryHit hit : list) {
        squares += (double) hit.score() * hit.score();
      }
      double norm = Math.sqrt(squares);
      return norm == 0 ? _ -> 0.0 : score -> score / norm;
    }
  }

  /**
   * {@code (score - mean) / standard deviation}, the deviation being that of a sample. What is not
   * above the mean gets {@value Normalization#FLOOR}. A list of one document, or of equal scores,
   * has no deviation and keeps its scores as they are.
   */
  record ZScore() implements Normalization {
    @Override
    public String technique() {
      return "z_score";
    }

    @Override
    public Scale scaleOf(List<SubQueryHit> list, int subQuery) {
      double sum = 0;
      boolean isEven = true;
      for (SubQueryHit hit : list) {
        sum += hit.score();
        isEven &= hit.score() == list.getFirst().score();
      }
      if (isEven) {
        return score -> score;
      }
      double mean = sum / list.size();
      double squares = 0;
      for (SubQueryHit hit : list) {
        squares += (hit.score() - mean) * (hit.score() - mean);
      }
      double deviation = Math.sqrt(squares / (list.size() - 1));
      return score -> {
        double normalised = (score - mean) / deviation;
        return normalised > 0 ? normalised : FLOOR;
      };
    }
  }
}
