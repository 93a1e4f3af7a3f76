package dev.weir.search.query;

import dev.weir.search.geo.DistanceUnit;
import dev.weir.search.geo.GeoArea;
import dev.weir.search.geo.GeoPoint;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes a tree as the JSON that the parser reads back to an equal tree. Values that a request need
 * not say are left out.
 */
public final class QueryWriter {

  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator out;

  private QueryWriter(JsonGenerator out) {
    this.out = out;
  }

  /** The tree as one line of JSON. */
  public static String toJson(Query query) {
    return toJson(query, Integer.MAX_VALUE);
  }

  /**
   * The tree as one line of JSON, or the beginning of it.
   *
   * @param charsMax characters of which there are not more; with as many there may be a rest
   */
  public static String toJson(Query query, int charsMax) {
    CutWriter text = new CutWriter(charsMax);
    try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      write(query, out);
    } catch (CutWriter.Full _) {
      return text.toString();
    }
    return text.toString();
  }

  /** Writes the tree as one JSON object. */
  public static void write(Query query, JsonGenerator out) {
    new QueryWriter(out).query(query);
  }

  private void query(Query query) {
    out.writeStartObject();
    out.writeName(name(query));
    out.writeStartObject();
    switch (query) {
      case Query.MatchAll _, Query.MatchNone _ -> label(query);
      case Query.Match match -> match(match);
      case Query.MatchPhrase phrase -> phrase(phrase);
      case Query.MultiMatch match -> multiMatch(match);
      case Query.Term term -> value(term, term.field(), term.value(), term.letterCase());
      case Query.Prefix prefix ->
          value(prefix, prefix.field(), Literal.of(prefix.value()), prefix.letterCase());
      case Query.Wildcard wildcard ->
          value(wildcard, wildcard.field(), Literal.of(wildcard.pattern()), wildcard.letterCase());
      case Query.Terms terms -> terms(terms);
      case Query.Range range -> range(range);
      case Query.Exists exists -> {
        out.writeStringProperty("field", exists.field());
        label(exists);
      }
      case Query.Ids ids -> ids(ids);
      case Query.Geo geo -> geo(geo);
      case Query.Bool bool -> bool(bool);
      case Query.ConstantScore constant -> {
        property("filter", constant.query());
        label(constant);
      }
      case Query.DisMax disMax -> {
        queries("queries", disMax.queries());
        number("tie_breaker", disMax.tieBreaker(), 0);
        label(disMax);
      }
      case Query.Boosting boosting -> {
        property("positive", boosting.positive());
        property("negative", boosting.negative());
        out.writeNumberProperty("negative_boost", boosting.negativeBoost());
        label(boosting);
      }
      case Query.FunctionScore scored -> {
        new FunctionWriter(out, this::query).write(scored);
        label(scored);
      }
      case Query.ScriptScore scored -> {
        new FunctionWriter(out, this::query).write(scored);
        label(scored);
      }
      case VectorSearch.Knn knn -> knn(knn);
      case Query.Nested nested -> nested(nested);
      case VectorSearch.Neural neural -> neural(neural);
      case Query.Hybrid hybrid -> hybrid(hybrid);
    }
    out.writeEndObject();
    out.writeEndObject();
  }

  /** The name of a query's kind in the language. */
  public static String name(Query query) {
    return switch (query) {
      case Query.MatchAll _ -> "match_all";
      case Query.MatchNone _ -> "match_none";
      case Query.Match _ -> "match";
      case Query.MatchPhrase _ -> "match_phrase";
      case Query.MultiMatch _ -> "multi_match";
      case Query.Term _ -> "term";
      case Query.Terms _ -> "terms";
      case Query.Range _ -> "range";
      case Query.Exists _ -> "exists";
      case Query.Ids _ -> "ids";
      case Query.Prefix _ -> "prefix";
      case Query.Wildcard _ -> "wildcard";
      case Query.Geo geo ->
          switch (geo.area()) {
            case GeoArea.Circle _ -> "geo_distance";
            case GeoArea.Box _ -> "geo_bounding_box";
            case GeoArea.Polygon _ -> "geo_polygon";
          };
      case Query.Bool _ -> "bool";
      case Query.ConstantScore _ -> "constant_score";
      case Query.DisMax _ -> "dis_max";
      case Query.Boosting _ -> "boosting";
      case Query.FunctionScore _ -> "function_score";
      case Query.ScriptScore _ -> "script_score";
      case VectorSearch.Knn _ -> "knn";
      case Query.Nested _ -> "nested";
      case VectorSearch.Neural _ -> "neural";
      case Query.Hybrid _ -> "hybrid";
    };
  }

  private void match(Query.Match match) {
    field(match.field());
    literal("query", match.text());
    options(match.options());
    label(match);
    out.writeEndObject();
  }

  private void phrase(Query.MatchPhrase phrase) {
    field(phrase.field());
    literal("query", phrase.text());
    if (phrase.slop() != 0) {
      out.writeNumberProperty("slop", phrase.slop());
    }
    text("analyzer", phrase.analyzer());
    zeroTerms(phrase.zeroTerms());
    label(phrase);
    out.writeEndObject();
  }

  private void multiMatch(Query.MultiMatch match) {
    literal("query", match.text());
    out.writeName("fields");
    out.writeStartArray();
    for (WeightedField field : match.fields()) {
      boolean plain = field.boost() == Query.NO_BOOST && field.field().indexOf('^') < 0;
      out.writeString(plain ? field.field() : field.field() + "^" + field.boost());
    }
    out.writeEndArray();
    out.writeStringProperty("type", match.type().name().toLowerCase(Locale.ROOT));
    if (match.tieBreaker() != null) {
      out.writeNumberProperty("tie_breaker", match.tieBreaker());
    }
    options(match.options());
    label(match);
  }

  private void options(MatchOptions options) {
    MatchOptions unsaid = MatchOptions.DEFAULT;
    if (options.operator() != unsaid.operator()) {
      out.writeStringProperty("operator", options.operator().name().toLowerCase(Locale.ROOT));
    }
    minimum(options.minimumShouldMatch());
    text("analyzer", options.analyzer());
    switch (options.fuzziness()) {
      case null -> {}
      case Fuzziness.Edits(int count) -> out.writeNumberProperty("fuzziness", count);
      case Fuzziness.Auto(int low, int high) ->
          out.writeStringProperty("fuzziness", "AUTO:" + low + "," + high);
    }
    if (options.prefixLength() != unsaid.prefixLength()) {
      out.writeNumberProperty("prefix_length", options.prefixLength());
    }
    if (options.maxExpansions() != unsaid.maxExpansions()) {
      out.writeNumberProperty("max_expansions", options.maxExpansions());
    }
    zeroTerms(options.zeroTerms());
    if (options.lenient()) {
      out.writeBooleanProperty("lenient", true);
    }
  }

  private void zeroTerms(ZeroTerms zeroTerms) {
    if (zeroTerms != ZeroTerms.NONE) {
      out.writeStringProperty("zero_terms_query", zeroTerms.name().toLowerCase(Locale.ROOT));
    }
  }

  private void value(Query query, String field, Literal value, LetterCase letterCase) {
    field(field);
    literal("value", value);
    if (letterCase == LetterCase.IGNORED) {
      out.writeBooleanProperty("case_insensitive", true);
    }
    label(query);
    out.writeEndObject();
  }

  private void terms(Query.Terms terms) {
    out.writeName(terms.field());
    out.writeStartArray();
    terms.values().forEach(this::literal);
    out.writeEndArray();
    label(terms);
  }

  private void range(Query.Range range) {
    field(range.field());
    if (range.lower() != null) {
      literal(range.lower().closed() ? "gte" : "gt", range.lower().value());
    }
    if (range.upper() != null) {
      literal(range.upper().closed() ? "lte" : "lt", range.upper().value());
    }
    text("format", range.options().format());
    text("time_zone", range.options().timeZone());
    if (range.options().relation() != RangeRelation.INTERSECTS) {
      out.writeStringProperty(
          "relation", range.options().relation().name().toLowerCase(Locale.ROOT));
    }
    label(range);
    out.writeEndObject();
  }

  private void ids(Query.Ids ids) {
    out.writeName("values");
    out.writeStartArray();
    ids.values().forEach(out::writeString);
    out.writeEndArray();
    label(ids);
  }

  private void geo(Query.Geo geo) {
    switch (geo.area()) {
      case GeoArea.Circle(GeoPoint center, double meters) -> {
        out.writeStringProperty("distance", meters + DistanceUnit.METERS.text());
        out.writeStringProperty(geo.field(), center.text());
      }
      case GeoArea.Box box -> {
        field(geo.field());
        out.writeNumberProperty("top", box.top());
        out.writeNumberProperty("left", box.left());
        out.writeNumberProperty("bottom", box.bottom());
        out.writeNumberProperty("right", box.right());
        out.writeEndObject();
      }
      case GeoArea.Polygon(List<GeoPoint> points) -> {
        field(geo.field());
        out.writeName("points");
        out.writeStartArray();
        points.forEach(point -> out.writeString(point.text()));
        out.writeEndArray();
        out.writeEndObject();
      }
    }
    if (geo.ignoreUnmapped()) {
      out.writeBooleanProperty("ignore_unmapped", true);
    }
    label(geo);
  }

  private void bool(Query.Bool bool) {
    queries("must", bool.must());
    queries("filter", bool.filter());
    queries("should", bool.should());
    queries("must_not", bool.mustNot());
    minimum(bool.minimumShouldMatch());
    label(bool);
  }

  private void knn(VectorSearch.Knn knn) {
    field(knn.field());
    out.writeName("vector");
    out.writeStartArray();
    for (int index = 0; index < knn.vector().dimension(); index++) {
      out.writeNumber(knn.vector().at(index));
    }
    out.writeEndArray();
    search(knn, knn.extent(), knn.options());
  }

  private void neural(VectorSearch.Neural neural) {
    field(neural.field());
    out.writeStringProperty("query_text", neural.text());
    if (neural.modelId() != null) {
      out.writeStringProperty("model_id", neural.modelId());
    }
    search(neural, neural.extent(), neural.options());
  }

  private void search(VectorSearch search, KnnExtent extent, KnnOptions options) {
    switch (extent) {
      case KnnExtent.Nearest(int k) -> out.writeNumberProperty("k", k);
      case KnnExtent.MaxDistance(float distance) ->
          out.writeNumberProperty("max_distance", distance);
      case KnnExtent.MinScore(float score) -> out.writeNumberProperty("min_score", score);
    }
    Query filter = search.filter();
    if (filter != null) {
      property("filter", filter);
    }
    knnOptions(options);
    label(search);
    out.writeEndObject();
  }

  private void knnOptions(KnnOptions options) {
    if (options.efSearch() != null || options.nprobes() != null) {
      field("method_parameters");
      if (options.efSearch() != null) {
        out.writeNumberProperty("ef_search", options.efSearch());
      }
      if (options.nprobes() != null) {
        out.writeNumberProperty("nprobes", options.nprobes());
      }
      out.writeEndObject();
    }
    switch (options.rescore()) {
      case null -> {}
      case Rescore.Off() -> out.writeBooleanProperty("rescore", false);
      case Rescore.Automatic() -> out.writeBooleanProperty("rescore", true);
      case Rescore.Oversample(float factor) -> {
        field("rescore");
        out.writeNumberProperty("oversample_factor", factor);
        out.writeEndObject();
      }
    }
    if (options.ignoreUnmapped()) {
      out.writeBooleanProperty("ignore_unmapped", true);
    }
    if (options.nestedDocs() == KnnOptions.NestedDocs.ALL) {
      out.writeBooleanProperty("expand_nested_docs", true);
    }
    if (options.outerFilters() == OuterFilters.AFTER) {
      out.writeStringProperty("outer_filters", "after");
    }
  }

  private void nested(Query.Nested nested) {
    out.writeStringProperty("path", nested.path());
    property("query", nested.query());
    if (nested.filter() != null) {
      property("filter", nested.filter());
    }
    NestedOptions options = nested.options();
    if (options.scoreMode() != NestedOptions.DEFAULT.scoreMode()) {
      out.writeStringProperty("score_mode", options.scoreMode().text());
    }
    if (options.ignoreUnmapped()) {
      out.writeBooleanProperty("ignore_unmapped", true);
    }
    if (options.innerHits() != null) {
      innerHits(options.innerHits());
    }
    label(nested);
  }

  private void innerHits(InnerHits hits) {
    field("inner_hits");
    text("name", hits.name());
    if (hits.from() != 0) {
      out.writeNumberProperty("from", hits.from());
    }
    if (hits.size() != InnerHits.SIZE_DEFAULT) {
      out.writeNumberProperty("size", hits.size());
    }
    hits.options()
        .forEach(
            (name, json) -> {
              out.writeName(name);
              out.writeRawValue(json);
            });
    out.writeEndObject();
  }

  private void hybrid(Query.Hybrid hybrid) {
    queries("queries", hybrid.queries());
    if (hybrid.paginationDepth() != null) {
      out.writeNumberProperty("pagination_depth", hybrid.paginationDepth());
    }
    if (!hybrid.weights().isEmpty()) {
      out.writeName("weights");
      out.writeStartArray();
      hybrid.weights().forEach(out::writeNumber);
      out.writeEndArray();
    }
    label(hybrid);
  }

  private void field(String name) {
    out.writeName(name);
    out.writeStartObject();
  }

  private void property(String name, Query query) {
    out.writeName(name);
    query(query);
  }

  private void queries(String name, List<Query> queries) {
    if (!queries.isEmpty()) {
      out.writeName(name);
      out.writeStartArray();
      queries.forEach(this::query);
      out.writeEndArray();
    }
  }

  private void label(Query query) {
    number("boost", query.boost(), Query.NO_BOOST);
    text("_name", query.name());
  }

  private void minimum(@Nullable MinimumShouldMatch minimum) {
    text("minimum_should_match", minimum == null ? null : minimum.text());
  }

  private void number(String name, float value, float unsaid) {
    if (value != unsaid) {
      out.writeNumberProperty(name, value);
    }
  }

  private void text(String name, @Nullable String value) {
    if (value != null) {
      out.writeStringProperty(name, value);
    }
  }

  private void literal(String name, Literal value) {
    out.writeName(name);
    literal(value);
  }

  private void literal(Literal value) {
    switch (value.kind()) {
      case TEXT -> out.writeString(value.text());
      case NUMBER -> out.writeNumber(value.text());
      case FLAG -> out.writeBoolean(value.text().equals("true"));
    }
  }
}
