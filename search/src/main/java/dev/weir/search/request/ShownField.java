package dev.weir.search.request;

import org.jspecify.annotations.Nullable;

/**
 * Fields whose values a hit shows.
 *
 * @param pattern a path, or several by {@code *}
 * @param format how the values are written; null: as the mapping has it
 * @param unmapped whether paths count that the document has and the mapping has not
 */
public record ShownField(String pattern, @Nullable String format, Unmapped unmapped) {

  /** What becomes of values that no field of the mapping holds. */
  public enum Unmapped {
    /** They are not shown. */
    LEFT_OUT,
    /** They are shown as they stand in the document. */
    SHOWN
  }

  /** Mapped fields, written as their mapping has it. */
  public static ShownField of(String pattern) {
    return new ShownField(pattern, null, Unmapped.LEFT_OUT);
  }
}
