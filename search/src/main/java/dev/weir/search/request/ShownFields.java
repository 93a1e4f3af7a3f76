package dev.weir.search.request;

import java.util.List;

/**
 * Whose values a hit shows outside of its source. Of a field that both name, the values of the
 * source are shown.
 *
 * @param fromSource what {@code fields} says
 * @param fromDocValues what {@code docvalue_fields} says
 */
public record ShownFields(List<ShownField> fromSource, List<ShownField> fromDocValues) {
  /** None. */
  public static final ShownFields NONE = new ShownFields(List.of(), List.of());

  /** Copies the lists. */
  public ShownFields {
    fromSource = List.copyOf(fromSource);
    fromDocValues = List.copyOf(fromDocValues);
  }
}
