package dev.weir.search.pipeline;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.hybrid.HybridScoring;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.json.StrictJson;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads the definition of one pipeline. Used once, by one thread. */
final class PipelineReader {
  static final String FILTER_QUERY = "filter_query";
  static final String ENRICHER = "neural_query_enricher";
  static final String OVERSAMPLE = "oversample";
  static final String NORMALIZATION = "normalization-processor";
  static final String SCORE_RANKER = "score-ranker-processor";

  /** Asks for what an explanation always tells here, so it has nothing to do. */
  static final String SCORE_EXPLANATION = "hybrid_score_explanation";

  private static final KnownNames ENRICHER_KEYS =
      KnownNames.of("default_model_id", "neural_field_default_id");

  static final List<String> REQUEST_TYPES = List.of(FILTER_QUERY, ENRICHER, OVERSAMPLE);
  static final List<String> PHASE_TYPES = List.of(NORMALIZATION, SCORE_RANKER);
  static final List<String> RESPONSE_TYPES =
      Stream.concat(ResponseProcessorReader.TYPES.stream(), Stream.of(SCORE_EXPLANATION)).toList();

  private static final String OWNER = "search pipeline";
  private static final String REQUEST = "request_processors";
  private static final String PHASE = "phase_results_processors";
  private static final String RESPONSE = "response_processors";
  private static final KnownNames KEYS =
      KnownNames.of("description", "version", REQUEST, PHASE, RESPONSE);
  private static final Map<String, List<String>> TYPES_BY_LIST =
      Map.of(REQUEST, REQUEST_TYPES, PHASE, PHASE_TYPES, RESPONSE, RESPONSE_TYPES);
  private static final KnownNames COMMON_KEYS =
      KnownNames.of("tag", "description", "ignore_failure");

  private final JsonReader in;
  private final QueryParser queries;
  private final List<Query> filters = new ArrayList<>();
  private final List<Oversample> oversamples = new ArrayList<>();
  private final List<ResponseProcessor.Step> responses = new ArrayList<>();
  private ModelDefaults models = ModelDefaults.NONE;
  private @Nullable HybridScoring scoring;

  private PipelineReader(JsonReader in, QueryParser queries) {
    this.in = in;
    this.queries = queries;
  }

  static SearchPipeline read(String json, QueryParser queries) {
    try (JsonParser parser = StrictJson.parser(json)) {
      PipelineReader reader = new PipelineReader(new JsonReader(parser), queries);
      return JsonReader.read(reader::read);
    }
  }

  private SearchPipeline read() {
    in.next();
    if (!in.at(JsonToken.START_OBJECT)) {
      throw refusal("a search pipeline must be an object, found [" + in.tokenName() + "]");
    }
    while (in.nextKey()) {
      String key = in.key();
      switch (key) {
        case "description" -> in.text(OWNER);
        case "version" -> in.integer(OWNER);
        case REQUEST, PHASE, RESPONSE ->
            processors(key, Objects.requireNonNull(TYPES_BY_LIST.get(key), key));
        default ->
            throw refusal(
                "pipeline doesn't support one or more provided configuration parameters ["
                    + key
                    + "]"
                    + KEYS.hint(key));
      }
    }
    if (in.next() != null) {
      throw refusal("unexpected token [" + in.tokenName() + "] after the end of the pipeline");
    }
    return new SearchPipeline(
        filters, models, scoring == null ? HybridScoring.DEFAULT : scoring, oversamples, responses);
  }

  private void processors(String list, List<String> known) {
    if (!in.at(JsonToken.START_ARRAY)) {
      throw refusal("[" + list + "] must be an array, found [" + in.tokenName() + "]");
    }
    while (in.next() != JsonToken.END_ARRAY) {
      if (!in.at(JsonToken.START_OBJECT)) {
        throw refusal("[" + list + "] must hold objects, found [" + in.tokenName() + "]");
      }
      if (!in.nextKey()) {
        throw refusal("[" + list + "] holds an object that names no processor");
      }
      String type = in.key();
      if (!known.contains(type)) {
        throw in.illegalArgument(
            "Invalid processor type " + type + " in [" + list + "]" + processors(known).hint(type));
      }
      if (!in.at(JsonToken.START_OBJECT)) {
        throw refusal("processor [" + type + "] must be an object");
      }
      processor(type);
      if (in.nextKey()) {
        throw refusal(
            "["
                + list
                + "] must name one processor in each object, not ["
                + in.key()
                + "] beside ["
                + type
                + "]");
      }
    }
  }

