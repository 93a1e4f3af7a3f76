package dev.weir.search.mapping;

/** The kinds of numbers. */
public enum NumericKind {
  /** Whole, 8 bits. */
  BYTE("byte"),
  /** Whole, 16 bits. */
  SHORT("short"),
  /** Whole, 32 bits. */
  INTEGER("integer"),
  /** Whole, 64 bits. */
  LONG("long"),
  /** IEEE 754 binary16; stored as the float that it rounds to. */
  HALF_FLOAT("half_float"),
  /** IEEE 754 binary32. */
  FLOAT("float"),
  /** IEEE 754 binary64. */
  DOUBLE("double");

  private final String typeName;

  NumericKind(String typeName) {
    this.typeName = typeName;
  }

  /** The name in a mapping. */
  public String typeName() {
    return typeName;
  }

  /** Whether fractions have no place in it. */
  public boolean isWhole() {
    return switch (this) {
      case BYTE, SHORT, INTEGER, LONG -> true;
      case HALF_FLOAT, FLOAT, DOUBLE -> false;
    };
  }
}
