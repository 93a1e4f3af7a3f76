package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.KnnOptions.NestedDocs;
import dev.weir.search.query.VectorSearch.Knn;
import dev.weir.search.query.VectorSearch.Neural;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reader of {@code knn} and {@code neural}. */
final class KnnQueries {

  private static final String KNN = "knn";

  /** What the query has beside its options where the field is no key. */
  private static final KnownNames ELSEWHERE_KEYS =
      KnownNames.of("field", "query_vector", "num_candidates");

  private static final KnownNames METHOD_PARAMETERS = KnownNames.of("ef_search", "nprobes");

  private static final KnownNames KEYS =
      KnownNames.of(
              "vector",
              "k",
              "max_distance",
              "min_score",
              "filter",
              "method_parameters",
              "rescore",
              "expand_nested_docs",
              "ignore_unmapped",
              "outer_filters",
              "boost",
              "_name")
          .instead("num_candidates", "use [ef_search] in [method_parameters]")
          .instead("ef_search", "put it into [method_parameters]")
          .instead("nprobes", "put it into [method_parameters]")
          .instead("similarity", "use [min_score] or [max_distance] in place of [k]")
          .instead("query_vector", "use [vector]")
          .instead("oversample_factor", "put it into [rescore]");

  private static final String NEURAL = "neural";
  private static final int NEURAL_K_DEFAULT = 10;
  private static final KnownNames NEURAL_KEYS = neuralKeys();

  private final JsonReader in;
  private final QueryReader all;
  private final String owner; // the name of the query
  private final Label label = new Label();
  private @Nullable String text;
  private @Nullable String modelId;
  private float @Nullable [] vector;
  private @Nullable Integer k;
  private @Nullable Float maxDistance;
  private @Nullable Float minScore;
  private @Nullable Query filter;
  private @Nullable Integer efSearch;
  private @Nullable Integer nprobes;
  private @Nullable Rescore rescore;
  private boolean ignoreUnmapped;
  private NestedDocs nestedDocs = NestedDocs.BEST;
  private OuterFilters outerFilters = OuterFilters.INSIDE;

  private KnnQueries(JsonReader in, QueryReader all, String owner) {
    this.in = in;
    this.all = all;
    this.owner = owner;
  }

  private static KnownNames neuralKeys() {
    Set<String> names = new HashSet<>(KEYS.names());
    names.remove("vector");
    Map<String, String> remedies = new HashMap<>(KEYS.remedies());
    remedies.put("vector", "use [query_text], or the query [knn] for a vector");
    remedies.put("query_vector", "use [query_text], or the query [knn] for a vector");
    return new KnownNames(names, remedies).and("query_text", "model_id");
  }

  static Query knn(JsonReader in, QueryReader all) {
    return FieldObject.read(in, KNN, field -> new KnnQueries(in, all, KNN).of(field));
  }

  static Query neural(JsonReader in, QueryReader all) {
    return FieldObject.read(in, NEURAL, field -> new KnnQueries(in, all, NEURAL).neural(field));
  }

