package dev.weir.search.execute;

import dev.weir.search.mapping.DateFormat;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/**
 * Dates of a query: an anchor, which is {@code now} or a date followed by {@code ||}, and then any
 * number of steps {@code +1M}, {@code -2d} and roundings {@code /d}; or a plain date. Units: {@code
 * y M w d h H m s}; weeks begin on Monday.
 *
 * @param format of dates that are written out
 * @param zone of dates that name none, and in which days begin
 * @param moment of the request
 */
record DateMath(DateFormat format, ZoneId zone, Moment moment) {
  private static final String NOW = "now";

  /**
   * Milliseconds since 1970.
   *
   * @param rounding whether parts that are left out or rounded away stand for their first or their
   *     last millisecond
   * @throws IllegalArgumentException if the text is no date and no expression; the message is fit
   *     for the user
   */
  long millis(String text, DateFormat.Rounding rounding) {
    if (text.startsWith(NOW)) {
      return applied(text.substring(NOW.length()), moment.ms(), text, rounding);
    }
    int anchorEnd = text.indexOf("||");
    if (anchorEnd < 0) {
      return format.parse(text, zone, rounding);
    }
    long anchor = format.parse(text.substring(0, anchorEnd), zone, DateFormat.Rounding.DOWN);
    return applied(text.substring(anchorEnd + 2), anchor, text, rounding);
  }

  private long applied(String steps, long anchorMs, String text, DateFormat.Rounding rounding) {
    ZonedDateTime time = Instant.ofEpochMilli(anchorMs).atZone(zone);
    int at = 0;
    while (at < steps.length()) {
      char operator = steps.charAt(at++);
      int digitsStart = at;
      while (at < steps.length() && Character.isDigit(steps.charAt(at))) {
        at++;
      }
      String digits = steps.substring(digitsStart, at);
      if (at == steps.length() || digits.length() > 9) {
        throw malformed(text);
      }
      int count = digits.isEmpty() ? 1 : Integer.parseInt(digits);
      char unit = steps.charAt(at++);
      switch (operator) {
        case '+' -> time = time.plus(count, unit(unit, text));
        case '-' -> time = time.minus(count, unit(unit, text));
        case '/' -> {
          if (!digits.isEmpty() && count != 1) {
            throw malformed(text);
          }
          time = start(time, unit, text);
          if (rounding == DateFormat.Rounding.UP) {
            time = time.plus(1, unit(unit, text)).minus(1, ChronoUnit.MILLIS);
          }
        }
        default -> throw malformed(text);
      }
    }
    return time.toInstant().toEpochMilli();
  }

  private static ZonedDateTime start(ZonedDateTime time, char unit, String text) {
    return switch (unit) {
      case 'y' -> time.truncatedTo(ChronoUnit.DAYS).withDayOfYear(1);
      case 'M' -> time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
      case 'w' ->
          time.truncatedTo(ChronoUnit.DAYS)
              .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      default -> time.truncatedTo(unit(unit, text));
    };
  }

  private static ChronoUnit unit(char unit, String text) {
    return switch (unit) {
      case 'y' -> ChronoUnit.YEARS;
      case 'M' -> ChronoUnit.MONTHS;
      case 'w' -> ChronoUnit.WEEKS;
      case 'd' -> ChronoUnit.DAYS;
      case 'h', 'H' -> ChronoUnit.HOURS;
      case 'm' -> ChronoUnit.MINUTES;
      case 's' -> ChronoUnit.SECONDS;
      default -> throw malformed(text);
    };
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "date expression [%s] must be an anchor followed by steps such as +1M, -2d or /d",
            text));
  }
}
