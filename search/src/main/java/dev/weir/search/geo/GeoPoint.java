package dev.weir.search.geo;

/**
 * A place on earth.
 *
 * @param latitude degrees north, -90 to 90
 * @param longitude degrees east, -180 to 180
 */
public record GeoPoint(double latitude, double longitude) {

  /** Degrees from the equator to a pole. */
  static final double LATITUDE_MAX = 90;

  /** Degrees from the prime meridian to the date line. */
  static final double LONGITUDE_MAX = 180;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if there is no such place
   */
  public GeoPoint {
    if (!(Math.abs(latitude) <= LATITUDE_MAX)) {
      throw new IllegalArgumentException(
          "illegal latitude value [" + latitude + "], expected -90 to 90");
    }
    if (!(Math.abs(longitude) <= LONGITUDE_MAX)) {
      throw new IllegalArgumentException(
          "illegal longitude value [" + longitude + "], expected -180 to 180");
    }
  }

  /** The point as a text that is read back as an equal one: {@code latitude,longitude}. */
  public String text() {
    return latitude + "," + longitude;
  }
}
