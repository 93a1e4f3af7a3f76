package dev.weir.search.mapping;

import static java.time.temporal.ChronoField.DAY_OF_MONTH;
import static java.time.temporal.ChronoField.HOUR_OF_DAY;
import static java.time.temporal.ChronoField.MINUTE_OF_HOUR;
import static java.time.temporal.ChronoField.MONTH_OF_YEAR;
import static java.time.temporal.ChronoField.NANO_OF_SECOND;
import static java.time.temporal.ChronoField.SECOND_OF_MINUTE;
import static java.time.temporal.ChronoField.YEAR;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A date format of a mapping or a query: one or more formats joined by {@code ||}, tried in order.
 * Each is a name ({@code strict_date_optional_time}, {@code date_optional_time}, {@code
 * epoch_millis}, {@code epoch_second}, {@code strict_date}, {@code date}, {@code basic_date},
 * {@code strict_date_time}, {@code date_time}, {@code strict_date_hour_minute_second}, {@code
 * date_hour_minute_second}, {@code strict_year}, {@code year}, {@code strict_year_month}, {@code
 * year_month}, …) or a pattern of {@link DateTimeFormatter}. Immutable; equal by its text.
 */
public final class DateFormat {

  /** What parts that a text leaves out stand for. */
  public enum Rounding {
    /** The first instant that the text covers: 2024-05 is May 1st, 00:00. */
    DOWN,
    /** The last millisecond that the text covers: 2024-05 ends with May. */
    UP
  }

  private sealed interface Part {}

  private record Epoch(long unitMs) implements Part {}

  private record Calendar(DateTimeFormatter parser, DateTimeFormatter printer) implements Part {}

  private static final Pattern EPOCH = Pattern.compile("-?[0-9]{1,19}(\\.[0-9]{1,9})?");

