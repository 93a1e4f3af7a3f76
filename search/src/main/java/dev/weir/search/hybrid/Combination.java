package dev.weir.search.hybrid;

import java.util.List;

/** How the normalised scores of one document, one of each sub-query, become one score. */
public enum Combination {
  /** Weighted mean over all sub-queries; one that did not find the document counts as 0. */
  ARITHMETIC_MEAN("arithmetic_mean") {
    @Override
    double combine(double[] scores, Weights weights) {
      double sum = 0;
      double weightSum = 0;
      for (int i = 0; i < scores.length; i++) {
        double weight = weights.of(i);
        sum += weight * Math.max(0, scores[i]);
        weightSum += weight;
      }
      return weightSum == 0 ? 0 : sum / weightSum;
    }
  },

  /** Weighted geometric mean over the sub-queries with a score above 0. */
  GEOMETRIC_MEAN("geometric_mean") {
    @Override
    double combine(double[] scores, Weights weights) {
      double logs = 0;
      double weightSum = 0;
      for (int i = 0; i < scores.length; i++) {
        if (scores[i] > 0) {
          logs += weights.of(i) * Math.log(scores[i]);
          weightSum += weights.of(i);
        }
      }
      return weightSum == 0 ? 0 : Math.exp(logs / weightSum);
    }
  },

  /** Weighted harmonic mean over the sub-queries with a score above 0. */
  HARMONIC_MEAN("harmonic_mean") {
    @Override
    double combine(double[] scores, Weights weights) {
      double inverses = 0;
      double weightSum = 0;
      for (int i = 0; i < scores.length; i++) {
        if (scores[i] > 0) {
          inverses += weights.of(i) / scores[i];
          weightSum += weights.of(i);
        }
      }
      return weightSum == 0 ? 0 : weightSum / inverses;
    }
  };

  /** Stands for a sub-query that did not find the document. */
  static final double MISSING = -1;

  private final String technique;

  Combination(String technique) {
    this.technique = technique;
  }

  /** The technique's name in a pipeline definition. */
  public String technique() {
    return technique;
  }

  /** All names, in the order in which messages list them. */
  public static List<String> techniques() {
    return List.of(ARITHMETIC_MEAN.technique, GEOMETRIC_MEAN.technique, HARMONIC_MEAN.technique);
  }

  /**
   * The document's combined score, not negative.
   *
   * @param scores one of each sub-query, {@link #MISSING} where it did not find the document
   */
  abstract double combine(double[] scores, Weights weights);
}
