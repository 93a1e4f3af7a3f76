package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.DatePattern;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;

/** A format of the processor {@code date}. Immutable. */
sealed interface TimeFormat {

  /**
   * Reads a time.
   *
   * @param zone where the text says none
   * @param year where the text says none
   * @throws DateTimeException or another unchecked exception of reading numbers if it is none
   */
  ZonedDateTime read(String text, ZoneId zone, int year);

  /** Seconds since 1970, with a fraction. */
  record Unix() implements TimeFormat {
    /** Longest number that is read: a time has no more digits. */
    private static final int CHARS_MAX = 40;

    @Override
    public ZonedDateTime read(String text, ZoneId zone, int year) {
      if (text.length() > CHARS_MAX || text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
        throw new DateTimeException("not a number of seconds");
      }
      BigDecimal ms =
          new BigDecimal(text.strip()).movePointRight(3).setScale(0, RoundingMode.FLOOR);
      return Instant.ofEpochMilli(ms.longValueExact()).atZone(zone);
    }

    @Override
    public String toString() {
      return "UNIX";
    }
  }

  /** Milliseconds since 1970. */
  record UnixMs() implements TimeFormat {
    @Override
    public ZonedDateTime read(String text, ZoneId zone, int year) {
      return Instant.ofEpochMilli(Long.parseLong(text.strip())).atZone(zone);
    }

    @Override
    public String toString() {
      return "UNIX_MS";
    }
  }

  /** {@code @} and a TAI64N label in hexadecimal digits; read as 10 seconds ahead of UTC. */
  record Tai64n() implements TimeFormat {
    private static final long EPOCH = 1L << 62;
    private static final long AHEAD_SECONDS = 10;

    @Override
    public ZonedDateTime read(String text, ZoneId zone, int year) {
      String label = text.startsWith("@") ? text.substring(1) : text;
      if (label.length() != 24) {
        throw new DateTimeException("a TAI64N label has 24 hexadecimal digits");
      }
      long seconds = Long.parseUnsignedLong(label.substring(0, 16), 16) - EPOCH - AHEAD_SECONDS;
      long nanos = Long.parseLong(label.substring(16), 16);
      return Instant.ofEpochSecond(seconds, nanos).atZone(zone);
    }

    @Override
    public String toString() {
      return "TAI64N";
    }
  }

  /** Letters of {@link DateTimeFormatter}; what the text leaves out is the first of its kind. */
  record Pattern(String pattern, DateTimeFormatter formatter) implements TimeFormat {
    @Override
    public ZonedDateTime read(String text, ZoneId zone, int year) {
      TemporalAccessor found = formatter.parse(text);
      ZoneId own = found.query(TemporalQueries.zone());
      if (found.isSupported(ChronoField.INSTANT_SECONDS)) {
        return Instant.from(found).atZone(own == null ? zone : own);
      }
      LocalDate date = found.query(TemporalQueries.localDate());
      LocalTime time = found.query(TemporalQueries.localTime());
      return ZonedDateTime.of(
          date == null ? partial(found, year) : date,
          time == null ? LocalTime.MIDNIGHT : time,
          own == null ? zone : own);
    }

    private static LocalDate partial(TemporalAccessor found, int year) {
      return LocalDate.of(
          found.isSupported(ChronoField.YEAR)
              ? found.get(ChronoField.YEAR)
              : found.isSupported(ChronoField.YEAR_OF_ERA)
                  ? found.get(ChronoField.YEAR_OF_ERA)
                  : year,
          found.isSupported(ChronoField.MONTH_OF_YEAR) ? found.get(ChronoField.MONTH_OF_YEAR) : 1,
          found.isSupported(ChronoField.DAY_OF_MONTH) ? found.get(ChronoField.DAY_OF_MONTH) : 1);
    }

    @Override
    public String toString() {
      return pattern;
    }
  }

  /** Date, then perhaps a time, then perhaps a zone. */
  DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HH:MM", "Z")
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HHMM", "Z")
          .optionalEnd()
          .toFormatter(Locale.ROOT);

  /**
   * Reads the name of a format, or its pattern.
   *
   * @throws SearchException with 400 if it is none
   */
  static TimeFormat of(String text, Locale locale) {
    return switch (text) {
      case "ISO8601" -> new Pattern(text, ISO);
      case "UNIX" -> new Unix();
      case "UNIX_MS" -> new UnixMs();
      case "TAI64N" -> new Tai64n();
      default -> new Pattern(text, formatter(text, locale));
    };
  }

  /** A pattern as a formatter. */
  static DateTimeFormatter formatter(String pattern, Locale locale) {
    try {
      return DatePattern.compile(pattern, locale);
    } catch (IllegalArgumentException e) {
      throw SearchException.illegalArgument(
          "Invalid format: [" + Values.shown(pattern) + "]: " + e.getMessage());
    }
  }
}
