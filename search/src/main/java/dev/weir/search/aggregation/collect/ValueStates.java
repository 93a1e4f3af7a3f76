package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.aggregation.result.ValueKind;
import java.io.IOException;
import java.util.List;

/** Aggregations that are the same over values of every kind. */
final class ValueStates {
  private ValueStates() {}

  /** Values of the documents of one segment, which are asked for in their order. */
  @FunctionalInterface
  interface Values {
    /** How many values a document has. */
    int count(int doc) throws IOException;
  }

  /** Values that are numbers. */
  interface Numbers extends Values {
    /** A value of the document that was asked for last. */
    double value(int i);
  }

  /** Documents without a value. */
  record Missing(Values values, Bucket bucket) implements State {
    @Override
    public void collect(int doc) throws IOException {
      if (values.count(doc) == 0) {
        bucket.collect(doc);
      }
    }

    @Override
    public Partial part() throws IOException {
      return bucket.part();
    }
  }

  /** The number of values. */
  static final class Count implements State {
    private final Values values;
    private final ValueKind kind;
    private long count;

    Count(Values values, ValueKind kind) {
      this.values = values;
      this.kind = kind;
    }

    @Override
    public void collect(int doc) throws IOException {
      count += values.count(doc);
    }

    @Override
    public Partial part() {
      Partial.Numbers none = Partial.Numbers.none(kind);
      return new Partial.Numbers(kind, count, 0, 0, none.min(), none.max());
    }
  }

  /** Documents of which a value lies in a range, for each of the ranges. */
  static final class Ranges implements State {
    private final List<Aggregation.NumberRange> ranges;
    private final Numbers numbers;
    private final List<Bucket> buckets;

    Ranges(List<Aggregation.NumberRange> ranges, Numbers numbers, Bucket.Maker inner)
        throws IOException {
      this.ranges = ranges;
      this.numbers = numbers;
      this.buckets = inner.newBuckets(ranges.size());
    }

    @Override
    public void collect(int doc) throws IOException {
      int count = numbers.count(doc);
      for (int r = 0; r < buckets.size(); r++) {
        Aggregation.NumberRange range = ranges.get(r);
        for (int i = 0; i < count; i++) {
          double value = numbers.value(i);
          if (value >= range.from() && value < range.to()) {
            buckets.get(r).collect(doc);
            break;
          }
        }
      }
    }

    @Override
    public Partial part() throws IOException {
      return Bucket.numbered(buckets);
    }
  }
}
