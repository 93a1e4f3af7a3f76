package dev.weir.search.geo;

import java.util.Locale;

/** The names of ways to measure a distance; whichever is asked for, it is along the sphere. */
public final class DistanceType {

  private DistanceType() {}

  /**
   * Checks a name.
   *
   * @throws IllegalArgumentException if there is no such way
   */
  public static void require(String name) {
    switch (name.toLowerCase(Locale.ROOT)) {
      case "arc", "plane" -> {}
      default ->
          throw new IllegalArgumentException(
              "[distance_type] must be [arc] or [plane], got [" + name + "]");
    }
  }
}
