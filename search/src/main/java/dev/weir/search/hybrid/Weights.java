package dev.weir.search.hybrid;

import java.util.List;

/**
 * The share of each sub-query in the combined score. Each weight lies in 0..1 and they sum to 1
 * within {@value #SUM_TOLERANCE}; an empty list means that all count alike, however many there are.
 */
public record Weights(List<Double> values) {
  /** All sub-queries count alike. */
  public static final Weights EQUAL = new Weights(List.of());

  static final double SUM_TOLERANCE = 0.01;

  /**
   * Checks and copies the weights.
   *
   * @throws IllegalArgumentException if a weight is out of range or the sum is not 1; the message
   *     is fit for the user
   */
  public Weights {
    values = List.copyOf(values);
    double sum = 0;
    for (double weight : values) {
      if (!(weight >= 0 && weight <= 1)) {
        throw new IllegalArgumentException(
            "each weight must be between 0.0 and 1.0, weights=" + values);
      }
      sum += weight;
    }
    if (!values.isEmpty() && Math.abs(sum - 1) > SUM_TOLERANCE + 1e-9) {
      throw new IllegalArgumentException(
          "the weights must sum to 1.0, sum=" + (float) sum + " weights=" + values);
    }
  }

  /**
   * Checks that there is one weight for each sub-query.
   *
   * @throws IllegalArgumentException if these weights are given for another number of sub-queries;
   *     the message is fit for the user
   */
  public void requireFor(int subQueries) {
    if (!values.isEmpty() && values.size() != subQueries) {
      throw new IllegalArgumentException(
          "the number of weights must equal the number of sub-queries, weights="
              + values.size()
              + " queries="
              + subQueries);
    }
  }

  /** What an explanation adds; nothing where all count alike. */
  String said() {
    return values.isEmpty() ? "" : ", weights=" + values + ",";
  }

  double of(int subQuery) {
    return values.isEmpty() ? 1.0 : values.get(subQuery);
  }
}
