package dev.weir.search.request;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.AggregationReader;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Collects a request while its body and then its URL parameters are read. Used once. */
final class SearchBody {

  private static final String OWNER = "search";

  private static final KnownNames KEYS =
      KnownNames.of(
              "query",
              "post_filter",
              "from",
              "size",
              "sort",
              "_source",
              "track_total_hits",
              "min_score",
              "explain",
              "fields",
              "docvalue_fields",
              "version",
              "seq_no_primary_term",
              "track_scores",
              "search_pipeline",
              "timeout",
              "terminate_after",
              "stored_fields",
              "search_after",
              "aggs",
              "aggregations",
              "rescore",
              "ext",
              "highlight",
              "collapse",
              "indices_boost",
              "profile")
          .instead("knn", "put [knn] into [query]: {\"query\": {\"knn\": {\"my_field\": {…}}}}")
          .instead("retriever", "put a [hybrid] query into [query]")
          .instead("rank", "put a [hybrid] query into [query], with a [search_pipeline]")
          .instead("sub_searches", "put a [hybrid] query into [query]")
          .instead("runtime_mappings", "add the field to the documents");

  /** Options of the API that are not served here; saying nothing by them is allowed. */
  private static final Set<String> NOT_SERVED =
      Set.of("suggest", "slice", "pit", "script_fields", "derived", "stats", "verbose_pipeline");

  private final JsonReader in;
  private final QueryParser queries;

  private Query query = new Query.MatchAll(Query.NO_BOOST, null);
  private @Nullable Query postFilter;
  int from = SearchRequest.Page.DEFAULT.from();
  int size = SearchRequest.Page.DEFAULT.size();
  List<SortKey> sort = List.of();
  @Nullable SourceFilter source;
  @Nullable List<String> storedFields;
  private List<ShownField> fields = List.of();
  List<ShownField> docValueFields = List.of();
  TrackTotalHits trackTotalHits = TrackTotalHits.DEFAULT;
  private @Nullable Float minScore;
  boolean explain;
  boolean version;
  boolean seqNoPrimaryTerm;
  boolean trackScores;
  @Nullable PipelineChoice pipeline;
  @Nullable Duration timeout;
  @Nullable Duration cancelAfter;
  int terminateAfter;
  MinOffsets minOffsets = MinOffsets.NONE;
  private List<SortValue> searchAfter = List.of();
  private List<Aggregation.Named> aggregations = List.of();
  private List<Rescoring> rescores = List.of();
  private @Nullable Highlight highlight;
  private @Nullable RerankText rerankText;
  private @Nullable Collapse collapse;
  private List<IndexBoost> indexBoosts = List.of();
  private @Nullable Query commonFilter;
  SearchRequest.Caching caching = SearchRequest.Caching.OF_INDEX;
  private SearchRequest.Profiling profiling = SearchRequest.Profiling.OFF;

  long textBytes; // of what was read

  SearchBody(JsonReader in, QueryParser queries) {
    this.in = in;
    this.queries = queries;
  }

  void read() {
    if (in.next() == null) {
      return;
    }
    readObject();
    textBytes = in.readBytes();
  }

