package dev.weir.search.request;

import dev.weir.search.geo.DistanceUnit;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.query.Literal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One key by which hits are sorted. */
public sealed interface SortKey {

  /** Direction. */
  SortOrder order();

  /** By score; descending unless said. */
  record Score(SortOrder order) implements SortKey {}

  /** By the order in the index, which is the cheapest and means nothing. */
  record IndexOrder(SortOrder order) implements SortKey {}

  /**
   * By a field, or by {@code _id}.
   *
   * @param missing where documents without the field go
   * @param mode which of several values counts; null for the least when ascending, else the largest
   * @param unmappedType the type that an index without the field pretends it to have; null to
   *     refuse the search there
   * @param format how dates appear in the answer's sort values; null for that of the field
   * @param nested the nested documents that have the values; null: the hit has them itself
   */
  record Field(
      String field,
      SortOrder order,
      Missing missing,
      @Nullable SortMode mode,
      @Nullable String unmappedType,
      @Nullable String format,
      @Nullable NestedSort nested)
      implements SortKey {

    /** A field of which nothing but the direction is said. */
    public static Field of(String field, SortOrder order) {
      return new Field(field, order, new Missing.Last(), null, null, null, null);
    }
  }

  /**
   * By the distance from given points. A document without a place is infinitely far away.
   *
   * @param origins 1 to {@link #ORIGINS_MAX}
   * @param mode which counts of the distances between several places and several points; null for
   *     the least when ascending, else the largest
   * @param ignoreUnmapped whether an index without the field has its documents infinitely far away
   *     instead of failing
   */
  record Distance(
      String field,
      List<GeoPoint> origins,
      DistanceUnit unit,
      SortOrder order,
      @Nullable SortMode mode,
      boolean ignoreUnmapped)
      implements SortKey {
    /** Most points that distances are measured from: each is measured for every document. */
    public static final int ORIGINS_MAX = 100;

    /** Checks the points and the mode. */
    public Distance {
      origins = List.copyOf(origins);
      if (origins.isEmpty() || origins.size() > ORIGINS_MAX) {
        throw new IllegalArgumentException(
            "1 to " + ORIGINS_MAX + " geo points are needed, got " + origins.size());
      }
      if (mode == SortMode.SUM) {
        throw new IllegalArgumentException(
            "sort_mode [sum] isn't supported for sorting by geo distance; use [min], [max], [avg]"
                + " or [median]");
      }
    }

    /** The mode that holds. */
    public SortMode effectiveMode() {
      if (mode != null) {
        return mode;
      }
      return order == SortOrder.ASCENDING ? SortMode.MIN : SortMode.MAX;
    }
  }

  /** Where documents without a value go. */
  sealed interface Missing {
    /** Behind all others, whatever the direction. */
    record Last() implements Missing {}

    /** Before all others, whatever the direction. */
    record First() implements Missing {}

    /** Where this value would be. */
    record As(Literal value) implements Missing {}
  }
}
