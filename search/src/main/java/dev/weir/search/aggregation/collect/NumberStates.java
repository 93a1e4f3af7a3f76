package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.result.Distinct;
import dev.weir.search.aggregation.result.HistogramSteps;
import dev.weir.search.aggregation.result.Key;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.aggregation.result.ValueKind;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Aggregations over numbers. */
final class NumberStates {
  private NumberStates() {}

  static State.Source source(
      Aggregation aggregation,
      Column.Numbers type,
      NumberColumn column,
      Bucket.Maker inner,
      TermExpressions expressions) {
    return switch (aggregation) {
      case Aggregation.Numbers _ -> () -> new Sums(type.kind(), column);
      case Aggregation.Cardinality(_, int exactMax) ->
          () -> new DistinctNumbers(column, exactMax, inner.budget());
      case Aggregation.Missing _ -> () -> new ValueStates.Missing(column, inner.newBucket());
      case Aggregation.Terms terms -> {
        Predicate<Key> chosen = TermFilter.of(terms.choice(), type.kind(), expressions);
        Keys keys = i -> chosen.test(key(type, column, i)) ? key(type, column, i) : null;
        yield () -> new Keyed(type.kind(), column, keys, inner);
      }
      case Aggregation.Histogram histogram -> {
        Keys keys = i -> step(histogram, column.value(i));
        yield () -> new Keyed(new ValueKind.Fraction(), column, keys, inner);
      }
      case Aggregation.DateHistogram dates -> {
        Keys keys = i -> new Key.Whole(dates.rounding().floor((long) column.value(i)));
        yield () -> new Keyed(type.kind(), column, keys, inner);
      }
      case Aggregation.Range range -> () -> new ValueStates.Ranges(range.ranges(), column, inner);
      default -> throw new AssertionError("no aggregation of numbers: " + aggregation.type());
    };
  }

  private static Key key(Column.Numbers type, NumberColumn column, int i) {
    return type.isWhole() ? new Key.Whole(column.encoded(i)) : new Key.Fraction(column.value(i));
  }

  private static @Nullable Key step(Aggregation.Histogram histogram, double value) {
    Aggregation.NumberRange hard = histogram.hard();
    return hard != null && (value < hard.from() || value > hard.to())
        ? null
        : HistogramSteps.key(histogram, HistogramSteps.number(histogram, value));
  }

  /** Which bucket a value of the current document goes to; null for none. */
  @FunctionalInterface
  private interface Keys {
    @Nullable Key of(int i);
  }

  private static final class Keyed implements State {
    private final ValueKind kind;
    private final NumberColumn column;
    private final Keys keys;
    private final Bucket.Maker inner;
    private final Map<Key, Bucket> buckets = new HashMap<>();

    Keyed(ValueKind kind, NumberColumn column, Keys keys, Bucket.Maker inner) {
      this.kind = kind;
      this.column = column;
      this.keys = keys;
      this.inner = inner;
    }

    @Override
    public void collect(int doc) throws IOException {
      int count = column.count(doc);
      Key before = null;
      for (int i = 0; i < count; i++) {
        Key key = keys.of(i);
        if (key == null || key.equals(before)) { // values ascend, so equal keys follow each other
          continue;
        }
        before = key;
        Bucket bucket = buckets.get(key);
        if (bucket == null) {
          bucket = inner.newBucket();
          buckets.put(key, bucket);
        }
        bucket.collect(doc);
      }
    }

    @Override
    public Partial part() throws IOException {
      Map<Key, Partial.Bucket> parts = new HashMap<>();
      for (Map.Entry<Key, Bucket> entry : buckets.entrySet()) {
        parts.put(entry.getKey(), entry.getValue().part());
      }
      return new Partial.Buckets(kind, parts, 0, 0);
    }
  }

  private static final class Sums implements State {
    private final ValueKind kind;
    private final NumberColumn column;
    private long count;
    private double sum;
    private double rest; // what the sum lacks for want of digits
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;

    Sums(ValueKind kind, NumberColumn column) {
      this.kind = kind;
      this.column = column;
    }

    @Override
    public void collect(int doc) throws IOException {
      int values = column.count(doc);
      count += values;
      for (int i = 0; i < values; i++) {
        double value = column.value(i);
        double term = value - rest;
        double total = sum + term;
        rest = Double.isFinite(total) ? (total - sum) - term : 0;
        sum = total;
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
    }

    @Override
    public Partial part() {
      return new Partial.Numbers(kind, count, sum, rest, min, max);
    }
  }

  private static final class DistinctNumbers implements State {
    private final NumberColumn column;
    private final int exactMax;
    private final AnswerBudget budget;
    private final Set<Long> hashes = new HashSet<>();

    DistinctNumbers(NumberColumn column, int exactMax, AnswerBudget budget) {
      this.budget = budget;
      this.column = column;
      this.exactMax = exactMax;
    }

    @Override
    public void collect(int doc) throws IOException {
      int count = column.count(doc);
      for (int i = 0; i < count; i++) {
        if (hashes.add(mixed(Double.doubleToLongBits(column.value(i)) ^ column.wholeBits(i)))) {
          budget.take(AnswerPart.BUCKETS, TermStates.DISTINCT_BYTES);
        }
      }
    }

    /**
     * Every bit of the number takes part in every bit of the hash (the finaliser of SplitMix64).
     */
    private static long mixed(long bits) {
      long hash = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
      hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
      return hash ^ (hash >>> 31);
    }

    @Override
    public Partial part() {
      return new Partial.Values(Distinct.of(exactMax, hashes));
    }
  }
}
