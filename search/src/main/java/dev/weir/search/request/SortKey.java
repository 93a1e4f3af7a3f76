package dev.weir.search.request;

import dev.weir.search.query.Literal;
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
