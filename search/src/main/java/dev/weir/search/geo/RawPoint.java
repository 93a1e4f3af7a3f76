package dev.weir.search.geo;

/** Two numbers that were given for a place; there may be no such place. */
public record RawPoint(double latitude, double longitude) {

  private static final double TURN = 360;

  /**
   * The place.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public GeoPoint strict() {
    return new GeoPoint(latitude, longitude);
  }

  /**
   * The place that is reached by going on around the earth: past a pole down its other side, past
   * the date line into the other hemisphere.
   *
   * @throws IllegalArgumentException if a number is not finite
   */
  public GeoPoint coerced() {
    boolean inRange =
        Math.abs(latitude) <= GeoPoint.LATITUDE_MAX
            && Math.abs(longitude) <= GeoPoint.LONGITUDE_MAX;
    if (inRange || !Double.isFinite(latitude) || !Double.isFinite(longitude)) {
      return strict();
    }
    double north = centred(latitude);
    double east = longitude;
    if (Math.abs(north) > GeoPoint.LATITUDE_MAX) {
      north = Math.copySign(GeoPoint.LONGITUDE_MAX, north) - north;
      east = centred(longitude) + GeoPoint.LONGITUDE_MAX;
    }
    return new GeoPoint(north, centred(east));
  }

  /** The angle from above -180 up to 180. */
  private static double centred(double degrees) {
    double rest = degrees % TURN;
    if (rest > GeoPoint.LONGITUDE_MAX) {
      return rest - TURN;
    }
    return rest <= -GeoPoint.LONGITUDE_MAX ? rest + TURN : rest;
  }
}
