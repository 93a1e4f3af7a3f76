package dev.weir.search.aggregation.result;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.BucketOrder;
import dev.weir.search.request.SortValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes one part of two. Pure; the order of the parts decides nothing but the last digit of sums.
 */
public final class Merge {
  private Merge() {}

  /**
   * Merges what each aggregation found.
   *
   * @param parts one list for each place that was searched, in a fixed order; each with one part of
   *     each aggregation; not empty
   * @throws IllegalArgumentException if a field holds text in one index and numbers in another
   */
  public static List<Partial> all(List<Aggregation.Named> aggregations, List<List<Partial>> parts) {
    List<Partial> merged = parts.getFirst();
    for (List<Partial> more : parts.subList(1, parts.size())) {
      merged = both(aggregations, merged, more);
    }
    return merged;
  }

  private static List<Partial> both(
      List<Aggregation.Named> aggregations, List<Partial> one, List<Partial> other) {
    List<Partial> merged = new ArrayList<>(aggregations.size());
    for (int i = 0; i < aggregations.size(); i++) {
      merged.add(both(aggregations.get(i).aggregation(), one.get(i), other.get(i)));
    }
    return merged;
  }

  private static Partial both(Aggregation aggregation, Partial one, Partial other) {
    return switch (one) {
      case Partial.Numbers numbers -> numbers.with((Partial.Numbers) other);
      case Partial.Bounds bounds -> bounds.with((Partial.Bounds) other);
      case Partial.Values(Distinct distinct) ->
          new Partial.Values(distinct.with(((Partial.Values) other).distinct()));
      case Partial.Top top -> top((Aggregation.TopHits) aggregation, top, (Partial.Top) other);
      case Partial.Bucket bucket -> bucket(aggregation, bucket, (Partial.Bucket) other);
      case Partial.Buckets buckets -> buckets(aggregation, buckets, (Partial.Buckets) other);
    };
  }

  private static Partial.Bucket bucket(
      Aggregation aggregation, Partial.Bucket one, Partial.Bucket other) {
    return new Partial.Bucket(
        one.docs() + other.docs(), both(aggregation.inner(), one.inner(), other.inner()));
  }

  private static Partial.Buckets buckets(
      Aggregation aggregation, Partial.Buckets one, Partial.Buckets other) {
    ValueKind kind = one.kind().with(other.kind());
    Map<Key, Partial.Bucket> merged = new HashMap<>();
    for (Partial.Buckets each : List.of(one, other)) {
      each.buckets()
          .forEach(
              (key, bucket) ->
                  merged.merge(of(kind, key), bucket, (a, b) -> bucket(aggregation, a, b)));
    }
    return new Partial.Buckets(
        kind, merged, one.left() + other.left(), one.leftMax() + other.leftMax());
  }

  /** A whole number is one bucket with the same number of another index that has fractions. */
  private static Key of(ValueKind kind, Key key) {
    return switch (kind) {
      case ValueKind.Fraction _ ->
          key instanceof Key.Whole(long value) ? new Key.Fraction(value) : requireNumber(key);
      case ValueKind.Text _ -> {
        if (!(key instanceof Key.Term)) {
          throw new IllegalArgumentException(
              "a field holds text in one index and numbers in another, key=" + key);
        }
        yield key;
      }
      case ValueKind.Whole _, ValueKind.Flag _, ValueKind.Date _ -> requireNumber(key);
      case ValueKind.Unmapped _ -> key;
    };
  }

  private static Key requireNumber(Key key) {
    if (key instanceof Key.Term) {
      throw new IllegalArgumentException(
          "a field holds text in one index and numbers in another, key=" + key);
    }
    return key;
  }

  private static Partial.Top top(
      Aggregation.TopHits aggregation, Partial.Top one, Partial.Top other) {
    List<Partial.TopHit> hits = new ArrayList<>(one.hits());
    hits.addAll(other.hits());
    hits.sort(order(aggregation));
    float maxScore =
        Float.isNaN(one.maxScore())
            ? other.maxScore()
            : Float.isNaN(other.maxScore())
                ? one.maxScore()
                : Math.max(one.maxScore(), other.maxScore());
    return new Partial.Top(
        hits.subList(0, Math.min(hits.size(), aggregation.depth())),
        one.total() + other.total(),
        maxScore);
  }

  private static Comparator<Partial.TopHit> order(Aggregation.TopHits aggregation) {
    Comparator<Partial.TopHit> best =
        aggregation.sort().isEmpty()
            ? Comparator.comparingDouble(hit -> -hit.score())
            : Comparator.comparing(Partial.TopHit::sort, SortValue.order(aggregation.sort()));
    return best.thenComparingInt(Partial.TopHit::shard).thenComparingInt(Partial.TopHit::doc);
  }

  /**
   * The part of a shard with no more buckets of terms than others need to see. Buckets inside
   * buckets are all kept.
   *
   * @param kept buckets that a shard gives at least, if it has them
   */
  public static List<Partial> trimmed(
      List<Aggregation.Named> aggregations, List<Partial> parts, int kept) {
    List<Partial> trimmed = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      trimmed.add(
          aggregations.get(i).aggregation() instanceof Aggregation.Terms terms
                  && parts.get(i) instanceof Partial.Buckets buckets
              ? trimmed(terms, buckets, Math.max(kept, terms.shardSize()))
              : parts.get(i));
    }
    return trimmed;
  }

  private static Partial.Buckets trimmed(Aggregation.Terms terms, Partial.Buckets all, int kept) {
    if (all.buckets().size() <= kept) {
      return all;
    }
    List<Map.Entry<Key, Partial.Bucket>> ordered = new ArrayList<>(all.buckets().entrySet());
    ordered.sort(BucketSort.of(terms.order(), terms.inner()));
    Map<Key, Partial.Bucket> first = new HashMap<>();
    long left = all.left();
    for (int i = 0; i < ordered.size(); i++) {
      if (i < kept) {
        first.put(ordered.get(i).getKey(), ordered.get(i).getValue());
      } else {
        left += ordered.get(i).getValue().docs();
      }
    }
    boolean byCount = terms.order().getFirst().equals(BucketOrder.LARGEST_FIRST);
    long leftMax = byCount ? ordered.get(kept).getValue().docs() : 0;
    return new Partial.Buckets(all.kind(), first, left, all.leftMax() + leftMax);
  }
}
