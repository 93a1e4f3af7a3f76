package dev.weir.search.geo;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Units of distance. */
public enum DistanceUnit {
  MILLIMETERS(0.001, "mm", "millimeters"),
  CENTIMETERS(0.01, "cm", "centimeters"),
  METERS(1, "m", "meters"),
  KILOMETERS(1_000, "km", "kilometers"),
  INCHES(0.0254, "in", "inch"),
  FEET(0.3048, "ft", "feet"),
  YARDS(0.9144, "yd", "yards"),
  MILES(1_609.344, "mi", "miles"),
  NAUTICAL_MILES(1_852, "nmi", "NM", "nauticalmiles");

  private final double meters;

  @SuppressWarnings("ImmutableEnumChecker") // a list of constants
  private final List<String> names;

  DistanceUnit(double meters, String... names) {
    this.meters = meters;
    this.names = List.of(names);
  }

  /** The short name. */
  public String text() {
    return names.getFirst();
  }

  /** So many of this unit, in metres. */
  public double toMeters(double count) {
    return count * meters;
  }

  /** So many metres, in this unit. */
  public double ofMeters(double count) {
    return count / meters;
  }

  /**
   * The unit of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static DistanceUnit of(String name) {
    return Arrays.stream(values())
        .filter(unit -> unit.names.contains(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "No matching unit to [" + name + "]; use one of " + shortNames()));
  }

  /**
   * A distance in metres, finite and not negative.
   *
   * @param text a number, with a unit behind it or without
   * @param unsaid the unit of a number without one
   * @throws IllegalArgumentException if it is no distance
   */
  public static double meters(String name, String text, DistanceUnit unsaid) {
    String stripped = text.strip();
    int end = stripped.length();
    while (end > 0 && isOfUnit(stripped.charAt(end - 1))) {
      end--;
    }
    String unit = stripped.substring(end);
    double count;
    try {
      count = Double.parseDouble(stripped.substring(0, end).strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "["
              + name
              + "] must be a distance such as [12km], with one of the units "
              + shortNames()
              + ", got ["
              + text
              + "]",
          e);
    }
    double meters = (unit.isEmpty() ? unsaid : of(unit)).toMeters(count);
    if (!Double.isFinite(meters) || meters < 0) {
      throw new IllegalArgumentException(
          "[" + name + "] must be a finite distance that is not negative, got [" + text + "]");
    }
    return meters;
  }

  private static boolean isOfUnit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static String shortNames() {
    return Arrays.stream(values())
        .map(DistanceUnit::text)
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
