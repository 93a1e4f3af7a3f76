package dev.weir.search.aggregation.result;

import dev.weir.search.request.SortValue;
import java.util.List;
import java.util.Map;

/** What one aggregation found in some of the documents: of a segment, a shard, or all shards. */
public sealed interface Partial {
  /**
   * Numbers.
   *
   * @param sum the sum so far
   * @param rest what {@code sum} lacks for want of digits (Kahan)
   * @param min positive infinity without values
   * @param max negative infinity without values
   */
  record Numbers(ValueKind kind, long count, double sum, double rest, double min, double max)
      implements Partial {
    /** No values. */
    public static Numbers none(ValueKind kind) {
      return new Numbers(kind, 0, 0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
    }

    /** Both. */
    Numbers with(Numbers other) {
      double term = other.sum - (rest - other.rest);
      double total = sum + term;
      double lost = Double.isFinite(total) ? (total - sum) - term : 0;
      return new Numbers(
          kind.with(other.kind),
          count + other.count,
          total,
          lost,
          Math.min(min, other.min),
          Math.max(max, other.max));
    }
  }

  /**
   * A box around places: the western and the eastern hemisphere each have one.
   *
   * @param top negative infinity without places
   * @param bottom positive infinity without places
   * @param west without places from positive to negative infinity
   * @param east as {@code west}
   */
  record Bounds(double top, double bottom, Longitudes west, Longitudes east) implements Partial {
    /** No places. */
    public static final Bounds NONE =
        new Bounds(
            Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Longitudes.NONE, Longitudes.NONE);

    /** With one more place. */
    public Bounds with(double latitude, double longitude) {
      Longitudes here = new Longitudes(longitude, longitude);
      return with(
          new Bounds(
              latitude,
              latitude,
              longitude < 0 ? here : Longitudes.NONE,
              longitude < 0 ? Longitudes.NONE : here));
    }

    /** Around both. */
    Bounds with(Bounds other) {
      return new Bounds(
          Math.max(top, other.top),
          Math.min(bottom, other.bottom),
          west.with(other.west),
          east.with(other.east));
    }
  }

  /** A range of degrees east. */
  record Longitudes(double least, double largest) {
    /** No degree. */
    static final Longitudes NONE =
        new Longitudes(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

    boolean isEmpty() {
      return least > largest;
    }

    Longitudes with(Longitudes other) {
      return new Longitudes(Math.min(least, other.least), Math.max(largest, other.largest));
    }
  }

  /** Different values. */
  record Values(Distinct distinct) implements Partial {}

  /**
   * The best documents.
   *
   * @param hits best first
   * @param total how many documents there are
   * @param maxScore NaN where scores were not computed
   */
  record Top(List<TopHit> hits, long total, float maxScore) implements Partial {
    /** Copies the hits. */
    public Top {
      hits = List.copyOf(hits);
    }
  }

  /**
   * A document.
   *
   * @param shard ordinal of its shard
   * @param doc document number within the shard
   * @param score NaN where it was not computed
   * @param sort empty where hits are sorted by score
   */
  record TopHit(int shard, int doc, float score, List<SortValue> sort) {
    /** Copies the values. */
    public TopHit {
      sort = List.copyOf(sort);
    }
  }

  /**
   * Documents in one bucket.
   *
   * @param inner one part of each aggregation inside, in their order
   */
  record Bucket(long docs, List<Partial> inner) implements Partial {
    /** Copies the parts. */
    public Bucket {
      inner = List.copyOf(inner);
    }
  }

  /**
   * Documents in many buckets.
   *
   * @param left documents of buckets that were left out
   * @param leftMax most documents that a bucket that was left out may have had
   */
  record Buckets(ValueKind kind, Map<Key, Bucket> buckets, long left, long leftMax)
      implements Partial {
    /** Copies the buckets. */
    public Buckets {
      buckets = Map.copyOf(buckets);
    }
  }
}
