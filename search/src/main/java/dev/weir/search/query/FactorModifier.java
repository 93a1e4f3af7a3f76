package dev.weir.search.query;

/** What {@code field_value_factor} does to the number, after its factor. */
public enum FactorModifier {
  /** Nothing. */
  NONE,
  /** Logarithm to base 10. */
  LOG,
  /** The same of the number plus 1. */
  LOG1P,
  /** The same of the number plus 2. */
  LOG2P,
  /** Natural logarithm. */
  LN,
  /** The same of the number plus 1. */
  LN1P,
  /** The same of the number plus 2. */
  LN2P,
  /** The number times itself. */
  SQUARE,
  /** Square root. */
  SQRT,
  /** 1 divided by the number. */
  RECIPROCAL;

  /** The changed number; may be negative, infinite or no number at all. */
  public double of(double number) {
    return switch (this) {
      case NONE -> number;
      case LOG -> Math.log10(number);
      case LOG1P -> Math.log10(number + 1);
      case LOG2P -> Math.log10(number + 2);
      case LN -> Math.log(number);
      case LN1P -> Math.log1p(number);
      case LN2P -> Math.log(number + 2);
      case SQUARE -> number * number;
      case SQRT -> Math.sqrt(number);
      case RECIPROCAL -> 1 / number;
    };
  }
}
