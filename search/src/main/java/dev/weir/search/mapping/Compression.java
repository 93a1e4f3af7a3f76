package dev.weir.search.mapping;

/**
 * How the vectors that a graph compares are compressed ({@code compression_level}). The full
 * vectors are kept beside them, on the disk.
 */
public enum Compression {
  /** Floats as they are. */
  X1("1x", 32),
  /** Eight bits a value: Lucene has no floats of 16 bits, and a quarter is less than half. */
  X2("2x", 8),
  /** Seven bits a value. */
  X4("4x", 7),
  /** Four bits a value. */
  X8("8x", 4),
  /** Two bits a value. */
  X16("16x", 2),
  /** One bit a value. */
  X32("32x", 1);

  private final String text;
  private final int bits;

  Compression(String text, int bits) {
    this.text = text;
    this.bits = bits;
  }

  /** The word in a mapping. */
  public String text() {
    return text;
  }

  /** Bits that a value takes. */
  public int bits() {
    return bits;
  }

  /**
   * How many times {@code k} candidates are scored again with the full vectors, where a query does
   * not say.
   */
  public float oversampling(int dimension) {
    boolean isShort = dimension <= SHORT_DIMENSION_MAX;
    return switch (this) {
      case X1, X2, X4 -> 1;
      case X8 -> isShort ? 5 : 2;
      case X16, X32 -> isShort ? 5 : 3;
    };
  }

  /** Up to this dimension compressed vectors tell less apart, and more candidates are looked at. */
  private static final int SHORT_DIMENSION_MAX = 1000;
}
