package dev.weir.search.query;

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
