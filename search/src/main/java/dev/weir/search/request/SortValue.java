package dev.weir.search.request;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** What a hit is sorted by under one key. */
public sealed interface SortValue {
  /** A text. */
  record Text(String value) implements SortValue {}

  /** A whole number: also dates (ms since 1970), booleans (1 or 0), and documents' places. */
  record Whole(long value) implements SortValue {}

  /** A number with a fraction: also scores. */
  record Fraction(double value) implements SortValue {}

  /** No text. Documents without a number have the largest or least one of their kind instead. */
  record Absent() implements SortValue {}

  /** Writes the value as it stands in {@code sort} of a hit. */
  default void write(JsonGenerator out) {
    switch (this) {
      case Text(String value) -> out.writeString(value);
      case Whole(long value) -> out.writeNumber(value);
      case Fraction(double value) -> {
        if (Double.isFinite(value)) {
          out.writeNumber(value);
        } else {
          out.writeString(Double.toString(value)); // JSON has no number for it
        }
      }
      case Absent() -> out.writeNull();
    }
  }

  /**
   * Compares the values of two hits, none of them absent, in ascending order.
   *
   * @throws IllegalArgumentException if one is a text and the other a number
   */
  static int compare(SortValue one, SortValue other) {
    if (one instanceof Text(String a) && other instanceof Text(String b)) {
      return compareByCodePoint(a, b);
    }
    if (one instanceof Whole(long a) && other instanceof Whole(long b)) {
      return Long.compare(a, b);
    }
    if (one instanceof Fraction(double a) && other instanceof Fraction(double b)) {
      return Double.compare(a, b);
    }
    if (one instanceof Text || other instanceof Text) {
      throw new IllegalArgumentException(
          "can't sort by a field that holds text in one index and numbers in another");
    }
    double a = number(one);
    double b = number(other);
    return Double.isFinite(a) && Double.isFinite(b) && a == b
        ? exact(one).compareTo(exact(other))
        : Double.compare(a, b);
  }

  /** Orders the values of hits from any shard under these keys, best first. */
  static Comparator<List<SortValue>> order(List<SortKey> keys) {
    return (one, other) -> {
      for (int i = 0; i < keys.size(); i++) {
        int order = compare(keys.get(i), one.get(i), other.get(i));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }

  private static int compare(SortKey key, SortValue one, SortValue other) {
    boolean oneAbsent = one instanceof Absent;
    boolean otherAbsent = other instanceof Absent;
    if (oneAbsent || otherAbsent) {
      int absentLast = Boolean.compare(oneAbsent, otherAbsent);
      boolean first =
          key instanceof SortKey.Field field && field.missing() instanceof SortKey.Missing.First;
      return first ? -absentLast : absentLast;
    }
    int ascending = compare(one, other);
    return key.order() == SortOrder.DESCENDING ? -ascending : ascending;
  }

  private static double number(SortValue value) {
    return value instanceof Whole(long whole) ? (double) whole : ((Fraction) value).value();
  }

  private static BigDecimal exact(SortValue value) {
    return value instanceof Whole(long whole)
        ? BigDecimal.valueOf(whole)
        : new BigDecimal(((Fraction) value).value());
  }

  /** As Lucene orders terms, which are UTF-8; Java's own order differs above U+FFFF. */
  private static int compareByCodePoint(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char one = a.charAt(i);
      char other = b.charAt(i);
      if (one != other) {
        boolean bothOrNone = Character.isSurrogate(one) == Character.isSurrogate(other);
        return bothOrNone ? Character.compare(one, other) : Character.isSurrogate(one) ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
