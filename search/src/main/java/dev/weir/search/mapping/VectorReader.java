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

  /** So much of a text is told that is no vector. */
  private static final int SHOWN_CHARS_MAX = 40;

  private VectorReader() {}

  /** What Base64 text holds. */
  private enum Packing {
    FLOATS(Float.BYTES, "little-endian 32-bit floats"),
    BYTES(Byte.BYTES, "bytes");

    private final int elementBytes;
    private final String text;

    Packing(int elementBytes, String text) {
      this.elementBytes = elementBytes;
      this.text = text;
    }
  }

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
    byte[] packed = packed(path, vector.length, Packing.FLOATS, in);
    if (packed == null) {
      each(type, in, place -> vector[place] = element(path, in));
    } else {
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
    byte[] packed = packed(path, vector.length, Packing.BYTES, in);
    if (packed == null) {
      each(type, in, place -> vector[place] = whole(path, element(path, in)));
    } else {
      System.arraycopy(packed, 0, vector, 0, vector.length);
    }
    if (type.space() == SpaceType.COSINE && isZero(vector)) {
      throw VectorLength.noDirection();
    }
    return vector;
  }

  private static void each(FieldType.KnnVector type, JsonParser in, Sink sink) {
    int length = type.values();
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
    if (count != length) {
      throw new IllegalArgumentException(
          "Vector dimension mismatch. Expected: "
              + length
              + ", Given: "
              + count
              + VectorLength.ofBits(type));
    }
  }

  /** The bytes of a text that is no number, as many as they are to be; null for another value. */
  private static byte @Nullable [] packed(String path, int length, Packing packing, JsonParser in) {
    if (in.currentToken() != JsonToken.VALUE_STRING) {
      return null;
    }
    String text = in.getString();
    try {
      Float.parseFloat(text);
      return null;
    } catch (NumberFormatException _) {
      // it is Base64 then, or nothing that is known
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException _) {
      throw new NumberFormatException(
          "vector field ["
              + path
              + "] takes an array of "
              + length
              + " numbers, or the Base64 of "
              + length
              + " "
              + packing.text
              + "; the text ["
              + (text.length() > SHOWN_CHARS_MAX
                  ? text.substring(0, SHOWN_CHARS_MAX) + "..."
                  : text)
              + "] is neither");
    }
    if (bytes.length != length * packing.elementBytes) {
      throw new IllegalArgumentException(
          "Vector dimension mismatch. Expected: "
              + length
              + ", Given: Base64 of "
              + bytes.length
              + " bytes; vector field ["
              + path
              + "] takes that of "
              + length
              + " "
              + packing.text);
    }
    return bytes;
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
