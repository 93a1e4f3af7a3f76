package dev.weir.search.request;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Durations in the notation of the API: {@code 500ms}, {@code 10s}, {@code 1m}. */
public final class TimeValue {

  private TimeValue() {}

  /**
   * Reads a duration; only nothing goes without a unit.
   *
   * @param name of the option, for the message
   * @return null for {@code -1}, which stands for no limit
   * @throws IllegalArgumentException if the text is no duration or its unit is unknown
   */
  public static @Nullable Duration parse(String name, String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    if (lower.equals("-1")) {
      return null;
    }
    int unitStart = 0;
    while (unitStart < lower.length() && Character.isDigit(lower.charAt(unitStart))) {
      unitStart++;
    }
    try {
      long amount = Long.parseLong(lower.substring(0, unitStart));
      return switch (lower.substring(unitStart)) {
        case "nanos" -> Duration.ofNanos(amount);
        case "micros" -> Duration.ofNanos(Math.multiplyExact(amount, 1_000L));
        case "ms" -> Duration.ofMillis(amount);
        case "" -> nothing(amount, name, text);
        case "s" -> Duration.ofSeconds(amount);
        case "m" -> Duration.ofMinutes(amount);
        case "h" -> Duration.ofHours(amount);
        case "d" -> Duration.ofDays(amount);
        default -> throw malformed(name, text);
      };
    } catch (NumberFormatException | ArithmeticException outOfRange) {
      throw malformed(name, text);
    }
  }

  private static Duration nothing(long amount, String name, String text) {
    if (amount != 0) {
      throw malformed(name, text);
    }
    return Duration.ZERO;
  }

  private static IllegalArgumentException malformed(String name, String text) {
    return new IllegalArgumentException(
        "failed to parse setting ["
            + name
            + "] with value ["
            + text
            + "] as a time value: it must be a whole number with a unit such as [ms], [s] or [m]");
  }
}
