package dev.weir.search.aggregation;

import dev.weir.search.json.JsonReader;
import dev.weir.search.request.TimeValue;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Collects what a date histogram says about its intervals. */
final class DateOptions {
  private DateRounding.@Nullable Step step;
  private ZoneId zone = ZoneOffset.UTC;
  private long offsetMs;
  private int steps;

  void calendar(String text) {
    steps++;
    step =
        new DateRounding.Calendar(
            switch (text) {
              case "second", "1s" -> DateRounding.Unit.SECOND;
              case "minute", "1m" -> DateRounding.Unit.MINUTE;
              case "hour", "1h" -> DateRounding.Unit.HOUR;
              case "day", "1d" -> DateRounding.Unit.DAY;
              case "week", "1w" -> DateRounding.Unit.WEEK;
              case "month", "1M" -> DateRounding.Unit.MONTH;
              case "quarter", "1q" -> DateRounding.Unit.QUARTER;
              case "year", "1y" -> DateRounding.Unit.YEAR;
              default ->
                  throw new IllegalArgumentException(
                      "The supplied interval ["
                          + text
                          + "] could not be parsed as a calendar interval; it must be one unit, as"
                          + " [1d] or [month]");
            });
  }

  void fixed(String text) {
    steps++;
    Duration length = TimeValue.parse("fixed_interval", text);
    boolean isCalendar = text.endsWith("M"); // a month, which has no fixed length
    if (isCalendar || length == null || length.toMillis() < 1) {
      throw new IllegalArgumentException(
          "[fixed_interval] must be a positive time of fixed length, got [" + text + "]");
    }
    step = new DateRounding.Fixed(length.toMillis());
  }

  void zone(String text) {
    try {
      zone = ZoneId.of(text);
    } catch (DateTimeException unknown) {
      throw new IllegalArgumentException("unknown [time_zone]: [" + text + "]", unknown);
    }
  }

  void offset(String text) {
    boolean isNegative = text.startsWith("-");
    String unsigned = isNegative || text.startsWith("+") ? text.substring(1) : text;
    Duration length = TimeValue.parse("offset", unsigned);
    if (length == null) {
      throw new IllegalArgumentException("[offset] must be a time, got [" + text + "]");
    }
    offsetMs = isNegative ? -length.toMillis() : length.toMillis();
  }

  DateRounding rounding(JsonReader in, String name) {
    if (step == null || steps != 1) {
      throw in.illegalArgument(
          "Invalid interval specified, must be non-null and non-empty: one of [calendar_interval]"
              + " and [fixed_interval] must be given for ["
              + name
              + "]");
    }
    return new DateRounding(step, zone, offsetMs);
  }
}