  private Neural neural(String field) {
    requireField(field);
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.illegalArgument("[neural] must be an object with [query_text]");
    }
    while (in.nextKey()) {
      neuralKey();
    }
    if (text == null || text.isBlank()) {
      throw in.illegalArgument("[neural] requires [query_text], a text that is not blank");
    }
    if (modelId != null && modelId.isBlank()) {
      throw in.illegalArgument("[neural] [model_id] must not be blank");
    }
    if (k == null && maxDistance == null && minScore == null) {
      k = NEURAL_K_DEFAULT;
    }
    return new Neural(
        field, text, modelId, extent(), filter, options(), label.boost(), label.name());
  }

  private void neuralKey() {
    switch (in.key()) {
      case "query_text" -> text = in.text(NEURAL);
      case "model_id" -> modelId = in.text(NEURAL);
      case "query_image", "query_tokens", "semantic_field_search_analyzer" ->
          throw in.illegalArgument(
              "[neural] [" + in.key() + "] is not supported: models here embed text");
      case "vector" -> throw in.unknownField(NEURAL, NEURAL_KEYS);
      default -> key();
    }
  }

  private Knn of(String field) {
    requireField(field);
    if (in.at(JsonToken.START_OBJECT)) {
      while (in.nextKey()) {
        key();
      }
    } else {
      vector = vector();
    }
    if (vector == null) {
      throw in.illegalArgument("[knn] requires query vector");
    }
    return new Knn(
        field, QueryVector.of(vector), extent(), filter, options(), label.boost(), label.name());
  }

  /**
   * Refuses an option in the place of the field, as other engines write these queries. A field of
   * that name has an object behind it.
   */
  private void requireField(String name) {
    boolean isOption =
        KEYS.contains(name) || NEURAL_KEYS.contains(name) || ELSEWHERE_KEYS.contains(name);
    if (isOption && !in.at(JsonToken.START_OBJECT)) {
      String inside = owner.equals(NEURAL) ? "\"query_text\": \"…\"" : "\"vector\": […]";
      throw in.parsing(
          "["
              + owner
              + "] has no field before ["
              + name
              + "]: the name of the field is the key around its options, as in {\""
              + owner
              + "\": {\"my_field\": {"
              + inside
              + ", \"k\": 10}}}");
    }
  }

  private KnnOptions options() {
    if (rescore != null && k == null) {
      throw in.illegalArgument("[" + owner + "] [rescore] goes with [k] only");
    }
    return new KnnOptions(efSearch, nprobes, rescore, ignoreUnmapped, nestedDocs, outerFilters);
  }

  private void key() {
    switch (in.key()) {
      case "vector" -> vector = vector();
      case "k" -> k = in.integer(owner);
      case "max_distance" -> maxDistance = in.decimal(owner);
      case "min_score" -> minScore = in.decimal(owner);
      case "filter" -> filter = filter();
      case "method_parameters" -> methodParameters();
      case "rescore" -> rescore = rescore();
      case "expand_nested_docs" -> nestedDocs = in.flag(owner) ? NestedDocs.ALL : NestedDocs.BEST;
      case "ignore_unmapped" -> ignoreUnmapped = in.flag(owner);
      case "outer_filters" -> outerFilters = OuterFiltersReader.read(in, owner);
      default -> {
        if (!label.take(in, owner)) {
          throw in.unknownField(owner, owner.equals(NEURAL) ? NEURAL_KEYS : KEYS);
        }
      }
    }
  }

  private KnnExtent extent() {
    int said = (k == null ? 0 : 1) + (maxDistance == null ? 0 : 1) + (minScore == null ? 0 : 1);
    if (said != 1) {
      throw in.illegalArgument(
          "["
              + owner
              + "] requires exactly one of k, max_distance or min_score to be set, found "
              + said);
    }
    if (k != null) {
      return new KnnExtent.Nearest(k);
    }
    return minScore != null
        ? new KnnExtent.MinScore(minScore)
        : new KnnExtent.MaxDistance(maxDistance == null ? 0 : maxDistance);
  }

  /** A scalar counts as a vector of one dimension. */
  private float[] vector() {
    if (!in.at(JsonToken.START_ARRAY)) {
      return new float[] {component()};
    }
    float[] values = new float[128];
    int dimension = 0;
    while (in.next() != JsonToken.END_ARRAY) {
      if (dimension == values.length) {
        values = Arrays.copyOf(values, 2 * dimension);
      }
      values[dimension] = component();
      dimension++;
    }
    if (dimension == 0) {
      throw in.objectParsing(owner, "[vector] must not be empty");
    }
    return Arrays.copyOf(values, dimension);
  }

  private float component() {
    float value = Float.NaN;
    if (in.atNumber()) {
      value = in.decimalOrInfinite(owner);
    } else if (in.at(JsonToken.VALUE_STRING)) {
      value = all.field(owner, "vector", () -> in.decimalOrInfinite(owner));
    }
    if (!Float.isFinite(value)) {
      throw in.objectParsing(
          owner, "[vector] must be an array of finite numbers, found [" + in.tokenName() + "]");
    }
    return value;
  }

  private Query filter() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.objectParsing(
          owner,
          "filter doesn't support values of type: "
              + in.tokenName()
              + "; it must be one query object");
    }
    return all.field(owner, "filter", all::inner);
  }

  private void methodParameters() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.objectParsing(
          owner, "method_parameters doesn't support values of type: " + in.tokenName());
    }
    boolean any = false;
    while (in.nextKey()) {
      any = true;
      String name = in.key();
      switch (name) {
        case "ef_search" -> efSearch = all.field(owner, name, () -> in.integer(owner));
        case "nprobes" -> nprobes = all.field(owner, name, () -> in.integer(owner));
        default ->
            throw in.objectParsing(
                owner, "unknown method parameter [" + name + "]" + METHOD_PARAMETERS.hint(name));
      }
    }
    if (!any) {
      throw in.objectParsing(owner, "[method_parameters] must not be empty");
    }
  }

  private Rescore rescore() {
    if (!in.at(JsonToken.START_OBJECT)) {
      return in.flag(owner) ? new Rescore.Automatic() : new Rescore.Off();
    }
    Rescore read = new Rescore.Automatic();
    while (in.nextKey()) {
      if (!in.key().equals("oversample_factor")) {
        throw in.objectParsing(
            owner,
            "[rescore] unknown field ["
                + in.key()
                + "]"
                + KnownNames.of("oversample_factor").hint(in.key()));
      }
      read = new Rescore.Oversample(in.decimal(owner));
    }
    return read;
  }
}
