package dev.weir.search.query;

import dev.weir.search.geo.GeoArea;
import dev.weir.search.geo.GeoPoint;
import java.util.List;

/** The geometry of a sphere, written down from the textbook, so as to judge what is faster. */
public final class Earth {

  /** The mean radius, in metres, as WGS84 gives it. */
  private static final double RADIUS = 6_371_008.7714;

  private Earth() {}

  /** The distance along the sphere, in metres: the haversine formula. */
  public static double meters(GeoPoint one, GeoPoint other) {
    double north = Math.toRadians(other.latitude() - one.latitude());
    double east = Math.toRadians(other.longitude() - one.longitude());
    double half =
        Math.pow(Math.sin(north / 2), 2)
            + Math.cos(Math.toRadians(one.latitude()))
                * Math.cos(Math.toRadians(other.latitude()))
                * Math.pow(Math.sin(east / 2), 2);
    return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(half)));
  }

  /** Whether a place is in an area. */
  public static boolean isIn(GeoArea area, GeoPoint place) {
    return switch (area) {
      case GeoArea.Circle(GeoPoint center, double meters) -> meters(center, place) <= meters;
      case GeoArea.Box(double top, double left, double bottom, double right) -> {
        double east = place.longitude();
        boolean between =
            left <= right ? east >= left && east <= right : east >= left || east <= right;
        yield between && place.latitude() <= top && place.latitude() >= bottom;
      }
      case GeoArea.Polygon(List<GeoPoint> ring) -> {
        boolean inside = false;
        for (int i = 1; i < ring.size(); i++) {
          GeoPoint a = ring.get(i - 1);
          GeoPoint b = ring.get(i);
          boolean straddles = a.latitude() > place.latitude() != b.latitude() > place.latitude();
          double at =
              a.longitude()
                  + (b.longitude() - a.longitude())
                      * (place.latitude() - a.latitude())
                      / (b.latitude() - a.latitude());
          inside ^= straddles && place.longitude() < at;
        }
        yield inside;
      }
    };
  }
}
