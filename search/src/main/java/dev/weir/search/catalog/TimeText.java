package dev.weir.search.catalog;

import dev.weir.search.error.SearchException;

/** Reads times as OpenSearch writes them: {@code 500ms}, {@code 1s}, {@code -1}. */
final class TimeText {

  private TimeText() {}

  /**
   * Milliseconds.
   *
   * @throws SearchException with 400 {@code illegal_argument_exception}
   */
  static long parseMs(String text, String setting) {
    String trimmed = text.strip();
    if (trimmed.equals("-1") || trimmed.equals("0")) {
      return Long.parseLong(trimmed);
    }
    int digits = 0;
    while (digits < trimmed.length() && Character.isDigit(trimmed.charAt(digits))) {
      digits++;
    }
    if (digits > 0 && digits <= 12) {
      long number = Long.parseLong(trimmed.substring(0, digits));
      switch (trimmed.substring(digits)) {
        case "ms" -> {
          return number;
        }
        case "s" -> {
          return number * 1000;
        }
        case "m" -> {
          return number * 60_000;
        }
        case "h" -> {
          return number * 3_600_000;
        }
        case "d" -> {
          return number * 86_400_000;
        }
        default -> {} // told below
      }
    }
    throw SearchException.illegalArgument(
        "failed to parse setting ["
            + setting
            + "] with value ["
            + text
            + "] as a time value: unit is missing or unrecognized; it must be a whole number with a"
            + " unit such as [500ms], [5s] or [1m]");
  }
}
