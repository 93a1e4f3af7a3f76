package dev.weir.search.query;

import org.jspecify.annotations.Nullable;

/**
 * How the ends of a range are read.
 *
 * @param format date format of the ends; null for that of the field
 * @param timeZone zone of dates that name none, such as {@code +01:00}; null for UTC
 * @param relation how a field that holds ranges must lie to this one
 */
public record RangeOptions(
    @Nullable String format, @Nullable String timeZone, RangeRelation relation) {
  /** What holds when a request says nothing. */
  public static final RangeOptions DEFAULT = new RangeOptions(null, null, RangeRelation.INTERSECTS);
}
