package dev.weir.search.mapping;

import java.util.Locale;

/** What a vector is made of ({@code data_type}). */
public enum VectorData {
  /** 32-bit floats. */
  FLOAT(1),
  /** Whole numbers from -128 to 127. */
  BYTE(1),
  /** Bits, eight of them packed into a whole number from -128 to 127. */
  BINARY(8);

  private final int dimensionsPerValue;

  VectorData(int dimensionsPerValue) {
    this.dimensionsPerValue = dimensionsPerValue;
  }

  /** The word in a mapping. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How many numbers a document or a query gives for a vector of this dimension. */
  public int values(int dimension) {
    return dimension / dimensionsPerValue;
  }

  /** Dimensions that one number stands for. */
  public int dimensionsPerValue() {
    return dimensionsPerValue;
  }
}
