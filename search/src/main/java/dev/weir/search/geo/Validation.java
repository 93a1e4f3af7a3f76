package dev.weir.search.geo;

import java.util.Locale;

/** What becomes of a point of a request that is out of range ({@code validation_method}). */
public enum Validation {
  /** It is refused. */
  STRICT,
  /** It stands for the place that is reached by going on around the earth. */
  COERCE;

  /**
   * The method of a name. {@code ignore_malformed} is {@link #COERCE}: there is nothing else that a
   * query without a place could mean.
   *
   * @throws IllegalArgumentException if there is no such method
   */
  public static Validation of(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "strict" -> STRICT;
      case "coerce", "ignore_malformed" -> COERCE;
      default ->
          throw new IllegalArgumentException(
              "[validation_method] must be one of [strict, coerce, ignore_malformed], got ["
                  + name
                  + "]");
    };
  }

  /**
   * The place.
   *
   * @throws IllegalArgumentException if this method refuses it
   */
  public GeoPoint place(RawPoint point) {
    return switch (this) {
      case STRICT -> point.strict();
      case COERCE -> point.coerced();
    };
  }
}
