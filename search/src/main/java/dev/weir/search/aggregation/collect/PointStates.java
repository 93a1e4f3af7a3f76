package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.result.Key;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.aggregation.result.ValueKind;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.mapping.StoredPoints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Aggregations over places. */
final class PointStates {
  private PointStates() {}

  static State.Source source(Aggregation aggregation, StoredPoints points, Bucket.Maker inner) {
    return switch (aggregation) {
      case Aggregation.GeoDistance distance -> () -> new Distances(distance, points, inner);
      case Aggregation.GeoBounds _ -> () -> new Bounds(points);
      case Aggregation.Missing _ -> () -> new MissingPlaces(points, inner.newBucket());
      case Aggregation.Numbers _ -> () -> new Count(points);
      default -> throw new AssertionError("no aggregation of places: " + aggregation.type());
    };
  }

  private static final class Distances implements State {
    private final Aggregation.GeoDistance distance;
    private final StoredPoints points;
    private final List<Bucket> buckets = new ArrayList<>();

    Distances(Aggregation.GeoDistance distance, StoredPoints points, Bucket.Maker inner)
        throws IOException {
      this.distance = distance;
      this.points = points;
      for (int i = 0; i < distance.ranges().size(); i++) {
        buckets.add(inner.newBucket());
      }
    }

    @Override
    public void collect(int doc) throws IOException {
      double[] meters = points.metersFrom(doc, List.of(distance.origin()));
      for (int r = 0; r < buckets.size(); r++) {
        Aggregation.NumberRange range = distance.ranges().get(r);
        for (double each : meters) {
          double away = distance.unit().ofMeters(each);
          if (away >= range.from() && away < range.to()) {
            buckets.get(r).collect(doc);
            break;
          }
        }
      }
    }

    @Override
    public Partial part() throws IOException {
      Map<Key, Partial.Bucket> parts = new HashMap<>();
      for (int i = 0; i < buckets.size(); i++) {
        parts.put(new Key.Whole(i), buckets.get(i).part());
      }
      return new Partial.Buckets(new ValueKind.Unmapped(), parts, 0, 0);
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

  private record MissingPlaces(StoredPoints points, Bucket bucket) implements State {
    @Override
    public void collect(int doc) throws IOException {
      if (points.count(doc) == 0) {
        bucket.collect(doc);
      }
    }

    @Override
    public Partial part() throws IOException {
      return bucket.part();
    }
  }

  private static final class Count implements State {
    private final StoredPoints points;
    private long count;

    Count(StoredPoints points) {
      this.points = points;
    }

    @Override
    public void collect(int doc) throws IOException {
      count += points.count(doc);
    }

    @Override
    public Partial part() {
      return new Partial.Numbers(new ValueKind.Unmapped(), count, 0, 0, 0, 0);
    }
  }
}
