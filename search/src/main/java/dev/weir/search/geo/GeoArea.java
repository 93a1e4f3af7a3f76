package dev.weir.search.geo;

import java.util.ArrayList;
import java.util.List;

/** A part of the earth's surface. */
public sealed interface GeoArea {

  /**
   * What is not farther from a point than this, along the surface of a sphere.
   *
   * @param meters above 0, finite
   */
  record Circle(GeoPoint center, double meters) implements GeoArea {
    /** Checks the distance. */
    public Circle {
      if (!(meters > 0) || !Double.isFinite(meters)) {
        throw new IllegalArgumentException(
            "[distance] must be above 0 and finite, got [" + meters + "] metres");
      }
    }
  }

  /**
   * What lies between two parallels and two meridians, the borders included. Where {@code left} is
   * east of {@code right} it reaches across the date line.
   */
  record Box(double top, double left, double bottom, double right) implements GeoArea {
    /** Checks the ranges, and that the top is not below the bottom. */
    public Box {
      GeoPoint _ = new GeoPoint(top, left);
      GeoPoint _ = new GeoPoint(bottom, right);
      if (top < bottom) {
        throw new IllegalArgumentException(
            "top is below bottom corner: " + top + " vs. " + bottom + "; exchange them");
      }
    }
  }

  /**
   * What lies within a ring of straight lines between points, in degrees. No line crosses the date
   * line: from 179 to -179 degrees it goes the long way around.
   *
   * @param points the ring; the last is the first again
   */
  record Polygon(List<GeoPoint> points) implements GeoArea {

    /** Most points of a ring; each costs a node of the tree that a shard makes of it. */
    public static final int POINTS_MAX = 10_000;

    private static final int POINTS_MIN = 4; // of a closed ring

    /** Closes the ring. */
    public Polygon {
      if (!points.isEmpty() && !points.getFirst().equals(points.getLast())) {
        List<GeoPoint> closed = new ArrayList<>(points);
        closed.add(points.getFirst());
        points = closed;
      }
      points = List.copyOf(points);
      if (points.size() < POINTS_MIN) {
        throw new IllegalArgumentException(
            "too few points defined for [geo_polygon] query: it needs 3 different ones, got "
                + Math.max(0, points.size() - 1));
      }
      if (points.size() > POINTS_MAX) {
        throw new IllegalArgumentException(
            "[geo_polygon] has " + points.size() + " points, more than " + POINTS_MAX);
      }
    }
  }
}
