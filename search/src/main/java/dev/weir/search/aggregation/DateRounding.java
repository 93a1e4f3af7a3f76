package dev.weir.search.aggregation;

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

  /** Beginning of the interval that an instant lies in. */
  public long floor(long ms) {
    return floorWithoutOffset(ms - offsetMs) + offsetMs;
  }

  /** Beginning of the interval after the one that begins at {@code start}. */
  public long next(long start) {
    return nextWithoutOffset(start - offsetMs) + offsetMs;
  }

  private long floorWithoutOffset(long ms) {
    return switch (step) {
      case Fixed(long length) -> {
        long zoneMs = zoneMs(ms);
        yield Math.floorDiv(ms + zoneMs, length) * length - zoneMs;
      }
      case Calendar(Unit unit) -> floor(ms, unit);
    };
  }

  private long nextWithoutOffset(long start) {
    return switch (step) {
      case Fixed(long length) -> {
        // Where the zone's offset changes, an interval is longer or shorter.
        long next = floorWithoutOffset(start + length);
        yield next > start ? next : floorWithoutOffset(start + length + length);
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
      case SECOND -> Math.floorDiv(ms, 1_000L) * 1_000L;
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
    return Math.floorDiv(ms + zoneMs, lengthMs) * lengthMs - zoneMs;
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
