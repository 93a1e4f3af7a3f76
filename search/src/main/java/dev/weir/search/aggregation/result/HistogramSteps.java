package dev.weir.search.aggregation.result;

import dev.weir.search.aggregation.Aggregation;

/** The intervals of a histogram, numbered from its offset. */
public final class HistogramSteps {
  private HistogramSteps() {}

  /** The interval that a value lies in. */
  public static double number(Aggregation.Histogram histogram, double value) {
    return Math.floor((value - histogram.offset()) / histogram.interval());
  }

  /** The key of an interval, which is where it begins. */
  public static Key key(Aggregation.Histogram histogram, double number) {
    return new Key.Fraction(number * histogram.interval() + histogram.offset());
  }
}
