package dev.weir.search.mapping;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Reading of numbers into the kinds, with their ranges. */
public final class Numbers {

  /** What happens to the fraction of a number that goes into a whole kind. */
  public enum Fractions {
    /** It is cut off. */
    CUT,
    /** The number is refused. */
    REFUSE
  }

  private static final float HALF_FLOAT_MAX = 65504f;
  private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private Numbers() {}

  /**
   * The number in the type that the kind is stored as: Integer for byte, short and integer, Long,
   * Float for half_float and float, or Double.
   *
   * @throws IllegalArgumentException if the text is no number, or out of the kind's range
   */
  public static Number parse(NumericKind kind, String text, Fractions fractions) {
    String trimmed = text.strip();
    return switch (kind) {
      case BYTE, SHORT, INTEGER, LONG -> whole(kind, trimmed, fractions);
      case HALF_FLOAT, FLOAT, DOUBLE -> {
        try {
          yield real(kind, Double.parseDouble(trimmed));
        } catch (NumberFormatException _) {
          throw new NumberFormatException("For input string: \"" + text + "\"");
        }
      }
    };
  }

  /** As {@link #parse}, for a whole number at hand. */
  public static Number of(NumericKind kind, long value) {
    return switch (kind) {
      case BYTE -> inRange(kind, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SHORT -> inRange(kind, value, Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER -> inRange(kind, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case LONG -> value;
      case HALF_FLOAT, FLOAT, DOUBLE -> real(kind, (double) value);
    };
  }

  /** As {@link #parse}, for a number with a fraction at hand. */
  public static Number of(NumericKind kind, double value, Fractions fractions) {
    if (!kind.isWhole()) {
      return real(kind, value);
    }
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("Value [" + value + "] is no whole number");
    }
    double cut = value < 0 ? Math.ceil(value) : Math.floor(value);
    if (cut != value && fractions == Fractions.REFUSE) {
      throw new IllegalArgumentException("Value [" + value + "] has a decimal part");
    }
    if (cut < -0x1p63 || cut >= 0x1p63) {
      throw outOfRange(kind, value);
    }
    return of(kind, (long) cut);
  }

  /** The float that a half-precision number of this value has. */
  public static float roundToHalf(float value) {
    return Float.float16ToFloat(Float.floatToFloat16(value));
  }

  private static Number whole(NumericKind kind, String text, Fractions fractions) {
    try {
      return of(kind, Long.parseLong(text));
    } catch (NumberFormatException _) {
      return wholeOfDecimal(kind, text, fractions);
    }
  }

  private static Number wholeOfDecimal(NumericKind kind, String text, Fractions fractions) {
    double approximation;
    try {
      approximation = Double.parseDouble(text);
    } catch (NumberFormatException _) {
      throw new NumberFormatException("For input string: \"" + text + "\"");
    }
    // A huge exponent is told from the double, before a BigDecimal of as many digits is made.
    if (!(Math.abs(approximation) < 0x1p64)) {
      throw outOfRange(kind, text);
    }
    BigDecimal exact = new BigDecimal(text);
    if (exact.compareTo(LONG_MIN) < 0 || exact.compareTo(LONG_MAX) > 0) {
      throw outOfRange(kind, text);
    }
    BigInteger cut = Math.abs(approximation) < 1 ? BigInteger.ZERO : exact.toBigInteger();
    if (fractions == Fractions.REFUSE && exact.compareTo(new BigDecimal(cut)) != 0) {
      throw new IllegalArgumentException("Value [" + text + "] has a decimal part");
    }
    return of(kind, cut.longValueExact());
  }

  private static Number real(NumericKind kind, double value) {
    return switch (kind) {
      case HALF_FLOAT -> {
        float rounded = roundToHalf((float) value);
        if (!Double.isFinite(value) || Math.abs(rounded) > HALF_FLOAT_MAX) {
          throw finite(kind, value);
        }
        yield rounded;
      }
      case FLOAT -> {
        float rounded = (float) value;
        if (!Float.isFinite(rounded)) {
          throw finite(kind, value);
        }
        yield rounded;
      }
      case DOUBLE -> {
        if (!Double.isFinite(value)) {
          throw finite(kind, value);
        }
        yield value;
      }
      case BYTE, SHORT, INTEGER, LONG -> throw new AssertionError(kind);
    };
  }

  private static Number inRange(NumericKind kind, long value, int min, int max) {
    if (value < min || value > max) {
      throw outOfRange(kind, value);
    }
    return (int) value;
  }

  private static IllegalArgumentException outOfRange(NumericKind kind, Object value) {
    String article = kind == NumericKind.INTEGER ? "an " : "a ";
    return new IllegalArgumentException(
        "Value [" + value + "] is out of range for " + article + kind.typeName());
  }

  private static IllegalArgumentException finite(NumericKind kind, double value) {
    return new IllegalArgumentException(
        "[" + kind.typeName() + "] supports only finite values, but got [" + value + "]");
  }
}
