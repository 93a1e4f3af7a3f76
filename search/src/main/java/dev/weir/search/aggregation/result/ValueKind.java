package dev.weir.search.aggregation.result;

import dev.weir.search.mapping.DateFormat;

/** What the values of a field are, as far as an answer shows it. */
public sealed interface ValueKind {
  /** The index does not know the field. */
  record Unmapped() implements ValueKind {}

  /** Texts. */
  record Text() implements ValueKind {}

  /** Numbers without fractions. */
  record Whole() implements ValueKind {}

  /** Numbers. */
  record Fraction() implements ValueKind {}

  /** 0 and 1. */
  record Flag() implements ValueKind {}

  /** Instants, in milliseconds since 1970. */
  record Date(DateFormat format) implements ValueKind {}

  /** The kind of values that come from both; an unknown field adds none. */
  default ValueKind with(ValueKind other) {
    if (this instanceof Unmapped) {
      return other;
    }
    return this instanceof Whole && other instanceof Fraction ? other : this;
  }
}
