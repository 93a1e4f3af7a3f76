package dev.weir.search.mapping;

/**
 * How long a vector may be, and how short. Similarities are computed in 32-bit floats: of two
 * vectors whose squared lengths are within the bound the distance is finite in every space. One
 * that overflows would be nearest to everything, with a score that is no number.
 */
public final class VectorLength {
  private static final double SQUARES_MAX = Float.MAX_VALUE / 4;

  private VectorLength() {}

  /**
   * Checks a vector of a document or a query.
   *
   * @throws IllegalArgumentException if it is too long, or has no direction where the space needs
   *     one, with a message for the user
   */
  public static void require(float[] vector, SpaceType space) {
    double squares = 0;
    float squaresOfSimilarity = 0; // in its arithmetic: they may vanish before the parts do
    for (float element : vector) {
      squares += (double) element * element;
      squaresOfSimilarity += element * element;
    }
    if (squares > SQUARES_MAX) {
      throw new IllegalArgumentException(
          "the vector is too long for 32-bit floats: its squared length is "
              + squares
              + ", and the most is "
              + SQUARES_MAX
              + "; scale it down");
    }
    if (space == SpaceType.COSINE && squaresOfSimilarity == 0) {
      throw noDirection();
    }
  }

  /**
   * What to add to the refusal of a vector of another length: dimensions of a binary field are
   * bits, and its vectors hold bytes. Empty for other fields.
   */
  public static String ofBits(FieldType.KnnVector type) {
    return type.data() == VectorData.BINARY
        ? "; the "
            + type.dimension()
            + " dimensions of data type [binary] are bits, eight in each of "
            + type.values()
            + " bytes from -128 to 127"
        : "";
  }

  static IllegalArgumentException noDirection() {
    return new IllegalArgumentException(
        "zero vector is not supported when space type is [cosinesimil]");
  }
}
