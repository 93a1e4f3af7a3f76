package dev.weir.search.aggregation;

import dev.weir.search.error.SearchException;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;

/**
 * Where the intervals of time begin, in a time zone. Instants are milliseconds since 1970.
 *
 * @param step length of the intervals
 * @param offsetMs how much later than they would the intervals begin
 */
public record DateRounding(Step step, ZoneId zone, long offsetMs) {

  /** Length of intervals. */
  public sealed interface Step {}

  /** So many milliseconds, counted from 1970 in local time; above 0. */
  public record Fixed(long ms) implements Step {}

  /** One unit of the calendar. */
  public record Calendar(Unit unit) implements Step {}

  /** Units of the calendar. */
  public enum Unit {
    SECOND,
    MINUTE,
    HOUR,
    DAY,
    WEEK,
    MONTH,
    QUARTER,
    YEAR
  }

  /**
   * Beginning of the interval that an instant lies in.
   *
   * @throws SearchException with status 400 if it begins before all instants there are
   */
  public long floor(long ms) {
    try {
      return Math.addExact(floorWithoutOffset(Math.subtractExact(ms, offsetMs)), offsetMs);
    } catch (ArithmeticException | DateTimeException e) {
      throw SearchException.illegalArgument(
          "the interval of a [date_histogram] that holds the instant ["
              + ms
              + "] begins before all that milliseconds count; leave such values out by a [range]");
    }
  }

  /**
   * Beginning of the interval after the one that begins at {@code start}; {@link Long#MAX_VALUE} if
   * it begins after all instants there are.
   */
  public long next(long start) {
    try {
      return Math.addExact(nextWithoutOffset(Math.subtractExact(start, offsetMs)), offsetMs);
    } catch (ArithmeticException | DateTimeException _) {
      return Long.MAX_VALUE;
    }
  }

  private long floorWithoutOffset(long ms) {
    return switch (step) {
      case Fixed(long length) -> multiple(ms, length, zoneMs(ms));
      case Calendar(Unit unit) -> floor(ms, unit);
    };
  }

  private long nextWithoutOffset(long start) {
    return switch (step) {
      case Fixed(long length) -> {
        // Where the zone's offset changes, an interval is longer or shorter.
        long after = Math.addExact(start, length);
        long next = floorWithoutOffset(after);
        yield next > start ? next : floorWithoutOffset(Math.addExact(after, length));
      }
      case Calendar(Unit unit) -> floor(after(start, unit).toInstant().toEpochMilli(), unit);
    };
  }

  private ZonedDateTime after(long start, Unit unit) {
    ZonedDateTime from = Instant.ofEpochMilli(start).atZone(zone);
    return switch (unit) {
      case SECOND -> from.plusSeconds(1);
      case MINUTE -> from.plusMinutes(1);
      case HOUR -> from.plusHours(1);
      case DAY -> from.plusDays(1);
      case WEEK -> from.plusWeeks(1);
      case MONTH -> from.plusMonths(1);
      case QUARTER -> from.plusMonths(3);
      case YEAR -> from.plusYears(1);
    };
  }

  private long floor(long ms, Unit unit) {
    ZonedDateTime at = Instant.ofEpochMilli(ms).atZone(zone);
    LocalDateTime day = at.toLocalDate().atStartOfDay();
    return switch (unit) {
      case SECOND -> multiple(ms, 1_000L, 0);
      case MINUTE -> withinDay(ms, at, ChronoUnit.MINUTES);
      case HOUR -> withinDay(ms, at, ChronoUnit.HOURS);
      case DAY -> instant(day);
      case WEEK -> instant(day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)));
      case MONTH -> instant(day.withDayOfMonth(1));
      case QUARTER -> instant(day.with(IsoFields.DAY_OF_QUARTER, 1L));
      case YEAR -> instant(day.withDayOfYear(1));
    };
  }

  /** The hour that comes twice when the clock goes back is two hours. */
  private static long withinDay(long ms, ZonedDateTime at, ChronoUnit unit) {
    long lengthMs = unit.getDuration().toMillis();
    long zoneMs = at.getOffset().getTotalSeconds() * 1_000L;
    return multiple(ms, lengthMs, zoneMs);
  }

  /** The last multiple of a length before an instant, in local time; never wraps around. */
  private static long multiple(long ms, long lengthMs, long zoneMs) {
    long local = Math.addExact(ms, zoneMs);
    long count = Math.floorDiv(local, lengthMs);
    return Math.subtractExact(Math.multiplyExact(count, lengthMs), zoneMs);
  }

  private long instant(LocalDateTime local) {
    return local.atZone(zone).toInstant().toEpochMilli();
  }

  private long zoneMs(long ms) {
    return zone instanceof ZoneOffset fixed
        ? fixed.getTotalSeconds() * 1_000L
        : zone.getRules().getOffset(Instant.ofEpochMilli(ms)).getTotalSeconds() * 1_000L;
  }
}