  private static final DateTimeFormatter ISO_PRINTER =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);
  private static final Calendar STRICT_OPTIONAL_TIME = new Calendar(isoParser(4, 2), ISO_PRINTER);
  private static final Calendar OPTIONAL_TIME = new Calendar(isoParser(1, 1), ISO_PRINTER);

  /** {@code strict_date_optional_time||epoch_millis}. */
  public static final DateFormat DEFAULT = of("strict_date_optional_time||epoch_millis");

  private final String text;
  private final List<Part> parts; // at least one

  private DateFormat(String text, List<Part> parts) {
    this.text = text;
    this.parts = List.copyOf(parts);
  }

  /**
   * Reads a format.
   *
   * @throws IllegalArgumentException if a part is neither a known name nor a pattern
   */
  public static DateFormat of(String text) {
    List<Part> parts = new ArrayList<>();
    for (String name : text.split("\\|\\|", -1)) {
      parts.add(part(name.strip(), text));
    }
    return new DateFormat(text, parts);
  }

  /** The format as it was given. */
  public String text() {
    return text;
  }

  /**
   * Milliseconds since 1970 of a date, in UTC where it names no zone, rounded down.
   *
   * @throws IllegalArgumentException if no part of the format fits
   */
  public long parse(String date) {
    return parse(date, ZoneOffset.UTC, Rounding.DOWN);
  }

  /**
   * Milliseconds since 1970 of a date.
   *
   * @param zone used where the date names none
   * @throws IllegalArgumentException if no part of the format fits
   */
  public long parse(String date, ZoneId zone, Rounding rounding) {
    for (Part part : parts) {
      Long millis = tryParse(part, date, zone, rounding);
      if (millis != null) {
        return millis;
      }
    }
    throw new IllegalArgumentException(
        "failed to parse date field [" + date + "] with format [" + text + "]");
  }

  /**
   * Milliseconds since 1970 of a JSON number: where the format takes a count since 1970, the number
   * is one, and no year.
   *
   * @throws IllegalArgumentException if no part of the format fits
   */
  public long parseNumber(String number) {
    return parseNumber(number, ZoneOffset.UTC, Rounding.DOWN);
  }

  /** As {@link #parse(String, ZoneId, Rounding)}, for a JSON number. */
  public long parseNumber(String number, ZoneId zone, Rounding rounding) {
    if (parts.stream().anyMatch(Epoch.class::isInstance)) {
      for (Part part : parts) {
        Long millis =
            part.equals(STRICT_OPTIONAL_TIME) || part.equals(OPTIONAL_TIME)
                ? null
                : tryParse(part, number, zone, rounding);
        if (millis != null) {
          return millis;
        }
      }
    }
    return parse(number, zone, rounding);
  }

  /** The instant in the first of the formats, in UTC. */
  public String print(long epochMs) {
    return print(epochMs, ZoneOffset.UTC);
  }

  /** The instant in the first of the formats, as the clocks of a zone show it. */
  public String print(long epochMs, ZoneId zone) {
    return switch (parts.getFirst()) {
      case Epoch(long unitMs) -> Long.toString(Math.floorDiv(epochMs, unitMs));
      case Calendar(_, DateTimeFormatter printer) ->
          printer.format(Instant.ofEpochMilli(epochMs).atZone(zone));
    };
  }

  private static @Nullable Long tryParse(Part part, String date, ZoneId zone, Rounding rounding) {
    switch (part) {
      case Epoch(long unitMs) -> {
        return epoch(date, unitMs, rounding);
      }
      case Calendar(DateTimeFormatter parser, _) -> {
        try {
          return millis(parser.parse(date), given(parser, date, rounding), zone);
        } catch (DateTimeException | ArithmeticException _) {
          return null; // another part of the format may fit
        }
      }
    }
  }

  /** Digits, with a fraction or without; a count of seconds covers all of its second. */
  private static @Nullable Long epoch(String date, long unitMs, Rounding rounding) {
    if (!EPOCH.matcher(date).matches()) {
      return null;
    }
    try {
      BigDecimal ms = new BigDecimal(date).multiply(BigDecimal.valueOf(unitMs));
      long first = ms.setScale(0, RoundingMode.FLOOR).longValueExact();
      boolean covers = rounding == Rounding.UP && date.indexOf('.') < 0;
      return covers ? Math.addExact(first, unitMs - 1) : first;
    } catch (ArithmeticException _) {
      return null; // too large for a date; another part of the format may fit
    }
  }

  /**
   * The parts that the text has, for rounding up; null: the missing ones are the least. Parsing
   * alone does not tell, since it fills in minutes and seconds where there is an hour.
   */
  private static @Nullable TemporalAccessor given(
      DateTimeFormatter parser, String date, Rounding rounding) {
    return switch (rounding) {
      case DOWN -> null;
      case UP -> parser.parseUnresolved(date, new ParsePosition(0));
    };
  }

  private static long millis(
      TemporalAccessor parsed, @Nullable TemporalAccessor given, ZoneId zone) {
    boolean up = given != null;
    LocalDate date = parsed.query(TemporalQueries.localDate());
    if (date == null) {
      int year = part(parsed, YEAR, part(parsed, ChronoField.YEAR_OF_ERA, 1970));
      int month = part(parsed, MONTH_OF_YEAR, up ? 12 : 1);
      YearMonth yearMonth = YearMonth.of(year, month);
      date = yearMonth.atDay(part(parsed, DAY_OF_MONTH, up ? yearMonth.lengthOfMonth() : 1));
    }
    TemporalAccessor small = given == null ? parsed : given;
    LocalTime time =
        LocalTime.of(
            part(parsed, HOUR_OF_DAY, up ? 23 : 0),
            part(small, MINUTE_OF_HOUR, up ? 59 : 0),
            part(small, SECOND_OF_MINUTE, up ? 59 : 0),
            part(small, NANO_OF_SECOND, up ? 999_999_999 : 0));
    ZoneId named = parsed.query(TemporalQueries.zone());
    return date.atTime(time).atZone(named == null ? zone : named).toInstant().toEpochMilli();
  }

  private static int part(TemporalAccessor parsed, ChronoField field, int otherwise) {
    return parsed.isSupported(field) ? (int) parsed.getLong(field) : otherwise;
  }

  private static Part part(String name, String whole) {
    return switch (name) {
      case "strict_date_optional_time", "iso8601" -> STRICT_OPTIONAL_TIME;
      case "date_optional_time" -> OPTIONAL_TIME;
      case "epoch_millis" -> new Epoch(1);
      case "epoch_second" -> new Epoch(1000);
      case "strict_date", "date", "strict_year_month_day", "year_month_day" ->
          pattern("uuuu-MM-dd");
      case "basic_date" -> pattern("uuuuMMdd");
      case "basic_date_time" -> pattern("uuuuMMdd'T'HHmmss.SSSXX");
      case "basic_date_time_no_millis" -> pattern("uuuuMMdd'T'HHmmssXX");
      case "strict_date_time", "date_time" -> pattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX");
      case "strict_date_time_no_millis", "date_time_no_millis" ->
          pattern("uuuu-MM-dd'T'HH:mm:ssXXX");
      case "strict_date_hour_minute", "date_hour_minute" -> pattern("uuuu-MM-dd'T'HH:mm");
      case "strict_date_hour_minute_second", "date_hour_minute_second" ->
          pattern("uuuu-MM-dd'T'HH:mm:ss");
      case "strict_date_hour_minute_second_millis", "date_hour_minute_second_millis" ->
          pattern("uuuu-MM-dd'T'HH:mm:ss.SSS");
      case "strict_date_hour", "date_hour" -> pattern("uuuu-MM-dd'T'HH");
      case "strict_year", "year" -> pattern("uuuu");
      case "strict_year_month", "year_month" -> pattern("uuuu-MM");
      case "strict_hour_minute_second", "hour_minute_second" -> pattern("HH:mm:ss");
      case "strict_hour_minute", "hour_minute" -> pattern("HH:mm");
      default -> userPattern(name, whole);
    };
  }

  private static Part userPattern(String pattern, String whole) {
    if (pattern.isEmpty()) {
      throw new IllegalArgumentException("Invalid format: [" + whole + "]: empty part");
    }
    try {
      // 'y' is the year of an era, which strict resolving would refuse without the era.
      return pattern(pattern.replace('y', 'u'));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("Invalid format: [" + whole + "]: " + e.getMessage(), e);
    }
  }

  private static Calendar pattern(String pattern) {
    DateTimeFormatter formatter =
        DatePattern.compile(pattern, Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
    return new Calendar(formatter, formatter);
  }

  /** Year, and every further part optional, with a zone or without. */
  private static DateTimeFormatter isoParser(int yearDigitsMin, int digitsMin) {
    return new DateTimeFormatterBuilder()
        .appendValue(YEAR, yearDigitsMin, 4, SignStyle.NOT_NEGATIVE)
        .optionalStart()
        .appendLiteral('-')
        .appendValue(MONTH_OF_YEAR, digitsMin, 2, SignStyle.NOT_NEGATIVE)
        .optionalStart()
        .appendLiteral('-')
        .appendValue(DAY_OF_MONTH, digitsMin, 2, SignStyle.NOT_NEGATIVE)
        .optionalStart()
        .appendLiteral('T')
        .optionalStart()
        .appendValue(HOUR_OF_DAY, digitsMin, 2, SignStyle.NOT_NEGATIVE)
        .optionalStart()
        .appendLiteral(':')
        .appendValue(MINUTE_OF_HOUR, digitsMin, 2, SignStyle.NOT_NEGATIVE)
        .optionalStart()
        .appendLiteral(':')
        .appendValue(SECOND_OF_MINUTE, digitsMin, 2, SignStyle.NOT_NEGATIVE)
        .optionalStart()
        .appendFraction(NANO_OF_SECOND, 1, 9, true)
        .optionalEnd()
        .optionalStart()
        .appendLiteral(',')
        .appendFraction(NANO_OF_SECOND, 1, 9, false)
        .optionalEnd()
        .optionalEnd()
        .optionalEnd()
        .optionalStart()
        .appendZoneOrOffsetId()
        .optionalEnd()
        .optionalStart()
        .appendOffset("+HHmm", "Z")
        .optionalEnd()
        .toFormatter(Locale.ROOT)
        .withResolverStyle(ResolverStyle.STRICT);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DateFormat that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
