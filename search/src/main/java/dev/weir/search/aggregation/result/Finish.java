package dev.weir.search.aggregation.result;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.DateRounding;
import dev.weir.search.geo.GeoArea;
import dev.weir.search.mapping.DateFormat;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the answer of what was found everywhere: orders buckets, cuts, fills gaps. Pure. */
public final class Finish {
  /** More buckets in one answer are refused, as they would fill the memory of both sides. */
  public static final int BUCKETS_MAX = 65_535;

  /** Degrees from the prime meridian to the date line. */
  private static final double HALF_TURN = 180;

  private long made; // buckets of all aggregations of the answer

  private Finish() {}

  /**
   * The answers, in the order of the aggregations.
   *
   * @throws IllegalArgumentException if there is none, as for an order by what is not there; the
   *     message is fit for the user
   */
  public static List<Result.Named> all(List<Aggregation.Named> aggregations, List<Partial> parts) {
    return new Finish().each(aggregations, parts);
  }

  private List<Result.Named> each(List<Aggregation.Named> aggregations, List<Partial> parts) {
    List<Result.Named> results = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      Aggregation.Named named = aggregations.get(i);
      results.add(
          new Result.Named(
              named.name(),
              type(named.aggregation(), parts.get(i)),
              named.meta(),
              one(named.aggregation(), parts.get(i))));
    }
    return results;
  }

  private static String type(Aggregation aggregation, Partial part) {
    if (aggregation instanceof Aggregation.Terms
        && part instanceof Partial.Buckets(ValueKind kind, _, _, _)) {
      return switch (kind) {
        case ValueKind.Text _ -> "sterms";
        case ValueKind.Whole _, ValueKind.Flag _, ValueKind.Date _ -> "lterms";
        case ValueKind.Fraction _ -> "dterms";
        case ValueKind.Unmapped _ -> "umterms";
      };
    }
    return aggregation.type();
  }

  private Result one(Aggregation aggregation, Partial part) {
    return switch (aggregation) {
      case Aggregation.Numbers(Aggregation.Figure figure, _) -> {
        Partial.Numbers numbers = (Partial.Numbers) part;
        yield switch (figure) {
          case MIN, MAX, AVG, SUM ->
              new Result.Value(Figures.of(figure, "", numbers), numbers.kind());
          case VALUE_COUNT -> new Result.Count(numbers.count());
          case STATS -> new Result.Stats(numbers);
        };
      }
      case Aggregation.Cardinality _ ->
          new Result.Count(((Partial.Values) part).distinct().count());
      case Aggregation.GeoBounds bounds ->
          new Result.Bounds(box((Partial.Bounds) part, bounds.dateLine()));
      case Aggregation.TopHits top -> new Result.Hits(top, (Partial.Top) part);
      case Aggregation.Filter _, Aggregation.Missing _, Aggregation.Global _ -> {
        Partial.Bucket bucket = (Partial.Bucket) part;
        yield new Result.Single(bucket.docs(), each(aggregation.inner(), bucket.inner()));
      }
      case Aggregation.Terms terms -> terms(terms, (Partial.Buckets) part);
      case Aggregation.Histogram histogram -> histogram(histogram, (Partial.Buckets) part);
      case Aggregation.DateHistogram dates -> dates(dates, (Partial.Buckets) part);
      case Aggregation.Range range -> range(range, (Partial.Buckets) part);
      case Aggregation.GeoDistance distance -> distances(distance, (Partial.Buckets) part);
      case Aggregation.Filters filters -> filters(filters, (Partial.Buckets) part);
    };
  }

  // -- terms

  private Result terms(Aggregation.Terms terms, Partial.Buckets found) {
    List<Map.Entry<Key, Partial.Bucket>> ordered = new ArrayList<>();
    for (Map.Entry<Key, Partial.Bucket> entry : found.buckets().entrySet()) {
      if (entry.getValue().docs() >= terms.minDocCount()) {
        ordered.add(entry);
      }
    }
    ordered.sort(BucketSort.of(terms.order(), terms.inner()));
    long left = found.left();
    for (Map.Entry<Key, Partial.Bucket> entry :
        ordered.subList(Math.min(terms.size(), ordered.size()), ordered.size())) {
      left += entry.getValue().docs();
    }
    List<Map.Entry<Key, Partial.Bucket>> shown =
        ordered.subList(0, Math.min(terms.size(), ordered.size()));
    return new Result.Many(
        buckets(shown, found.kind(), ZoneOffset.UTC, terms),
        Aggregation.Shape.LISTED,
        new Result.TermsRest(found.leftMax(), left));
  }

  private List<Result.Bucket> buckets(
      List<Map.Entry<Key, Partial.Bucket>> entries,
      ValueKind kind,
      ZoneId zone,
      Aggregation aggregation) {
    requireCount(entries.size(), aggregation);
    made += entries.size();
    List<Result.Bucket> buckets = new ArrayList<>(entries.size());
    for (Map.Entry<Key, Partial.Bucket> entry : entries) {
      buckets.add(
          new Result.Bucket(
              new Result.BucketKey.OfValue(entry.getKey(), text(entry.getKey(), kind, zone)),
              entry.getValue().docs(),
              each(aggregation.inner(), entry.getValue().inner())));
    }
    return buckets;
  }

  private static @Nullable String text(Key key, ValueKind kind, ZoneId zone) {
    return switch (kind) {
      case ValueKind.Flag _ -> key.equals(new Key.Whole(1)) ? "true" : "false";
      case ValueKind.Date(DateFormat format) ->
          key instanceof Key.Whole(long ms) ? format.print(ms, zone) : null;
      case ValueKind.Unmapped _, ValueKind.Text _, ValueKind.Whole _, ValueKind.Fraction _ -> null;
    };
  }

  private void requireCount(long count, Aggregation aggregation) {
    if (made + count > BUCKETS_MAX) {
      throw new IllegalArgumentException(
          "Trying to create too many buckets. Must be less than or equal to: ["
              + BUCKETS_MAX
              + "] but was ["
              + (made + count)
              + "] with those of a ["
              + aggregation.type()
              + "]; ask for larger intervals or a smaller size");
    }
  }

  // -- histograms

  private Result histogram(Aggregation.Histogram histogram, Partial.Buckets found) {
    NavigableMap<Key, Partial.Bucket> buckets = new TreeMap<>(found.buckets());
    if (!buckets.isEmpty()) {
      HistogramSteps.requireFinite(histogram, number(buckets.firstKey()));
      HistogramSteps.requireFinite(histogram, number(buckets.lastKey()));
    }
    if (histogram.gaps().minDocCount() == 0) {
      fill(histogram, buckets);
    }
    return histogram(
        histogram, histogram.gaps(), buckets, new Shown(new ValueKind.Fraction(), ZoneOffset.UTC));
  }

  /** How keys are shown. */
  private record Shown(ValueKind kind, ZoneId zone) {}

  private Result histogram(
      Aggregation aggregation,
      Aggregation.Gaps gaps,
      NavigableMap<Key, Partial.Bucket> buckets,
      Shown shown) {
    List<Map.Entry<Key, Partial.Bucket>> ordered = new ArrayList<>();
    for (Map.Entry<Key, Partial.Bucket> entry : buckets.entrySet()) {
      if (entry.getValue().docs() >= gaps.minDocCount()) {
        ordered.add(entry);
      }
    }
    ordered.sort(BucketSort.of(gaps.order(), aggregation.inner()));
    return new Result.Many(
        buckets(ordered, shown.kind(), shown.zone(), aggregation), gaps.shape(), null);
  }

  private void fill(Aggregation.Histogram histogram, NavigableMap<Key, Partial.Bucket> buckets) {
    double first = Double.POSITIVE_INFINITY;
    double last = Double.NEGATIVE_INFINITY;
    if (!buckets.isEmpty()) {
      first = HistogramSteps.numberOfKey(histogram, number(buckets.firstKey()));
      last = HistogramSteps.numberOfKey(histogram, number(buckets.lastKey()));
    }
    Aggregation.NumberRange extended = histogram.extended();
    if (extended != null) {
      if (Double.isFinite(extended.from())) {
        first = Math.min(first, HistogramSteps.number(histogram, extended.from()));
      }
      if (Double.isFinite(extended.to())) {
        last = Math.max(last, HistogramSteps.number(histogram, extended.to()));
      }
    }
    if (first > last) {
      return; // nothing was found, and the bounds name one end at most
    }
    HistogramSteps.requireFinite(histogram, first);
    HistogramSteps.requireFinite(histogram, last);
    double steps = last - first;
    requireCount((long) Math.min(steps + 1, Integer.MAX_VALUE), histogram);
    HistogramSteps.requireDistinct(histogram, first, last);
    // Counted by a whole number: a double that has no room for one more would stand still.
    for (int i = 0; i <= steps; i++) {
      buckets.computeIfAbsent(
          HistogramSteps.key(histogram, first + i), _ -> Empty.bucket(histogram.inner()));
    }
  }

  private static double number(Key key) {
    return switch (key) {
      case Key.Fraction(double value) -> value;
      case Key.Whole(long value) -> value;
      case Key.Term _ -> throw new AssertionError("histogram of terms: " + key);
    };
  }

  private Result dates(Aggregation.DateHistogram dates, Partial.Buckets found) {
    NavigableMap<Key, Partial.Bucket> buckets = new TreeMap<>(found.buckets());
    DateRounding rounding = dates.rounding();
    if (dates.gaps().minDocCount() == 0) {
      Long first = buckets.isEmpty() ? null : (Long) whole(buckets.firstKey());
      Long last = buckets.isEmpty() ? null : (Long) whole(buckets.lastKey());
      Aggregation.DateRange extended = dates.extended();
      if (extended != null && found.kind() instanceof ValueKind.Date(DateFormat format)) {
        first = least(first, bound(extended.from(), format, rounding));
        last = largest(last, bound(extended.to(), format, rounding));
      }
      if (first != null && last != null) {
        fill(dates, buckets, first, last);
      }
    }
    ValueKind kind =
        found.kind() instanceof ValueKind.Date date ? date : new ValueKind.Date(DateFormat.DEFAULT);
    return histogram(dates, dates.gaps(), buckets, new Shown(kind, rounding.zone()));
  }

  private void fill(
      Aggregation.DateHistogram dates,
      NavigableMap<Key, Partial.Bucket> buckets,
      long first,
      long last) {
    int count = 0;
    long start = first;
    while (start <= last) {
      requireCount(++count, dates);
      buckets.computeIfAbsent(new Key.Whole(start), _ -> Empty.bucket(dates.inner()));
      long next = dates.rounding().next(start);
      if (next <= start) {
        return; // that was the last instant there is
      }
      start = next;
    }
  }

  private static @Nullable Long bound(
      @Nullable String text, DateFormat format, DateRounding rounding) {
    return text == null
        ? null
        : (Long) rounding.floor(format.parse(text, rounding.zone(), DateFormat.Rounding.DOWN));
  }

  private static @Nullable Long least(@Nullable Long one, @Nullable Long other) {
    return one == null ? other : other == null ? one : (Long) Math.min(one, other);
  }

  private static @Nullable Long largest(@Nullable Long one, @Nullable Long other) {
    return one == null ? other : other == null ? one : (Long) Math.max(one, other);
  }

  private static long whole(Key key) {
    return key instanceof Key.Whole(long value) ? value : Math.round(number(key));
  }

  // -- fixed buckets

  private Result range(Aggregation.Range range, Partial.Buckets found) {
    List<Result.Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < range.ranges().size(); i++) {
      Aggregation.NumberRange one = range.ranges().get(i);
      String name = one.key() == null ? end(one.from()) + "-" + end(one.to()) : one.key();
      buckets.add(fixed(new Result.BucketKey.OfRange(name, one.from(), one.to()), i, range, found));
    }
    return new Result.Many(buckets, range.shape(), null);
  }

  private Result distances(Aggregation.GeoDistance distance, Partial.Buckets found) {
    List<Result.Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < distance.ranges().size(); i++) {
      Aggregation.NumberRange one = distance.ranges().get(i);
      String name = one.key() == null ? end(one.from()) + "-" + end(one.to()) : one.key();
      double from = Math.max(0, one.from()); // no distance is below
      buckets.add(fixed(new Result.BucketKey.OfRange(name, from, one.to()), i, distance, found));
    }
    return new Result.Many(buckets, distance.shape(), null);
  }

  private static GeoArea.@Nullable Box box(Partial.Bounds bounds, Aggregation.DateLine dateLine) {
    Partial.Longitudes west = bounds.west();
    Partial.Longitudes east = bounds.east();
    if (west.isEmpty() && east.isEmpty()) {
      return null;
    }
    double plain = east.largest() - west.least();
    double across = 2 * HALF_TURN - east.least() + west.largest();
    boolean crosses =
        dateLine == Aggregation.DateLine.CROSSED
            && !west.isEmpty()
            && !east.isEmpty()
            && across < plain;
    return crosses
        ? new GeoArea.Box(bounds.top(), east.least(), bounds.bottom(), west.largest())
        : new GeoArea.Box(
            bounds.top(),
            Math.min(west.least(), east.least()),
            bounds.bottom(),
            Math.max(west.largest(), east.largest()));
  }

  private static String end(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "*";
  }

  private Result filters(Aggregation.Filters filters, Partial.Buckets found) {
    List<Result.Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < filters.filters().size(); i++) {
      buckets.add(
          fixed(new Result.BucketKey.OfFilter(filters.filters().get(i).key()), i, filters, found));
    }
    String other = filters.otherKey();
    if (other != null) {
      buckets.add(
          fixed(new Result.BucketKey.OfFilter(other), filters.filters().size(), filters, found));
    }
    return new Result.Many(buckets, filters.shape(), null);
  }

  private Result.Bucket fixed(
      Result.BucketKey key, int number, Aggregation aggregation, Partial.Buckets found) {
    requireCount(1, aggregation);
    made++;
    Partial.@Nullable Bucket known = found.buckets().get(new Key.Whole(number));
    Partial.Bucket bucket = known == null ? Empty.bucket(aggregation.inner()) : known;
    return new Result.Bucket(key, bucket.docs(), each(aggregation.inner(), bucket.inner()));
  }
}
