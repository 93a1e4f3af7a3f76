package dev.weir.search.mapping;

import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Patterns of users for dates. The formatter recurses for each optional part within another. */
public final class DatePattern {

  /** Longest pattern: no date needs more, and each letter is looked at for every date. */
  private static final int PATTERN_CHARS_MAX = 1_000;

  /** Optional parts within each other; the formatter takes several frames for each. */
  private static final int NESTING_MAX = 100;

  private DatePattern() {}

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if it is none, or too long or too deep
   */
  public static DateTimeFormatter compile(String pattern, Locale locale) {
    if (pattern.length() > PATTERN_CHARS_MAX) {
      throw new IllegalArgumentException(
          "the pattern has "
              + pattern.length()
              + " characters, at most "
              + PATTERN_CHARS_MAX
              + " are allowed; use several formats");
    }
    if (nesting(pattern) > NESTING_MAX) {
      throw tooDeep();
    }
    try {
      return DateTimeFormatter.ofPattern(pattern, locale);
    } catch (StackOverflowError _) {
      throw tooDeep(); // the stack is whole again here
    }
  }

  private static int nesting(String pattern) {
    int open = 0;
    int most = 0;
    boolean isQuoted = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\'') {
        isQuoted = !isQuoted;
      } else if (!isQuoted && c == '[') {
        most = Math.max(most, ++open);
      } else if (!isQuoted && c == ']') {
        open = Math.max(0, open - 1);
      }
    }
    return most;
  }

  private static IllegalArgumentException tooDeep() {
    return new IllegalArgumentException(
        "the pattern nests optional parts more than " + NESTING_MAX + " deep; use several formats");
  }
}
