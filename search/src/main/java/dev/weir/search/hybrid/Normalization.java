package dev.weir.search.hybrid;

import java.util.List;

/**
 * How the scores of one sub-query are brought to the scale 0..1. The statistics are taken over what
 * the sub-query found within the window on all shards together, so a document's score does not
 * depend on which shard holds it.
 */
public sealed interface Normalization {
  /** The technique's name in a pipeline definition. */
  String technique();

  /** Fixes the statistics of one sub-query's list; every score given later must be of that list. */
  Scale scaleOf(List<SubQueryHit> list);

  /** Maps raw scores of one list to normalised ones. */
  @FunctionalInterface
  interface Scale {
    /** The normalised score, in 0..1 for scores that are not negative. */
    double normalise(float score);
  }

  /**
   * {@code (score - min) / (max - min)}. A list whose scores are all equal gets 1 throughout. The
   * lowest document of a list gets {@value #FLOOR} and not 0, since it did match.
   */
  record MinMax() implements Normalization {
    static final double FLOOR = 0.001;

    @Override
    public String technique() {
      return "min_max";
    }

    @Override
    public Scale scaleOf(List<SubQueryHit> list) {
      double min = Double.POSITIVE_INFINITY;
      double max = Double.NEGATIVE_INFINITY;
      for (SubQueryHit hit : list) {
        min = Math.min(min, hit.score());
        max = Math.max(max, hit.score());
      }
      if (min >= max) {
        return _ -> 1.0;
      }
      double lowest = min;
      double spread = max - min;
      return score -> {
        double normalised = (score - lowest) / spread;
        return normalised == 0 ? FLOOR : normalised;
      };
    }
  }

  /** {@code score / sqrt(sum of squared scores)}; 0 throughout for a list of zeros. */
  record L2() implements Normalization {
    @Override
    public String technique() {
      return "l2";
    }

    @Override
    public Scale scaleOf(List<SubQueryHit> list) {
      double squares = 0;
      for (SubQueryHit hit : list) {
        squares += (double) hit.score() * hit.score();
      }
      double norm = Math.sqrt(squares);
      return norm == 0 ? _ -> 0.0 : score -> score / norm;
    }
  }
}
