package dev.weir.search.aggregation;

import dev.weir.search.geo.DistanceType;
import dev.weir.search.geo.DistanceUnit;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.geo.GeoPoints;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reads {@code aggs}: an object of named aggregations. Used once, by one thread. */
public final class AggregationReader {
  static final Set<String> TYPES =
      Set.of(
          "terms",
          "min",
          "max",
          "avg",
          "sum",
          "stats",
          "value_count",
          "cardinality",
          "range",
          "histogram",
          "date_histogram",
          "geo_distance",
          "geo_bounds",
          "filter",
          "filters",
          "missing",
          "global",
          "top_hits");

  /** With what can be done in place of those that are not there. */
  private static final KnownNames KNOWN_TYPES =
      KnownNames.of(TYPES)
          .instead("composite", "page through the hits with [search_after], or use [terms]")
          .instead("date_range", "use [filters] with a [range] query for each")
          .instead("auto_date_histogram", "use [date_histogram]")
          .instead("variable_width_histogram", "use [histogram]")
          .instead("extended_stats", "use [stats]");

  /** Deeper trees are no request of a person, and would end the reader's stack. */
  private static final int DEPTH_MAX = 20;

  private final JsonReader in;
  private final QueryParser queries;
  private int depth;

  /** A reader for the object where {@code in} stands. */
  public AggregationReader(JsonReader in, QueryParser queries) {
    this.in = in;
    this.queries = queries;
  }

