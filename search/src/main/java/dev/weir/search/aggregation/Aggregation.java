package dev.weir.search.aggregation;

import dev.weir.search.geo.DistanceUnit;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.query.Query;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SortKey;
import dev.weir.search.request.SourceFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One aggregation of a request, with those inside it. Immutable. */
public sealed interface Aggregation {

  /** The type's name in a request. */
  String type();

  /** Those that are computed for each of its buckets; empty where there are no buckets. */
  List<Named> inner();

  /**
   * An aggregation with its name.
   *
   * @param meta JSON that the answer carries unchanged; null for none
   */
  record Named(String name, Aggregation aggregation, @Nullable String meta) {}

  /** Says something of all documents that it sees together. */
  sealed interface Metric extends Aggregation {
    @Override
    default List<Named> inner() {
      return List.of();
    }
  }

  /** Puts documents into buckets. */
  sealed interface Bucketing extends Aggregation {}

  /** Which number a {@link Numbers} aggregation tells. */
  enum Figure {
    MIN,
    MAX,
    AVG,
    SUM,
    STATS,
    VALUE_COUNT
  }

  /** What can be told of numbers without keeping them. */
  record Numbers(Figure figure, FieldValues values) implements Metric {
    @Override
    public String type() {
      return switch (figure) {
        case MIN -> "min";
        case MAX -> "max";
        case AVG -> "avg";
        case SUM -> "sum";
        case STATS -> "stats";
        case VALUE_COUNT -> "value_count";
      };
    }
  }

  /**
   * The number of different values.
   *
   * @param exactMax up to how many they are counted one by one; estimated above
   */
  record Cardinality(FieldValues values, int exactMax) implements Metric {
    /** Bound where nothing is said. */
    public static final int DEFAULT_EXACT_MAX = 3_000;

    /** Largest bound. */
    public static final int EXACT_MAX_MAX = 40_000;

    @Override
    public String type() {
      return "cardinality";
    }
  }

  /**
   * The best documents.
   *
   * @param sort their order; empty for best score first
   */
  record TopHits(
      SearchRequest.Page page,
      List<SortKey> sort,
      SourceFilter source,
      SearchRequest.HitOptions hits)
      implements Metric {
    /** Copies the keys. */
    public TopHits {
      sort = List.copyOf(sort);
    }

    @Override
    public String type() {
      return "top_hits";
    }

    /** How many documents must be kept for the page. */
    public int depth() {
      return Math.addExact(page.from(), page.size());
    }
  }

  /**
   * A bucket for each value.
   *
   * @param size buckets in the answer at most
   * @param shardSize buckets that a shard gives at most, if it has more than it gives anyway
   * @param minDocCount documents of a bucket at least; 0 for terms of other documents too
   * @param order of the buckets; ties by key
   */
  record Terms(
      FieldValues values,
      int size,
      int shardSize,
      int minDocCount,
      List<BucketOrder> order,
      TermChoice choice,
      List<Named> inner)
      implements Bucketing {
    /** Copies the lists. */
    public Terms {
      order = List.copyOf(order);
      inner = List.copyOf(inner);
    }

    @Override
    public String type() {
      return "terms";
    }
  }

  /**
   * A bucket for each interval of a number line.
   *
   * @param extended range in which there are buckets, with documents or without; null: from the
   *     first to the last that has documents
   * @param hard range beyond which there are none; null for no bound
   */
  record Histogram(
      FieldValues values,
      double interval,
      double offset,
      Gaps gaps,
      @Nullable NumberRange extended,
      @Nullable NumberRange hard,
      List<Named> inner)
      implements Bucketing {
    /** Copies the list. */
    public Histogram {
      inner = List.copyOf(inner);
    }

    @Override
    public String type() {
      return "histogram";
    }
  }

