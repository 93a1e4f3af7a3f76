package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.Boosting;
import dev.weir.search.query.Query.ConstantScore;
import dev.weir.search.query.Query.DisMax;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonToken;

/** Readers of the queries that are made of queries. Each stands on its start, ends on its end. */
final class CompoundQueries {

  private static final KnownNames BOOL_KEYS =
      KnownNames.of(
          "must",
          "filter",
          "should",
          "must_not",
          "minimum_should_match",
          "adjust_pure_negative",
          "boost",
          "_name");

  private static final KnownNames CONSTANT_SCORE_KEYS = KnownNames.of("filter");
  private static final KnownNames DIS_MAX_KEYS = KnownNames.of("queries", "tie_breaker");
  private static final KnownNames BOOSTING_KEYS =
      KnownNames.of("positive", "negative", "negative_boost");

  private CompoundQueries() {}

  static Query bool(JsonReader in, QueryReader all) {
    Label label = new Label();
    List<Query> must = new ArrayList<>();
    List<Query> filter = new ArrayList<>();
    List<Query> should = new ArrayList<>();
    List<Query> mustNot = new ArrayList<>();
    MinimumShouldMatch minimum = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "must" -> must.addAll(clauses(in, all));
        case "filter" -> filter.addAll(clauses(in, all));
        case "should" -> should.addAll(clauses(in, all));
        case "must_not", "mustNot" -> mustNot.addAll(clauses(in, all));
        case "minimum_should_match" -> minimum = MatchOptionsReader.minimumShouldMatch(in, "bool");
        case "adjust_pure_negative" -> requireTrue(in);
        default -> {
          if (!label.take(in, "bool")) {
            throw in.unknownField("bool", BOOL_KEYS);
          }
        }
      }
    }
    return new Bool(must, filter, should, mustNot, minimum, label.boost(), label.name());
  }

  private static List<Query> clauses(JsonReader in, QueryReader all) {
    String name = in.key();
    if (in.at(JsonToken.VALUE_NULL)) {
      return List.of();
    }
    if (in.atScalar()) {
      throw in.objectParsing("bool", name + " doesn't support values of type: " + in.tokenName());
    }
    return all.field("bool", name, all::inners);
  }

  private static void requireTrue(JsonReader in) {
    if (!in.flag("bool")) {
      throw in.parsing(
          "[bool] query does not support [adjust_pure_negative] [false]; a query that must match"
              + " nothing is [match_none]");
    }
  }

  static Query constantScore(JsonReader in, QueryReader all) {
    String owner = "constant_score";
    Label label = new Label();
    Query filter = null;
    while (in.nextKey()) {
      if (!in.key().equals("filter")) {
        label.takeOrRefuse(in, owner, CONSTANT_SCORE_KEYS);
      } else if (in.at(JsonToken.START_ARRAY)) {
        throw in.parsing("unexpected token [START_ARRAY] after [filter] of [constant_score]");
      } else {
        filter = all.inner();
      }
    }
    if (filter == null) {
      throw in.parsing("[constant_score] requires a 'filter' element");
    }
    return new ConstantScore(filter, label.boost(), label.name());
  }

  static Query disMax(JsonReader in, QueryReader all) {
    String owner = "dis_max";
    Label label = new Label();
    List<Query> queries = List.of();
    float tieBreaker = 0;
    while (in.nextKey()) {
      switch (in.key()) {
        case "queries" -> queries = all.inners();
        case "tie_breaker" -> tieBreaker = Checks.tieBreaker(in.decimal(owner));
        default -> label.takeOrRefuse(in, owner, DIS_MAX_KEYS);
      }
    }
    if (queries.isEmpty()) {
      throw in.parsing("[dis_max] requires 'queries' field with at least one clause");
    }
    return new DisMax(queries, tieBreaker, label.boost(), label.name());
  }

  static Query boosting(JsonReader in, QueryReader all) {
    String owner = "boosting";
    Label label = new Label();
    Query positive = null;
    Query negative = null;
    float negativeBoost = -1;
    while (in.nextKey()) {
      switch (in.key()) {
        case "positive" -> positive = all.inner();
        case "negative" -> negative = all.inner();
        case "negative_boost" -> negativeBoost = in.decimal(owner);
        default -> label.takeOrRefuse(in, owner, BOOSTING_KEYS);
      }
    }
    if (positive == null) {
      throw in.parsing("[boosting] query requires 'positive' query to be set");
    }
    if (negative == null) {
      throw in.parsing("[boosting] query requires 'negative' query to be set");
    }
    if (!(negativeBoost >= 0)) {
      throw in.parsing(
          "[boosting] query requires 'negative_boost' to be set to be a positive value");
    }
    return new Boosting(positive, negative, negativeBoost, label.boost(), label.name());
  }
}
