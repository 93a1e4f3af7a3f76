package dev.weir.generator;

/** How the length in front of a text, bytes or an array is written. */
enum LengthStyle {
  /** A varint of the length plus one; 0 is null. */
  COMPACT,
  /** A fixed number of bytes; -1 is null. */
  PLAIN;

  static LengthStyle of(FieldSpec field, int version) {
    return field.flexible().contains(version) ? COMPACT : PLAIN;
  }
}
