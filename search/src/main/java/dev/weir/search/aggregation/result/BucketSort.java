package dev.weir.search.aggregation.result;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.BucketOrder;
import dev.weir.search.request.SortOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The order of buckets. */
final class BucketSort {
  private BucketSort() {}

  /**
   * A total order.
   *
   * @param inner aggregations inside the buckets, which a path begins at
   * @throws IllegalArgumentException if a path leads nowhere; the message is fit for the user
   */
  static Comparator<Map.Entry<Key, Partial.Bucket>> of(
      List<BucketOrder> orders, List<Aggregation.Named> inner) {
    Comparator<Map.Entry<Key, Partial.Bucket>> all = null;
    for (BucketOrder order : orders) {
      Comparator<Map.Entry<Key, Partial.Bucket>> next = of(order, inner);
      all = all == null ? next : all.thenComparing(next);
    }
    return all == null ? Map.Entry.comparingByKey() : all.thenComparing(Map.Entry.comparingByKey());
  }

  private static Comparator<Map.Entry<Key, Partial.Bucket>> of(
      BucketOrder order, List<Aggregation.Named> inner) {
    Comparator<Map.Entry<Key, Partial.Bucket>> ascending =
        switch (order) {
          case BucketOrder.ByCount _ -> Comparator.comparingLong(entry -> entry.getValue().docs());
          case BucketOrder.ByKey _ -> Map.Entry.comparingByKey();
          case BucketOrder.ByMetric by -> {
            requirePath(by, inner);
            boolean isDescending = by.order() == SortOrder.DESCENDING;
            // A bucket without a value comes last either way.
            double missing = isDescending ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            yield Comparator.comparingDouble(
                entry -> {
                  double value = value(by, 0, entry.getValue(), inner);
                  return Double.isNaN(value) ? missing : value;
                });
          }
        };
    return order.order() == SortOrder.DESCENDING ? ascending.reversed() : ascending;
  }

  private static void requirePath(BucketOrder.ByMetric by, List<Aggregation.Named> inner) {
    List<Aggregation.Named> level = inner;
    for (int i = 0; i < by.path().size(); i++) {
      Aggregation found = find(by.path().get(i), level);
      if (found == null) {
        throw refusal(by, "there is no aggregation [" + by.path().get(i) + "]");
      }
      boolean isLast = i == by.path().size() - 1;
      switch (found) {
        case Aggregation.Numbers _, Aggregation.Cardinality _ -> {
          if (!isLast) {
            throw refusal(by, "[" + by.path().get(i) + "] has nothing inside");
          }
        }
        case Aggregation.Filter _, Aggregation.Missing _ -> {
          if (isLast && !by.figure().isEmpty() && !by.figure().equals("_count")) {
            throw refusal(by, "[" + by.path().get(i) + "] has no number but its [_count]");
          }
        }
        default ->
            throw refusal(by, "[" + by.path().get(i) + "] is neither one bucket nor a number");
      }
      if (isLast && found instanceof Aggregation.Numbers numbers) {
        requireFigure(by, numbers);
      }
      level = found.inner();
    }
  }

  private static void requireFigure(BucketOrder.ByMetric by, Aggregation.Numbers numbers) {
    boolean isStats = numbers.figure() == Aggregation.Figure.STATS;
    List<String> figures =
        isStats ? List.of("min", "max", "avg", "sum", "count") : List.of("", "value");
    if (!figures.contains(by.figure())) {
      throw refusal(by, "the number must be one of " + figures);
    }
  }

  private static double value(
      BucketOrder.ByMetric by, int step, Partial.Bucket bucket, List<Aggregation.Named> inner) {
    String name = by.path().get(step);
    for (int i = 0; i < inner.size(); i++) {
      if (!inner.get(i).name().equals(name)) {
        continue;
      }
      Aggregation aggregation = inner.get(i).aggregation();
      return switch (bucket.inner().get(i)) {
        case Partial.Numbers numbers ->
            Figures.of(((Aggregation.Numbers) aggregation).figure(), by.figure(), numbers);
        case Partial.Values(Distinct distinct) -> distinct.count();
        case Partial.Bucket one ->
            step == by.path().size() - 1
                ? one.docs()
                : value(by, step + 1, one, aggregation.inner());
        case Partial.Top _, Partial.Bounds _, Partial.Buckets _ ->
            throw refusal(by, "it is no number");
      };
    }
    throw refusal(by, "there is no aggregation [" + name + "]");
  }

  private static @org.jspecify.annotations.Nullable Aggregation find(
      String name, List<Aggregation.Named> level) {
    for (Aggregation.Named named : level) {
      if (named.name().equals(name)) {
        return named.aggregation();
      }
    }
    return null;
  }

  private static IllegalArgumentException refusal(BucketOrder.ByMetric by, String reason) {
    return new IllegalArgumentException(
        "Invalid aggregation order path ["
            + String.join(">", by.path())
            + (by.figure().isEmpty() ? "" : "." + by.figure())
            + "]: "
            + reason);
  }
}
