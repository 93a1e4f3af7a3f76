package dev.weir.search.query;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Query.Hybrid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Reader of {@code hybrid}. The common filter goes into the queries here, once, so that nobody
 * after the parser has to know that there was one.
 */
final class HybridQueries {

  private static final String HYBRID = "hybrid";

  /** As far from 1 as the sum of weights may be, with room for the error of the addition. */
  private static final double WEIGHT_SUM_TOLERANCE = 0.01 + 1e-9;

  private static final KnownNames KEYS =
      KnownNames.of(
          "queries", "filter", "filter_mode", "filter_push_down", "weights", "pagination_depth");

  private final JsonReader in;
  private final QueryReader all;
  private final Label label = new Label();
  private List<Query> queries = List.of();
  private @Nullable Query filter;
  private FilterMode mode = FilterMode.AND;
  private PushDown reach = PushDown.VECTORS;
  private @Nullable Integer paginationDepth;
  private List<Double> weights = List.of();

  private HybridQueries(JsonReader in, QueryReader all) {
    this.in = in;
    this.all = all;
  }

  static Query hybrid(JsonReader in, QueryReader all) {
    return new HybridQueries(in, all).read();
  }

  private Query read() {
    while (in.nextKey()) {
      key();
    }
    if (queries.isEmpty()) {
      throw in.parsing("[hybrid] requires 'queries' field with at least one clause");
    }
    if (label.boost() != Query.NO_BOOST) {
      throw in.parsing("[hybrid] query does not support [boost]; boost its queries or weight them");
    }
    if (!weights.isEmpty() && weights.size() != queries.size()) {
      throw in.illegalArgument(
          "[hybrid] [weights] must be as many as its [queries], one for each in their order;"
              + " weights="
              + weights.size()
              + " queries="
              + queries.size());
    }
    requireSum();
    Query filtered =
        new Hybrid(queries, paginationDepth, weights, label.boost(), label.name())
            .filteredBy(filter, mode, reach);
    return switch (reach) {
      case VECTORS, DEEP -> filtered.withOwnFilters();
      case SHALLOW -> filtered; // OpenSearch's transform and nothing more
    };
  }

  private void key() {
    switch (in.key()) {
      case "queries" -> queries = queries();
      case "filter" -> filter = all.filterOfHybrid();
      case "filter_mode" -> mode = mode();
      case "filter_push_down" -> reach = reach();
      case "weights" -> weights = weights();
      case "pagination_depth" -> paginationDepth = depth();
      default -> label.takeOrRefuse(in, HYBRID, KEYS);
    }
  }

  private List<Query> queries() {
    if (!in.at(JsonToken.START_ARRAY)) {
      return List.of(all.ofHybrid());
    }
    List<Query> read = new ArrayList<>();
    while (in.next() != JsonToken.END_ARRAY) {
      if (read.size() == all.limits().hybridQueriesMax()) {
        throw in.parsing(
            "Number of sub-queries exceeds maximum supported by [hybrid] query, which is "
                + all.limits().hybridQueriesMax()
                + " whatever the index setting [index.weir.hybrid.max_queries] says; combine some"
                + " of them in a [bool] or [dis_max] query");
      }
      read.add(all.ofHybrid());
    }
    return read;
  }

  /** The rules are those of the weights in a search pipeline. */
  private List<Double> weights() {
    if (!in.at(JsonToken.START_ARRAY)) {
      throw in.parsing(
          "[hybrid] [weights] must be an array with a number for each of its [queries], found ["
              + in.tokenName()
              + "]");
    }
    List<Double> read = new ArrayList<>();
    while (in.next() != JsonToken.END_ARRAY) {
      double weight = in.number(HYBRID);
      if (!(weight >= 0 && weight <= 1)) {
        throw in.illegalArgument(
            "[hybrid] each of [weights] must be between 0.0 and 1.0, got [" + weight + "]");
      }
      if (read.size() == all.limits().hybridQueriesMax()) {
        throw in.illegalArgument(
            "[hybrid] has more [weights] than it can have [queries], which are at most "
                + all.limits().hybridQueriesMax());
      }
      read.add(weight);
    }
    if (read.isEmpty()) {
      throw in.illegalArgument("[hybrid] [weights] must sum to 1.0, there are none");
    }
    return read;
  }

  /** Asked when it is known that they are as many as the queries: one left out changes the sum. */
  private void requireSum() {
    double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
    if (!weights.isEmpty() && Math.abs(sum - 1) > WEIGHT_SUM_TOLERANCE) {
      throw in.illegalArgument(
          "[hybrid] [weights] must sum to 1.0, sum=" + (float) sum + " weights=" + weights);
    }
  }

  private FilterMode mode() {
    String name = in.text(HYBRID);
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "and" -> FilterMode.AND;
      case "or" -> FilterMode.OR;
      case "ignore_if_exists" -> FilterMode.IGNORE_IF_EXISTS;
      default ->
          throw in.parsing(
              "[hybrid] query's [filter_mode] must be [and], [or] or [ignore_if_exists], got ["
                  + name
                  + "]");
    };
  }

  private PushDown reach() {
    String name = in.text(HYBRID);
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "vectors" -> PushDown.VECTORS;
      case "shallow" -> PushDown.SHALLOW;
      case "deep" -> PushDown.DEEP;
      default ->
          throw in.parsing(
              "[hybrid] query's [filter_push_down] must be [vectors], [shallow] or [deep], got ["
                  + name
                  + "]");
    };
  }

  /** The upper bound is a setting of the index and is checked there. */
  private int depth() {
    int depth = in.integer(HYBRID);
    if (depth < 1) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.QUERY_SHARD,
                  "[hybrid] [pagination_depth] must be at least 1, got " + depth)
              .at(in.position()));
    }
    return depth;
  }
}