  /** Reads the object; one level of aggregations and what is inside them. */
  public List<Aggregation.Named> read() {
    if (in.at(JsonToken.VALUE_NULL)) {
      return List.of();
    }
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing("[aggs] must be an object, found [" + in.tokenName() + "]");
    }
    if (++depth > DEPTH_MAX) {
      throw in.illegalArgument("aggregations are nested more than " + DEPTH_MAX + " deep");
    }
    List<Aggregation.Named> all = new ArrayList<>();
    Set<String> names = new HashSet<>();
    while (in.nextKey()) {
      String name = in.key();
      if (name.isEmpty() || name.chars().anyMatch(c -> c == '[' || c == ']' || c == '>')) {
        throw in.parsing(
            "Invalid aggregation name ["
                + name
                + "]. Aggregation names can contain any character except '[', ']', and '>'");
      }
      if (!names.add(name)) {
        throw in.illegalArgument(
            "Two sibling aggregations cannot have the same name: [" + name + "]");
      }
      all.add(named(name));
    }
    depth--;
    return all;
  }

  private Aggregation.Named named(String name) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing(
          "Aggregation definition for [" + name + "] starts with a [" + in.tokenName() + "]");
    }
    String type = null;
    Options options = null;
    String meta = null;
    List<Aggregation.Named> inner = List.of();
    while (in.nextKey()) {
      String key = in.key();
      switch (key) {
        case "aggs", "aggregations" -> inner = read();
        case "meta" -> meta = in.copy();
        default -> {
          if (type != null) {
            throw in.parsing(
                "Found two aggregation type definitions in ["
                    + name
                    + "]: ["
                    + type
                    + "] and ["
                    + key
                    + "]");
          }
          if (!TYPES.contains(key)) {
            throw in.parsing("Unknown aggregation type [" + key + "]" + KNOWN_TYPES.hint(key));
          }
          type = key;
          options = new Options(name, type);
          options.read();
        }
      }
    }
    if (options == null || type == null) {
      throw in.parsing("Missing definition for aggregation [" + name + "]");
    }
    if (inner.stream().anyMatch(each -> each.aggregation() instanceof Aggregation.Global)) {
      throw in.illegalArgument(
          "Aggregation ["
              + name
              + "] cannot have a global sub-aggregation. Global aggregations can only be defined at"
              + " the top level");
    }
    return new Aggregation.Named(name, options.aggregation(inner), meta);
  }

  /** What one aggregation says, whatever its type; each type takes what it knows. */
  private final class Options {
    private final String name;
    private final String type;
    private final Set<String> said = new HashSet<>();
    private @Nullable String field;
    private dev.weir.search.query.@Nullable Literal missing;
    private @Nullable String format;
    private int size = 10;
    private @Nullable Integer shardSize;
    private @Nullable Integer minDocCount;
    private List<BucketOrder> order = List.of();
    private TermChoice.Terms included = new TermChoice.Everything();
    private TermChoice.Terms excluded = new TermChoice.Nothing();
    private double interval;
    private double offset;
    private Aggregation.Shape shape = Aggregation.Shape.LISTED;
    private final DateOptions dates = new DateOptions();
    private Aggregation.@Nullable NumberRange extended;
    private Aggregation.@Nullable NumberRange hard;
    private Aggregation.@Nullable DateRange extendedDates;
    private List<Aggregation.NumberRange> ranges = List.of();
    private @Nullable GeoPoint origin;
    private DistanceUnit unit = DistanceUnit.METERS;
    private Aggregation.DateLine dateLine = Aggregation.DateLine.CROSSED;
    private @Nullable Query query;
    private List<Aggregation.KeyedQuery> filters = List.of();
    private Aggregation.Shape filterShape = Aggregation.Shape.KEYED;
    private @Nullable String otherKey;
    private final TopHitsOptions topHits = new TopHitsOptions(in, this::notNegative);
    private int exactMax = Aggregation.Cardinality.DEFAULT_EXACT_MAX;

    Options(String name, String type) {
      this.name = name;
      this.type = type;
    }

    void read() {
      if (!in.at(JsonToken.START_OBJECT)) {
        throw in.parsing("[" + type + "] of [" + name + "] must be an object");
      }
      if (type.equals("filter")) {
        query = queries.parseInner(in);
        return;
      }
      KnownNames known = known();
      while (in.nextKey()) {
        String key = in.key();
        said.add(key);
        if (!known.contains(key)) {
          throw in.unknownField(type, known);
        }
        if (type.equals("top_hits")) {
          topHits.read(key);
        } else {
          option(key);
        }
      }
    }

    private KnownNames known() {
      return switch (type) {
        case "terms" ->
            KnownNames.of(
                "field",
                "missing",
                "format",
                "size",
                "shard_size",
                "min_doc_count",
                "order",
                "include",
                "exclude",
                "shard_min_doc_count",
                "execution_hint",
                "collect_mode",
                "show_term_doc_count_error",
                "value_type");
        case "min", "max", "avg", "sum", "stats", "value_count" ->
            KnownNames.of("field", "missing", "format", "value_type");
        case "cardinality" ->
            KnownNames.of("field", "missing", "precision_threshold", "execution_hint");
        case "range" -> KnownNames.of("field", "missing", "ranges", "keyed");
        case "histogram" ->
            KnownNames.of(
                "field",
                "missing",
                "interval",
                "offset",
                "min_doc_count",
                "order",
                "keyed",
                "extended_bounds",
                "hard_bounds");
        case "date_histogram" ->
            KnownNames.of(
                    "field",
                    "missing",
                    "format",
                    "calendar_interval",
                    "fixed_interval",
                    "time_zone",
                    "offset",
                    "min_doc_count",
                    "order",
                    "keyed",
                    "extended_bounds")
                .instead("interval", "use [calendar_interval] or [fixed_interval]");
        case "geo_distance" ->
            KnownNames.of("field", "origin", "unit", "distance_type", "ranges", "keyed");
        case "geo_bounds" -> KnownNames.of("field", "wrap_longitude");
        case "filters" -> KnownNames.of("filters", "other_bucket", "other_bucket_key");
        case "missing" -> KnownNames.of("field");
        case "top_hits" -> KnownNames.of(TopHitsOptions.KNOWN);
        default -> KnownNames.NONE;
      };
    }

    private void option(String key) {
      switch (key) {
        case "field" -> field = in.text(type);
        case "missing" -> missing = literal();
        case "format" -> format = in.textOrNull(type);
        case "size" -> size = positive(in.integer(type));
        case "shard_size" -> shardSize = positive(in.integer(type));
        case "min_doc_count" -> minDocCount = notNegative(in.integer(type));
        case "order" -> order = order();
        case "include" -> included = terms();
        case "exclude" -> excluded = terms();
        case "interval" -> interval = interval();
        case "offset" -> {
          if (type.equals("date_histogram")) {
            dates.offset(in.text(type));
          } else {
            offset = in.number(type);
          }
        }
        case "keyed" -> shape = in.flag(type) ? Aggregation.Shape.KEYED : Aggregation.Shape.LISTED;
        case "calendar_interval" -> dates.calendar(in.text(type));
        case "fixed_interval" -> dates.fixed(in.text(type));
        case "time_zone" -> dates.zone(in.text(type));
        case "extended_bounds" -> extendedBounds();
        case "hard_bounds" -> hard = bounds(key);
        case "origin" -> origin = in.value(GeoPoints::single).strict();
        case "unit" -> unit = DistanceUnit.of(in.text(type));
        case "distance_type" -> DistanceType.require(in.text(type));
        case "wrap_longitude" ->
            dateLine = in.flag(type) ? Aggregation.DateLine.CROSSED : Aggregation.DateLine.KEPT;
        case "ranges" -> ranges = ranges();
        case "filters" -> filters = filters();
        case "other_bucket" -> {
          if (in.flag(type) && otherKey == null) {
            otherKey = "_other_";
          }
        }
        case "other_bucket_key" -> otherKey = in.text(type);
        case "precision_threshold" ->
            exactMax =
                Math.min(notNegative(in.integer(type)), Aggregation.Cardinality.EXACT_MAX_MAX);
        default -> in.skip(); // how a cluster goes about it, which is without meaning here
      }
    }

    Aggregation aggregation(List<Aggregation.Named> inner) {
      return switch (type) {
        case "min" -> metric(inner, new Aggregation.Numbers(Aggregation.Figure.MIN, values()));
        case "max" -> metric(inner, new Aggregation.Numbers(Aggregation.Figure.MAX, values()));
        case "avg" -> metric(inner, new Aggregation.Numbers(Aggregation.Figure.AVG, values()));
        case "sum" -> metric(inner, new Aggregation.Numbers(Aggregation.Figure.SUM, values()));
        case "stats" -> metric(inner, new Aggregation.Numbers(Aggregation.Figure.STATS, values()));
        case "value_count" ->
            metric(inner, new Aggregation.Numbers(Aggregation.Figure.VALUE_COUNT, values()));
        case "cardinality" -> metric(inner, new Aggregation.Cardinality(values(), exactMax));
        case "top_hits" -> metric(inner, topHits.aggregation());
        case "terms" -> terms(inner);
        case "histogram" -> histogram(inner);
        case "date_histogram" ->
            new Aggregation.DateHistogram(
                values(), dates.rounding(in, name), gaps(), extendedDates, inner);
        case "range" -> new Aggregation.Range(values(), sortedRanges(), shape, inner);
        case "geo_distance" ->
            new Aggregation.GeoDistance(
                values(), required(origin, "origin"), unit, sortedRanges(), shape, inner);
        case "geo_bounds" -> metric(inner, new Aggregation.GeoBounds(values(), dateLine));
        case "filter" -> new Aggregation.Filter(required(query, "query"), inner);
        case "filters" -> {
          if (!said.contains("filters")) {
            throw in.parsing("[filters] of [" + name + "] must be given");
          }
          yield new Aggregation.Filters(filters, filterShape, otherKey, inner);
        }
        case "missing" -> new Aggregation.Missing(required(field, "field"), inner);
        case "global" -> new Aggregation.Global(inner);
        default -> throw new AssertionError("aggregation without a reader: " + type);
      };
    }

    private List<Aggregation.NumberRange> sortedRanges() {
      if (ranges.isEmpty()) {
        throw in.illegalArgument("No [ranges] specified for the [" + name + "] aggregation");
      }
      List<Aggregation.NumberRange> sorted = new ArrayList<>(ranges);
      sorted.sort(
          Comparator.comparingDouble(Aggregation.NumberRange::from)
              .thenComparingDouble(Aggregation.NumberRange::to));
      return sorted;
    }

    private Aggregation metric(List<Aggregation.Named> inner, Aggregation.Metric metric) {
      if (!inner.isEmpty()) {
        throw in.illegalArgument(
            "Aggregator [" + name + "] of type [" + type + "] cannot accept sub-aggregations");
      }
      return metric;
    }

    private Aggregation.Terms terms(List<Aggregation.Named> inner) {
      int shards = shardSize == null ? size + size / 2 + 10 : Math.max(size, shardSize);
      return new Aggregation.Terms(
          values(),
          size,
          shards,
          minDocCount == null ? 1 : minDocCount,
          order.isEmpty() ? List.of(BucketOrder.LARGEST_FIRST) : order,
          new TermChoice.Chosen(included, excluded),
          inner);
    }

    private Aggregation.Histogram histogram(List<Aggregation.Named> inner) {
      if (!said.contains("interval")) {
        throw in.illegalArgument("[interval] must be given for histogram [" + name + "]");
      }
      return new Aggregation.Histogram(values(), interval, offset, gaps(), extended, hard, inner);
    }

    private Aggregation.Gaps gaps() {
      return new Aggregation.Gaps(
          minDocCount == null ? 0 : minDocCount,
          order.isEmpty() ? List.of(BucketOrder.BY_KEY) : order,
          shape);
    }

    private FieldValues values() {
      return new FieldValues(required(field, "field"), missing, format);
    }

    private <T> T required(@Nullable T value, String key) {
      if (value == null) {
        throw in.illegalArgument(
            "Required one of fields [field], but none were specified: ["
                + key
                + "] of aggregation ["
                + name
                + "]; scripts are not supported");
      }
      return value;
    }

    // -- values

    private dev.weir.search.query.Literal literal() {
      return new ValueReader(in, type).literal();
    }

    private List<BucketOrder> order() {
      return new ValueReader(in, type).order();
    }

    private TermChoice.Terms terms() {
      return new ValueReader(in, type).terms();
    }

    private Aggregation.NumberRange bounds(String key) {
      return new ValueReader(in, type).bounds(key);
    }

    private List<Aggregation.NumberRange> ranges() {
      return new ValueReader(in, type).ranges();
    }

    private void extendedBounds() {
      if (type.equals("date_histogram")) {
        extendedDates = new ValueReader(in, type).dateBounds();
      } else {
        extended = bounds("extended_bounds");
      }
    }

    private List<Aggregation.KeyedQuery> filters() {
      List<Aggregation.KeyedQuery> all = new ArrayList<>();
      if (in.at(JsonToken.START_ARRAY)) {
        filterShape = Aggregation.Shape.LISTED;
        while (in.next() != JsonToken.END_ARRAY) {
          all.add(new Aggregation.KeyedQuery(Integer.toString(all.size()), queries.parseInner(in)));
        }
        return all;
      }
      while (in.nextKey()) {
        String key = in.key();
        all.add(new Aggregation.KeyedQuery(key, queries.parseInner(in)));
      }
      return all;
    }

    private double interval() {
      double value = in.number(type);
      if (!(value > 0)) {
        throw in.illegalArgument(
            "[interval] must be >0 for histogram [" + name + "], got " + value);
      }
      return value;
    }

    private int positive(int value) {
      if (value < 1) {
        throw in.illegalArgument(
            "[" + in.key() + "] must be greater than 0. Found [" + value + "] in [" + name + "]");
      }
      return value;
    }

    private int notNegative(int value) {
      if (value < 0) {
        throw in.illegalArgument(
            "["
                + in.key()
                + "] must be greater than or equal to 0. Found ["
                + value
                + "] in ["
                + name
                + "]");
      }
      return value;
    }
  }
}