  private void readObject() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing(
          "Expected [START_OBJECT] but found [" + in.tokenName() + "] at the start of the body");
    }
    while (in.nextKey()) {
      key();
    }
    if (in.next() != null) {
      throw in.parsing("unexpected token [" + in.tokenName() + "] after the end of the body");
    }
  }

  private void key() {
    switch (in.key()) {
      case "query" -> query = queries.parse(inObject(), common -> commonFilter = common);
      case "post_filter" -> postFilter = queries.parseInner(inObject());
      case "from" -> from = in.integer(OWNER);
      case "size" -> size = in.integer(OWNER);
      case "sort" -> sort = new SortReader(in).read();
      case "_source" -> source = SourceReader.read(in, OWNER);
      case "stored_fields" -> storedFields = in.texts(OWNER);
      case "fields" -> fields = ShownFieldsReader.fields(in);
      case "docvalue_fields" -> docValueFields = ShownFieldsReader.docValueFields(in);
      case "track_total_hits" -> trackTotalHits = trackTotalHits();
      case "min_score" -> minScore = in.decimal(OWNER);
      case "explain" -> explain = in.flag(OWNER);
      case "version" -> version = in.flag(OWNER);
      case "seq_no_primary_term" -> seqNoPrimaryTerm = in.flag(OWNER);
      case "track_scores" -> trackScores = in.flag(OWNER);
      case "search_pipeline" -> pipeline = pipeline();
      case "timeout" -> timeout = TimeValue.parse("timeout", in.text(OWNER));
      case "terminate_after" -> terminateAfter = in.integer(OWNER);
      case "search_after" -> searchAfter = searchAfter();
      case "aggs", "aggregations" -> aggregations = new AggregationReader(in, queries).read();
      case "profile" ->
          profiling = in.flag(OWNER) ? SearchRequest.Profiling.ON : SearchRequest.Profiling.OFF;
      case "rescore" -> rescores = new RescoringReader(in, queries).read();
      case "ext" -> rerankText = RerankText.readExt(in);
      case "highlight" -> highlight = new HighlightReader(in, queries).read();
      case "collapse" -> collapse = new CollapseReader(in).read();
      case "indices_boost" -> indexBoosts = new IndexBoostReader(in).read();
      default -> other(in.key());
    }
  }

  /** The reader, if it stands on an object; a query is never anything else. */
  private JsonReader inObject() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw unknownKey(in.key());
    }
    return in;
  }

  private void other(String name) {
    if (!NOT_SERVED.contains(name)) {
      throw unknownKey(name);
    }
    if (in.asksForSomething()) {
      throw in.illegalArgument("search option [" + name + "] is not supported");
    }
  }

  private RuntimeException unknownKey(String name) {
    return in.parsing(
        "Unknown key for a " + in.tokenName() + " in [" + name + "]." + KEYS.hint(name));
  }

  private List<SortValue> searchAfter() {
    if (in.at(JsonToken.VALUE_NULL)) {
      return List.of();
    }
    if (!in.at(JsonToken.START_ARRAY)) {
      throw in.parsing("[search_after] must be an array, found [" + in.tokenName() + "]");
    }
    List<SortValue> values = new ArrayList<>();
    while (in.next() != JsonToken.END_ARRAY) {
      values.add(
          switch (in.token()) {
            case VALUE_NULL -> new SortValue.Absent();
            case VALUE_NUMBER_FLOAT -> new SortValue.Fraction(in.number(OWNER));
            case VALUE_TRUE -> new SortValue.Whole(1);
            case VALUE_FALSE -> new SortValue.Whole(0);
            case VALUE_NUMBER_INT -> new SortValue.Whole(wholeNumber(in.text(OWNER)));
            case null, default -> new SortValue.Text(in.text(OWNER));
          });
    }
    if (values.isEmpty()) {
      throw new IllegalArgumentException("Values must contains at least one value: [search_after]");
    }
    return values;
  }

  private static long wholeNumber(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException tooLarge) {
      throw new IllegalArgumentException(
          "a value of [search_after] is no 64-bit number: [" + digits + "]", tooLarge);
    }
  }

  private TrackTotalHits trackTotalHits() {
    boolean flag = in.at(JsonToken.VALUE_TRUE) || in.at(JsonToken.VALUE_FALSE);
    return trackTotalHits(flag ? in.text(OWNER) : Integer.toString(in.integer(OWNER)));
  }

  /** Reads {@code true}, {@code false} or a number, of which -1 stands for false. */
  static TrackTotalHits trackTotalHits(String text) {
    return switch (text) {
      case "true", "" -> new TrackTotalHits.Exact();
      case "false", "-1" -> new TrackTotalHits.Off();
      default -> new TrackTotalHits.UpTo(SearchParameters.integer("track_total_hits", text));
    };
  }

  private PipelineChoice pipeline() {
    return in.at(JsonToken.START_OBJECT)
        ? new PipelineChoice.Inline(in.copy())
        : named(in.text(OWNER));
  }

  static PipelineChoice named(String id) {
    return id.equals("_none") ? new PipelineChoice.Without() : new PipelineChoice.Named(id);
  }

  SearchRequest request() {
    return new SearchRequest(
        query,
        postFilter,
        new SearchRequest.Page(from, size),
        sort,
        sourceOrDefault(),
        trackTotalHits,
        minScore,
        new SearchRequest.HitOptions(
            explain,
            version,
            seqNoPrimaryTerm,
            trackScores,
            new ShownFields(fields, docValueFields)),
        pipeline == null ? new PipelineChoice.OfIndex() : pipeline,
        new SearchRequest.Limits(timeout, terminateAfter, minOffsets, cancelAfter),
        new SearchRequest.Extras(
            searchAfter,
            aggregations,
            rescores,
            highlight,
            collapse,
            indexBoosts,
            rerankText,
            new SearchRequest.Trace(profiling, commonFilter, caching, textBytes)));
  }

  /** Who asks for stored fields and says nothing of the source gets it only if it is among them. */
  private SourceFilter sourceOrDefault() {
    if (source != null) {
      return source;
    }
    boolean shown = storedFields == null || storedFields.contains("_source");
    return shown ? SourceFilter.ALL : new SourceFilter.Hidden();
  }
}
