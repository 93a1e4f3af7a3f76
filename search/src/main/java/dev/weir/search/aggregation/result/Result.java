package dev.weir.search.aggregation.result;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.geo.GeoArea;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one aggregation answers. */
public sealed interface Result {
  /**
   * An answer with the name that the request gave it.
   *
   * @param type name of the kind of answer, as {@code typed_keys} shows it
   * @param meta JSON that the request gave; null for none
   */
  record Named(String name, String type, @Nullable String meta, Result result) {}

  /** One number; NaN for none. */
  record Value(double value, ValueKind kind) implements Result {}

  /** How many. */
  record Count(long value) implements Result {}

  /** Several numbers. */
  record Stats(Partial.Numbers numbers) implements Result {}

  /** A box around places; null where there are none. */
  record Bounds(GeoArea.@Nullable Box box) implements Result {}

  /** Documents. */
  record Hits(Aggregation.TopHits asked, Partial.Top top) implements Result {
    /** Those that are shown. */
    public List<Partial.TopHit> page() {
      int from = Math.min(asked.page().from(), top.hits().size());
      return top.hits().subList(from, Math.min(asked.depth(), top.hits().size()));
    }
  }

  /** One bucket. */
  record Single(long docs, List<Named> inner) implements Result {
    /** Copies the answers. */
    public Single {
      inner = List.copyOf(inner);
    }
  }

  /**
   * Many buckets.
   *
   * @param terms what an answer of terms says besides; null for any other
   */
  record Many(List<Bucket> buckets, Aggregation.Shape shape, @Nullable TermsRest terms)
      implements Result {
    /** Copies the buckets. */
    public Many {
      buckets = List.copyOf(buckets);
    }
  }

  /**
   * What is not in the buckets of terms.
   *
   * @param errorMax how many documents more a bucket may have than it says
   * @param otherDocs documents of buckets that are not shown
   */
  record TermsRest(long errorMax, long otherDocs) {}

  /** One of many buckets. */
  record Bucket(BucketKey key, long docs, List<Named> inner) {
    /** Copies the answers. */
    public Bucket {
      inner = List.copyOf(inner);
    }
  }

  /** How a bucket is told from the others. */
  sealed interface BucketKey {
    /**
     * By a value.
     *
     * @param text the value as a text; null where its number says all
     */
    record OfValue(Key key, @Nullable String text) implements BucketKey {}

    /** By a range of numbers; infinite where it has no end. */
    record OfRange(String name, double from, double to) implements BucketKey {}

    /** By the name of a filter. */
    record OfFilter(String name) implements BucketKey {}
  }
}