  /**
   * A bucket for each interval of time.
   *
   * @param extended first and last instant that there are buckets for, as the request wrote them
   */
  record DateHistogram(
      FieldValues values,
      DateRounding rounding,
      Gaps gaps,
      @Nullable DateRange extended,
      List<Named> inner)
      implements Bucketing {
    /** Copies the list. */
    public DateHistogram {
      inner = List.copyOf(inner);
    }

    @Override
    public String type() {
      return "date_histogram";
    }
  }

  /**
   * A bucket for each range; ranges may overlap.
   *
   * @param shape how the buckets stand in the answer
   */
  record Range(FieldValues values, List<NumberRange> ranges, Shape shape, List<Named> inner)
      implements Bucketing {
    /** Copies the lists. */
    public Range {
      ranges = List.copyOf(ranges);
      inner = List.copyOf(inner);
    }

    @Override
    public String type() {
      return "range";
    }
  }

  /**
   * A bucket for each range of distances from a point; a document is in each range that one of its
   * places is in.
   *
   * @param ranges in the unit
   */
  record GeoDistance(
      FieldValues values,
      GeoPoint origin,
      DistanceUnit unit,
      List<NumberRange> ranges,
      Shape shape,
      List<Named> inner)
      implements Bucketing {
    /** Copies the lists. */
    public GeoDistance {
      ranges = List.copyOf(ranges);
      inner = List.copyOf(inner);
    }

    @Override
    public String type() {
      return "geo_distance";
    }
  }

  /** The smallest box around all places. */
  record GeoBounds(FieldValues values, DateLine dateLine) implements Metric {
    @Override
    public String type() {
      return "geo_bounds";
    }
  }

  /** Whether a box may reach across the date line ({@code wrap_longitude}). */
  enum DateLine {
    /** Where that makes it smaller. */
    CROSSED,
    /** Never. */
    KEPT
  }

  /** One bucket: the documents that a query matches. */
  record Filter(Query query, List<Named> inner) implements Bucketing {
    /** Copies the list. */
    public Filter {
      inner = List.copyOf(inner);
    }

    @Override
    public String type() {
      return "filter";
    }
  }

  /**
   * A bucket for each query.
   *
   * @param filters with the keys of their buckets, which count only for {@link Shape#KEYED}
   * @param otherKey key of the bucket for documents that no query matches; null for no such bucket
   */
  record Filters(
      List<KeyedQuery> filters, Shape shape, @Nullable String otherKey, List<Named> inner)
      implements Bucketing {
    /** Copies the lists. */
    public Filters {
      filters = List.copyOf(filters);
      inner = List.copyOf(inner);
    }

    @Override
    public String type() {
      return "filters";
    }
  }

  /** One bucket: the documents without a value of a field. */
  record Missing(String field, List<Named> inner) implements Bucketing {
    /** Copies the list. */
    public Missing {
      inner = List.copyOf(inner);
    }

    @Override
    public String type() {
      return "missing";
    }
  }

  /** One bucket: all documents, whatever the request's query matches. */
  record Global(List<Named> inner) implements Bucketing {
    /** Copies the list. */
    public Global {
      inner = List.copyOf(inner);
    }

    @Override
    public String type() {
      return "global";
    }
  }

  /** A query of {@link Filters}. */
  record KeyedQuery(String key, Query query) {}

  /** How buckets stand in the answer. */
  enum Shape {
    /** In an array. */
    LISTED,
    /** As members of an object. */
    KEYED
  }

  /**
   * What becomes of the buckets of a histogram.
   *
   * @param minDocCount documents of a bucket at least; 0 fills the gaps
   */
  record Gaps(int minDocCount, List<BucketOrder> order, Shape shape) {
    /** Copies the list. */
    public Gaps {
      order = List.copyOf(order);
    }
  }

  /**
   * A range of numbers.
   *
   * @param key of its bucket; null: made of the ends
   * @param from inclusive
   * @param to exclusive, as a range of buckets; inclusive, as bounds of a histogram
   */
  record NumberRange(@Nullable String key, double from, double to) {}

  /** Two instants as a request wrote them; null for no bound. */
  record DateRange(@Nullable String from, @Nullable String to) {}
}
