package dev.weir.search.aggregation.result;

import dev.weir.search.aggregation.Aggregation;

/** The intervals of a histogram, numbered from its offset. */
public final class HistogramSteps {
  /** Above this a step more is the same number: a double has 53 bits. */
  private static final double NUMBER_MAX = 1L << 53;

  private HistogramSteps() {}

  /** The interval that a value lies in. */
  public static double number(Aggregation.Histogram histogram, double value) {
    return Math.floor((value - histogram.offset()) / histogram.interval());
  }

  /** The key of an interval, which is where it begins. */
  public static Key key(Aggregation.Histogram histogram, double number) {
    double start = number * histogram.interval() + histogram.offset();
    return new Key.Fraction(start == 0 ? 0 : start); // of the two zeros the one without a sign
  }

  /** The interval that has this key. */
  static double numberOfKey(Aggregation.Histogram histogram, double key) {
    return Math.rint((key - histogram.offset()) / histogram.interval());
  }

  /**
   * Checks that the intervals between two can be counted.
   *
   * @throws IllegalArgumentException if one and the next would have the same number
   */
  static void requireDistinct(Aggregation.Histogram histogram, double first, double last) {
    if (first < last && Math.max(-first, last) > NUMBER_MAX) {
      throw new IllegalArgumentException(
          "intervals of ["
              + histogram.interval()
              + "] of a [histogram] cannot be told apart, as far from its [offset] of ["
              + histogram.offset()
              + "] as its values are; ask for a larger [interval], an [offset] near to the values,"
              + " or a [min_doc_count] of 1");
    }
  }

  /**
   * Checks that an interval has a beginning.
   *
   * @throws IllegalArgumentException if its number or its beginning is larger than any number
   */
  static void requireFinite(Aggregation.Histogram histogram, double number) {
    if (!Double.isFinite(number)) {
      throw new IllegalArgumentException(
          "an [interval] of ["
              + histogram.interval()
              + "] with an [offset] of ["
              + histogram.offset()
              + "] is too small for the values or bounds of a [histogram]: no number counts the"
              + " intervals; ask for a larger one");
    }
  }
}