  /** With the list for those that stand in the wrong one. */
  private static KnownNames processors(List<String> known) {
    KnownNames names = KnownNames.of(known);
    for (Map.Entry<String, List<String>> other : TYPES_BY_LIST.entrySet()) {
      for (String type : other.getValue()) {
        names = names.instead(type, "it belongs into [" + other.getKey() + "]");
      }
    }
    return names;
  }

  private void processor(String type) {
    switch (type) {
      case FILTER_QUERY -> filters.add(filterQuery());
      case ENRICHER -> models = modelDefaults();
      case NORMALIZATION -> scoring = new ScoringReader(in, NORMALIZATION).normalizing();
      case SCORE_RANKER -> scoring = new ScoringReader(in, SCORE_RANKER).ranking();
      case SCORE_EXPLANATION -> {
        while (in.nextKey()) {
          common(SCORE_EXPLANATION, in, KnownNames.NONE);
        }
      }
      case OVERSAMPLE -> oversamples.add(oversample());
      default -> responses.add(new ResponseProcessorReader(in, type).read());
    }
  }

  private Oversample oversample() {
    Double factor = null;
    String prefix = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "sample_factor" -> factor = in.number(OVERSAMPLE);
        case "context_prefix" -> prefix = in.text(OVERSAMPLE);
        default -> common(OVERSAMPLE, in, KnownNames.of("sample_factor", "context_prefix"));
      }
    }
    if (factor == null) {
      throw refusal("[sample_factor] required property is missing in processor [oversample]");
    }
    try {
      return new Oversample(factor, Oversample.key(prefix));
    } catch (IllegalArgumentException e) {
      throw in.illegalArgument(String.valueOf(e.getMessage()));
    }
  }

  private Query filterQuery() {
    Query query = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "query" -> query = queries.parseFilter(in, "[filter_query] processor's [query]");
        default -> common(FILTER_QUERY, in, KnownNames.of("query"));
      }
    }
    if (query == null) {
      throw refusal("[query] required property is missing in processor [" + FILTER_QUERY + "]");
    }
    return query;
  }

  private ModelDefaults modelDefaults() {
    String anywhere = null;
    Map<String, String> byField = new HashMap<>();
    while (in.nextKey()) {
      switch (in.key()) {
        case "default_model_id" -> anywhere = in.text(ENRICHER);
        case "neural_field_default_id" -> {
          if (!in.at(JsonToken.START_OBJECT)) {
            throw refusal("[neural_field_default_id] must map fields to models");
          }
          while (in.nextKey()) {
            String field = in.key();
            byField.put(field, in.text(ENRICHER));
          }
        }
        default -> common(ENRICHER, in, ENRICHER_KEYS);
      }
    }
    if (anywhere == null && byField.isEmpty()) {
      throw in.illegalArgument(
          "model Id or neural field map needs to be provided: processor ["
              + ENRICHER
              + "] takes [default_model_id] and [neural_field_default_id]");
    }
    return new ModelDefaults(anywhere, byField);
  }

  /**
   * Reads what every processor may say: a tag, a description, and what to do when it fails.
   *
   * @param own what this one may say beside it
   */
  static void common(String processor, JsonReader in, KnownNames own) {
    switch (in.key()) {
      case "tag", "description" -> in.text(processor);
      case "ignore_failure" -> in.flag(processor);
      default ->
          throw refusal(
              in,
              "processor ["
                  + processor
                  + "] doesn't support one or more provided configuration parameters ["
                  + in.key()
                  + "]"
                  + own.and(COMMON_KEYS).hint(in.key()));
    }
  }

  private SearchException refusal(String reason) {
    return refusal(in, reason);
  }

  static SearchException refusal(JsonReader in, String reason) {
    return new SearchException(ErrorCause.of(ErrorType.PARSE, reason).at(in.position()));
  }
}
