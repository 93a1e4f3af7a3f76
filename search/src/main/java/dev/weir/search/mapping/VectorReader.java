package dev.weir.search.mapping;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads the value of a vector field. */
final class VectorReader {

  private VectorReader() {}

  /**
   * The vector at the parser's token; the parser is left at the value's last token.
   *
   * @throws IllegalArgumentException if it is no array of as many finite numbers as the field has
   *     dimensions, or has no direction where the space needs one
   */
  static float[] read(FieldType.KnnVector type, String path, JsonParser in) {
    float[] vector = new float[type.dimension()];
    int count = 0;
    if (in.currentToken() == JsonToken.START_ARRAY) {
      while (in.nextToken() != JsonToken.END_ARRAY) {
        float element = element(path, in);
        if (count < vector.length) {
          vector[count] = element;
        }
        count++;
      }
    } else {
      vector[0] = element(path, in);
      count = 1;
    }
    if (count != vector.length) {
      throw new IllegalArgumentException(
          "Vector dimension mismatch. Expected: " + vector.length + ", Given: " + count);
    }
    if (type.space() == SpaceType.COSINE && isZero(vector)) {
      throw new IllegalArgumentException(
          "zero vector is not supported when space type is [cosinesimil]");
    }
    return vector;
  }

  private static float element(String path, JsonParser in) {
    float element =
        switch (in.currentToken()) {
          case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getFloatValue();
          case VALUE_STRING -> Float.parseFloat(in.getString());
          default ->
              throw new IllegalArgumentException(
                  "vector field [" + path + "] takes numbers only, but found " + in.currentToken());
        };
    if (!Float.isFinite(element)) {
      throw new IllegalArgumentException(
          "vector field ["
              + path
              + "] takes finite 32-bit floats only, but found ["
              + in.getString()
              + "]");
    }
    return element;
  }

  /**
   * Zero in the arithmetic of the similarity: the sum of squares may vanish before the parts do.
   */
  private static boolean isZero(float[] vector) {
    float squares = 0;
    for (float element : vector) {
      squares += element * element;
    }
    return squares == 0;
  }
}
