package dev.weir.search.mapping;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the value of a vector field: an array of numbers, one number for a vector of one, or Base64
 * of little-endian floats or of bytes.
 */
final class VectorReader {

  private VectorReader() {}

  /** Takes the numbers of a vector, by their place; places past the end are only counted. */
  @FunctionalInterface
  private interface Sink {
    void put(int place);
  }

  /**
   * The vector of floats at the parser's token; the parser is left at the value's last token.
   *
   * @throws IllegalArgumentException if it is no array of as many finite numbers as the field has
   *     dimensions, or has no direction where the space needs one
   */
  static float[] floats(FieldType.KnnVector type, String path, JsonParser in) {
    float[] vector = new float[type.values()];
    byte[] packed = packed(in);
    if (packed == null) {
      each(vector.length, in, place -> vector[place] = element(path, in));
    } else {
      requireLength(vector.length, packed.length / Float.BYTES, packed.length % Float.BYTES == 0);
      ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(vector);
      for (float element : vector) {
        requireFinite(path, element);
      }
    }
    VectorLength.require(vector, type.space());
    return vector;
  }

  /**
   * The vector of whole numbers, or of packed bits, at the parser's token; the parser is left at
   * the value's last token.
   *
   * @throws IllegalArgumentException if it is no array of as many numbers from -128 to 127 as the
   *     field has values, or has no direction where the space needs one
   */
  static byte[] bytes(FieldType.KnnVector type, String path, JsonParser in) {
    byte[] vector = new byte[type.values()];
    byte[] packed = packed(in);
    if (packed == null) {
      each(vector.length, in, place -> vector[place] = whole(path, element(path, in)));
    } else {
      requireLength(vector.length, packed.length, /* isWhole= */ true);
      System.arraycopy(packed, 0, vector, 0, vector.length);
    }
    if (type.space() == SpaceType.COSINE && isZero(vector)) {
      throw VectorLength.noDirection();
    }
    return vector;
  }

  private static void each(int length, JsonParser in, Sink sink) {
    int count = 0;
    if (in.currentToken() == JsonToken.START_ARRAY) {
      while (in.nextToken() != JsonToken.END_ARRAY) {
        if (count < length) {
          sink.put(count);
        } else {
          in.skipChildren();
        }
        count++;
      }
    } else {
      sink.put(0);
      count = 1;
    }
    requireLength(length, count, /* isWhole= */ true);
  }

  /** The bytes of a text that is no number; null for any other value. */
  private static byte @Nullable [] packed(JsonParser in) {
    if (in.currentToken() != JsonToken.VALUE_STRING) {
      return null;
    }
    String text = in.getString();
    try {
      Float.parseFloat(text);
      return null;
    } catch (NumberFormatException _) {
      return decoded(text);
    }
  }

  private static byte @Nullable [] decoded(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException _) {
      return null; // then it is told that it is no number
    }
  }

  private static void requireLength(int expected, int given, boolean isWhole) {
    if (given != expected || !isWhole) {
      throw new IllegalArgumentException(
          "Vector dimension mismatch. Expected: " + expected + ", Given: " + given);
    }
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
    requireFinite(path, element);
    return element;
  }

  private static void requireFinite(String path, float element) {
    if (!Float.isFinite(element)) {
      throw new IllegalArgumentException(
          "vector field ["
              + path
              + "] takes finite 32-bit floats only, but found ["
              + element
              + "]");
    }
  }

  private static byte whole(String path, float element) {
    byte value = (byte) element;
    if (value != element) {
      throw new IllegalArgumentException(
          "vector field ["
              + path
              + "] takes whole numbers from -128 to 127, but found ["
              + element
              + "]");
    }
    return value;
  }

  private static boolean isZero(byte[] vector) {
    for (byte element : vector) {
      if (element != 0) {
        return false;
      }
    }
    return true;
  }
}
