package dev.weir.search.aggregation.result;

import dev.weir.search.aggregation.Aggregation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What aggregations find where there are no documents. */
public final class Empty {
  private static final ValueKind UNMAPPED = new ValueKind.Unmapped();

  private Empty() {}

  /** A part of each. */
  public static List<Partial> all(List<Aggregation.Named> aggregations) {
    List<Partial> parts = new ArrayList<>(aggregations.size());
    aggregations.forEach(named -> parts.add(one(named.aggregation())));
    return parts;
  }

  static Partial.Bucket bucket(List<Aggregation.Named> inner) {
    return new Partial.Bucket(0, all(inner));
  }

  private static Partial one(Aggregation aggregation) {
    return switch (aggregation) {
      case Aggregation.Numbers _ -> Partial.Numbers.none(UNMAPPED);
      case Aggregation.Cardinality(_, int exactMax) ->
          new Partial.Values(Distinct.of(exactMax, List.of()));
      case Aggregation.GeoBounds _ -> Partial.Bounds.NONE;
      case Aggregation.TopHits _ -> new Partial.Top(List.of(), 0, Float.NaN);
      case Aggregation.Filter _, Aggregation.Missing _, Aggregation.Global _ ->
          bucket(aggregation.inner());
      case Aggregation.Terms _,
          Aggregation.Histogram _,
          Aggregation.DateHistogram _,
          Aggregation.Range _,
          Aggregation.GeoDistance _,
          Aggregation.Filters _ ->
          new Partial.Buckets(UNMAPPED, Map.of(), 0, 0);
    };
  }
}
