package dev.weir.search.evaluation;

import java.util.List;

/**
 * What a metric says of one ranking.
 *
 * @param value between 0 and 1, but for the discounted cumulative gain without normalisation
 * @param details the numbers that it came from, in the order in which they are told
 */
public record MetricValue(double value, List<Detail> details) {
  /** One of those numbers, a whole one where it counts something. */
  public record Detail(String name, Number number) {}

  /** Copies the details. */
  public MetricValue {
    details = List.copyOf(details);
  }

  static MetricValue of(double value, Detail... details) {
    return new MetricValue(value, List.of(details));
  }
}
