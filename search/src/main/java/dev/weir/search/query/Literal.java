package dev.weir.search.query;

import java.math.BigDecimal;

/**
 * One value of a query as the request wrote it; the mapping of the field decides later what it
 * means. The text of a number is kept as written, so no digit is lost.
 *
 * @param kind the JSON type
 * @param text the string without quotes, the digits of the number, or {@code true}/{@code false}
 */
public record Literal(Kind kind, String text) {

  /** JSON types that a single value can have. */
  public enum Kind {
    TEXT,
    NUMBER,
    FLAG
  }

  /**
   * Checks that the text is one of its kind.
   *
   * @throws IllegalArgumentException if JSON would not read it so
   */
  public Literal {
    boolean fits =
        switch (kind) {
          case TEXT -> true;
          case NUMBER -> isNumber(text);
          case FLAG -> text.equals("true") || text.equals("false");
        };
    if (!fits) {
      throw new IllegalArgumentException("no " + kind + " is written [" + text + "]");
    }
  }

  private static boolean isNumber(String text) {
    char first = text.isEmpty() ? ' ' : text.charAt(0);
    if (first != '-' && !Character.isDigit(first)) {
      return false;
    }
    try {
      return new BigDecimal(text).scale() > Integer.MIN_VALUE;
    } catch (NumberFormatException notNumber) {
      return false;
    }
  }

  /** A JSON string. */
  public static Literal of(String text) {
    return new Literal(Kind.TEXT, text);
  }

  /** A whole JSON number. */
  public static Literal of(long number) {
    return new Literal(Kind.NUMBER, Long.toString(number));
  }

  /** A JSON number; finite. */
  public static Literal of(double number) {
    if (!Double.isFinite(number)) {
      throw new IllegalArgumentException("JSON has no number for " + number);
    }
    return new Literal(Kind.NUMBER, Double.toString(number));
  }

  /** A JSON boolean. */
  public static Literal of(boolean flag) {
    return new Literal(Kind.FLAG, Boolean.toString(flag));
  }
}
