package dev.weir.search.execute;

import dev.weir.search.geo.DistanceUnit;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.mapping.StoredPoints;
import dev.weir.search.request.SortMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldComparatorSource;
import org.apache.lucene.search.Pruning;

/**
 * Orders documents by the distance of their places from given points. A document without a place is
 * infinitely far away.
 */
final class DistanceOrder extends FieldComparatorSource {
  private final List<GeoPoint> origins;
  private final DistanceUnit unit;
  private final SortMode mode; // which of several distances counts; the sum is none of them

  DistanceOrder(List<GeoPoint> origins, DistanceUnit unit, SortMode mode) {
    this.origins = origins;
    this.unit = unit;
    this.mode = mode;
  }

  @Override
  public FieldComparator<?> newComparator(
      String field, int hits, Pruning pruning, boolean reversed) {
    return CombinedSort.doubles(
        field,
        segment -> new Distances(StoredPoints.of(segment.reader(), field)),
        hits,
        Double.POSITIVE_INFINITY,
        reversed);
  }

  private double one(double[] meters) {
    double chosen =
        switch (mode) {
          case MIN -> Arrays.stream(meters).min().orElse(Double.POSITIVE_INFINITY);
          case MAX -> Arrays.stream(meters).max().orElse(Double.POSITIVE_INFINITY);
          case AVG -> Arrays.stream(meters).average().orElse(Double.POSITIVE_INFINITY);
          case MEDIAN -> median(meters);
          case SUM -> throw new AssertionError("refused before");
        };
    return unit.ofMeters(chosen);
  }

  private static double median(double[] meters) {
    Arrays.sort(meters);
    int half = meters.length / 2;
    return meters.length % 2 == 1 ? meters[half] : (meters[half - 1] + meters[half]) / 2;
  }

  /** The distances, as bits of doubles. */
  private final class Distances extends AskedNumbers {
    private final StoredPoints points;
    private double distance;

    Distances(StoredPoints points) {
      super(/* cost= */ 0);
      this.points = points;
    }

    @Override
    boolean make(int wanted) throws IOException {
      double[] meters = points.metersFrom(wanted, origins);
      if (meters.length == 0) {
        return false;
      }
      distance = one(meters);
      return true;
    }

    @Override
    public long longValue() {
      return Double.doubleToRawLongBits(distance);
    }
  }

  @Override
  public String toString() {
    return "distance from " + origins + " in " + unit + " by " + mode;
  }
}
