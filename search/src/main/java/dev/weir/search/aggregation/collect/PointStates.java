package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.aggregation.result.ValueKind;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.mapping.StoredPoints;
import java.io.IOException;
import java.util.List;

/** Aggregations over places. */
final class PointStates {
  private PointStates() {}

  static State.Source source(Aggregation aggregation, StoredPoints points, Bucket.Maker inner) {
    return switch (aggregation) {
      case Aggregation.GeoDistance distance ->
          () -> new ValueStates.Ranges(distance.ranges(), new Distances(distance, points), inner);
      case Aggregation.GeoBounds _ -> () -> new Bounds(points);
      case Aggregation.Missing _ -> () -> new ValueStates.Missing(points::count, inner.newBucket());
      case Aggregation.Numbers _ ->
          () -> new ValueStates.Count(points::count, new ValueKind.Unmapped());
      default -> throw new AssertionError("no aggregation of places: " + aggregation.type());
    };
  }

  /** How far the places of a document are away, in the unit of the aggregation. */
  private static final class Distances implements ValueStates.Numbers {
    private final Aggregation.GeoDistance distance;
    private final StoredPoints points;
    private double[] meters = {};

    Distances(Aggregation.GeoDistance distance, StoredPoints points) {
      this.distance = distance;
      this.points = points;
    }

    @Override
    public int count(int doc) throws IOException {
      meters = points.metersFrom(doc, List.of(distance.origin()));
      return meters.length;
    }

    @Override
    public double value(int i) {
      return distance.unit().ofMeters(meters[i]);
    }
  }

  private static final class Bounds implements State {
    private final StoredPoints points;
    private Partial.Bounds bounds = Partial.Bounds.NONE;

    Bounds(StoredPoints points) {
      this.points = points;
    }

    @Override
    public void collect(int doc) throws IOException {
      int count = points.count(doc);
      for (int i = 0; i < count; i++) {
        GeoPoint place = points.place(i);
        bounds = bounds.with(place.latitude(), place.longitude());
      }
    }

    @Override
    public Partial part() {
      return bounds;
    }
  }
}
