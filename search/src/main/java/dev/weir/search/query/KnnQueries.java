package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.query.KnnOptions.NestedDocs;
import dev.weir.search.query.Query.Knn;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reader of {@code knn}. */
final class KnnQueries {

  private static final String KNN = "knn";
  private static final List<String> KEYS =
      List.of(
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
          "_name");

  private final JsonReader in;
  private final QueryReader all;
  private final Label label = new Label();
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

  private KnnQueries(JsonReader in, QueryReader all) {
    this.in = in;
    this.all = all;
  }

  static Query knn(JsonReader in, QueryReader all) {
    return FieldObject.read(in, KNN, field -> new KnnQueries(in, all).of(field));
  }

  private Knn of(String field) {
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
    KnnExtent extent = extent();
    if (rescore != null && !(extent instanceof KnnExtent.Nearest)) {
      throw in.illegalArgument("[knn] [rescore] goes with [k] only");
    }
    KnnOptions options =
        new KnnOptions(efSearch, nprobes, rescore, ignoreUnmapped, nestedDocs, outerFilters);
    return new Knn(
        field, QueryVector.of(vector), extent, filter, options, label.boost(), label.name());
  }

  private void key() {
    switch (in.key()) {
      case "vector" -> vector = vector();
      case "k" -> k = in.integer(KNN);
      case "max_distance" -> maxDistance = in.decimal(KNN);
      case "min_score" -> minScore = in.decimal(KNN);
      case "filter" -> filter = filter();
      case "method_parameters" -> methodParameters();
      case "rescore" -> rescore = rescore();
      case "expand_nested_docs" -> nestedDocs = in.flag(KNN) ? NestedDocs.ALL : NestedDocs.BEST;
      case "ignore_unmapped" -> ignoreUnmapped = in.flag(KNN);
      case "outer_filters" -> outerFilters = OuterFiltersReader.read(in, KNN);
      default -> {
        if (!label.take(in, KNN)) {
          throw in.unknownField(KNN, KEYS);
        }
      }
    }
  }

  private KnnExtent extent() {
    int said = (k == null ? 0 : 1) + (maxDistance == null ? 0 : 1) + (minScore == null ? 0 : 1);
    if (said != 1) {
      throw in.illegalArgument(
          "[knn] requires exactly one of k, max_distance or min_score to be set, found " + said);
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
      throw in.objectParsing(KNN, "[vector] must not be empty");
    }
    return Arrays.copyOf(values, dimension);
  }

  private float component() {
    float value = Float.NaN;
    if (in.atNumber()) {
      value = in.decimal(KNN);
    } else if (in.at(JsonToken.VALUE_STRING)) {
      value = all.field(KNN, "vector", () -> in.decimal(KNN));
    }
    if (!Float.isFinite(value)) {
      throw in.objectParsing(
          KNN, "[vector] must be an array of finite numbers, found [" + in.tokenName() + "]");
    }
    return value;
  }

  private Query filter() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.objectParsing(
          KNN,
          "filter doesn't support values of type: "
              + in.tokenName()
              + "; it must be one query object");
    }
    return all.field(KNN, "filter", all::inner);
  }

  private void methodParameters() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.objectParsing(
          KNN, "method_parameters doesn't support values of type: " + in.tokenName());
    }
    boolean any = false;
    while (in.nextKey()) {
      any = true;
      String name = in.key();
      switch (name) {
        case "ef_search" -> efSearch = all.field(KNN, name, () -> in.integer(KNN));
        case "nprobes" -> nprobes = all.field(KNN, name, () -> in.integer(KNN));
        default -> throw in.objectParsing(KNN, "unknown method parameter [" + name + "]");
      }
    }
    if (!any) {
      throw in.objectParsing(KNN, "[method_parameters] must not be empty");
    }
  }

  private Rescore rescore() {
    if (!in.at(JsonToken.START_OBJECT)) {
      return in.flag(KNN) ? new Rescore.Automatic() : new Rescore.Off();
    }
    Rescore read = new Rescore.Automatic();
    while (in.nextKey()) {
      if (!in.key().equals("oversample_factor")) {
        throw in.objectParsing(KNN, "[rescore] unknown field [" + in.key() + "]");
      }
      read = new Rescore.Oversample(in.decimal(KNN));
    }
    return read;
  }
}
