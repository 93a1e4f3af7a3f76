package dev.weir.search.aggregation.result;

import dev.weir.search.request.SortValue;

/** What the documents of a bucket have in common. Numbers are ordered by value, terms by UTF-8. */
public sealed interface Key extends Comparable<Key> {
  /** A term. */
  record Term(String text) implements Key {}

  /** A whole number, an instant, a boolean, or the number of a range or a filter. */
  record Whole(long value) implements Key {}

  /** A number with a fraction. */
  record Fraction(double value) implements Key {}

  @Override
  default int compareTo(Key other) {
    return SortValue.compare(value(this), value(other));
  }

  private static SortValue value(Key key) {
    return switch (key) {
      case Term(String text) -> new SortValue.Text(text);
      case Whole(long value) -> new SortValue.Whole(value);
      case Fraction(double value) -> new SortValue.Fraction(value);
    };
  }
}
