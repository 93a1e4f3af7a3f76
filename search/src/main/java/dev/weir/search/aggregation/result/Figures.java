package dev.weir.search.aggregation.result;

import dev.weir.search.aggregation.Aggregation.Figure;

/** The numbers that a {@link Partial.Numbers} tells. */
final class Figures {
  private Figures() {}

  /**
   * One number; NaN where there is none, for want of values.
   *
   * @param ofStats which of the numbers of {@link Figure#STATS}; without meaning for others
   */
  static double of(Figure figure, String ofStats, Partial.Numbers numbers) {
    return switch (figure) {
      case MIN -> numbers.count() == 0 ? Double.NaN : numbers.min();
      case MAX -> numbers.count() == 0 ? Double.NaN : numbers.max();
      case AVG -> numbers.count() == 0 ? Double.NaN : numbers.sum() / numbers.count();
      case SUM -> numbers.sum();
      case VALUE_COUNT -> numbers.count();
      case STATS ->
          switch (ofStats) {
            case "min" -> of(Figure.MIN, "", numbers);
            case "max" -> of(Figure.MAX, "", numbers);
            case "avg" -> of(Figure.AVG, "", numbers);
            case "sum" -> of(Figure.SUM, "", numbers);
            default -> numbers.count();
          };
    };
  }
}
