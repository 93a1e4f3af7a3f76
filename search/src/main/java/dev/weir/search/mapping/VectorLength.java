package dev.weir.search.mapping;

/**
 * How long a vector may be. Similarities are computed in 32-bit floats: of two vectors whose
 * squared lengths are within the bound the distance is finite in every space. One that overflows
 * would be nearest to everything, with a score that is no number.
 */
public final class VectorLength {
  private static final double SQUARES_MAX = Float.MAX_VALUE / 4;

  private VectorLength() {}

  /**
   * Checks a vector of a document or a query.
   *
   * @throws IllegalArgumentException if it is too long, with a message for the user
   */
  public static void require(float[] vector) {
    double squares = 0;
    for (float element : vector) {
      squares += (double) element * element;
    }
    if (squares > SQUARES_MAX) {
      throw new IllegalArgumentException(
          "the vector is too long for 32-bit floats: its squared length is "
              + squares
              + ", and the most is "
              + SQUARES_MAX
              + "; scale it down");
    }
  }
}
