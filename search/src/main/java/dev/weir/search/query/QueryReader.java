package dev.weir.search.query;

import static java.util.Map.entry;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.Position;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * The read of one tree: finds the reader of each query by its name, counts clauses and depth, and
 * knows whether it is inside a filter that is common to several queries. Used once, by one thread.
 */
final class QueryReader {

  /** Reads the value under a query's name; stands on its first token, leaves on its last one. */
  private interface Kind extends BiFunction<JsonReader, QueryReader, Query> {}

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          entry("match_all", (in, _) -> TermQueries.matchAll(in)),
          entry("match_none", (in, _) -> TermQueries.matchNone(in)),
          entry("match", (in, _) -> FullTextQueries.match(in)),
          entry("match_phrase", (in, _) -> FullTextQueries.matchPhrase(in)),
          entry("multi_match", (in, _) -> FullTextQueries.multiMatch(in)),
          entry("term", (in, _) -> TermQueries.term(in)),
          entry("terms", (in, all) -> TermQueries.terms(in, all.limits())),
          entry("range", (in, _) -> RangeQueries.range(in)),
          entry("exists", (in, _) -> TermQueries.exists(in)),
          entry("ids", (in, all) -> TermQueries.ids(in, all.limits())),
          entry("prefix", (in, _) -> TermQueries.prefix(in)),
          entry("wildcard", (in, _) -> TermQueries.wildcard(in)),
          entry("geo_distance", (in, _) -> GeoQueries.distance(in)),
          entry("geo_bounding_box", (in, _) -> GeoQueries.boundingBox(in)),
          entry("geo_polygon", (in, _) -> GeoQueries.polygon(in)),
          entry("bool", CompoundQueries::bool),
          entry("constant_score", CompoundQueries::constantScore),
          entry("dis_max", CompoundQueries::disMax),
          entry("boosting", CompoundQueries::boosting),
          entry("query_string", QueryStringQueries::queryString),
          entry("simple_query_string", QueryStringQueries::simpleQueryString),
          entry("function_score", FunctionQueries::functionScore),
          entry("script_score", FunctionQueries::scriptScore),
          entry("knn", KnnQueries::knn),
          entry("nested", NestedQueries::nested),
          entry("neural", KnnQueries::neural),
          entry("hybrid", HybridQueries::hybrid));

  /** Queries of the language that are not served here: refused by name, not as a typing error. */
  static final Set<String> NOT_SERVED =
      Set.of(
          ("match_phrase_prefix match_bool_prefix combined_fields"
                  + " intervals terms_set regexp fuzzy"
                  + " has_child has_parent parent_id script more_like_this"
                  + " rank_feature distance_feature percolate wrapper template"
                  + " neural_sparse geo_shape span_term")
              .split(" "));

  private static final Set<String> SCORED_BY_THEIR_NATURE =
      Set.of("knn", "neural", "neural_sparse", "hybrid");
  private static final Set<String> SCORED_BY_MIN_SCORE = Set.of("function_score", "script_score");

  private final JsonReader in;
  private final QueryLimits limits;
  private int depth;
  private int queriesRead;
  private int clauses;

  /** What the common filter that is being read is called; null outside of one. */
  private @Nullable String commonFilter;

  /** The common filter of the {@code hybrid} that was read; null without one. */
  private @Nullable Query filterOfHybrid;

  /** The refusal that goes out as it is, however deep inside other queries it was met. */
  private @Nullable SearchException plainRefusal;

  QueryReader(JsonReader in, QueryLimits limits) {
    this.in = in;
    this.limits = limits;
  }

  /** The names of all queries that are read. */
  static Set<String> names() {
    return KINDS.keySet();
  }

  QueryLimits limits() {
    return limits;
  }

  /**
   * The query of a request, with what it requires handed down to its vector searches; the only
   * place for a {@code hybrid}.
   */
  Query outermost() {
    Query query = query("");
    // A hybrid has done it for its queries, as far as the request says.
    return query instanceof Query.Hybrid ? query : query.withOwnFilters();
  }

  /** The filter of a {@code hybrid}, which its queries are to share. */
  Query filterOfHybrid() {
    Query filter = commonFilter("[hybrid] query's [filter]");
    filterOfHybrid = filter;
    return filter;
  }

  /** The common filter as it was read, the very instance that was pushed; null without one. */
  @Nullable Query knownFilterOfHybrid() {
    return filterOfHybrid;
  }

  /** A query that stands by itself beside the query of a request. */
  Query beside() {
    return inner().withOwnFilters();
  }

  /** A query inside another one. */
  Query inner() {
    return query("query");
  }

  /** A query directly inside the {@code hybrid}. */
  Query ofHybrid() {
    return query("hybrid");
  }

  /**
   * The filter that several queries are to share. It is asked of each document by itself, so it
   * must not depend on scores: each of the queries has its own.
   *
   * @param place what to call it in a message
   */
  Query commonFilter(String place) {
    if (!in.at(JsonToken.START_OBJECT)) {
      String remedy =
          in.at(JsonToken.START_ARRAY)
              ? "; to require several, put them into the [filter] of one [bool] query"
              : "";
      throw in.parsing(
          place + " field must be a query object, found [" + in.tokenName() + "]" + remedy);
    }
    commonFilter = place;
    Query filter = inner();
    commonFilter = null;
    return filter;
  }

  /** An array of queries, or one query that stands for an array of one. */
  List<Query> inners() {
    if (!in.at(JsonToken.START_ARRAY)) {
      return List.of(inner());
    }
    List<Query> queries = new ArrayList<>();
    while (in.next() != JsonToken.END_ARRAY) {
      queries.add(inner());
    }
    return queries;
  }

  /**
   * Runs the read of one key of an object parser, which reports what goes wrong under its own name
   * and the key's, with the error itself as the cause.
   */
  <T> T field(String owner, String name, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (SearchException failure) {
      if (failure == plainRefusal) {
        throw failure;
      }
      Position place =
          failure.error().position() == null ? in.position() : failure.error().position();
      ErrorCause outer =
          JsonReader.objectParsing(place, owner, "failed to parse field [" + name + "]");
      throw new SearchException(outer.because(failure.error()));
    }
  }

  private Query query(String outer) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing("[_na] query malformed, must start with start_object");
    }
    enter();
    Position place = in.position();
    if (!in.nextKey()) {
      throw in.illegalArgument("query malformed, empty clause found");
    }
    String name = in.key();
    Kind kind = kind(name, outer);
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing("[" + name + "] query malformed, no start_object after query name");
    }
    Query query;
    int before = queriesRead;
    try {
      query = kind.apply(in, this);
    } catch (IllegalArgumentException refused) {
      throw new SearchException(
          ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(refused.getMessage()))
              .at(place));
    }
    if (in.next() != JsonToken.END_OBJECT) {
      throw in.parsing(
          "["
              + name
              + "] malformed query, expected [END_OBJECT] but found ["
              + in.tokenName()
              + "]");
    }
    leave(before);
    return query;
  }

  private void enter() {
    depth++;
    if (depth > limits.depthMax()) {
      throw plain(
          in.illegalArgument("queries are nested more than " + limits.depthMax() + " levels deep"));
    }
    queriesRead++;
  }

  /** Counts a query as a clause unless it is made of others, which have been counted. */
  private void leave(int queriesBefore) {
    depth--;
    clauses += queriesRead == queriesBefore ? 1 : 0;
    if (clauses > limits.clausesMax()) {
      throw plain(
          in.illegalArgument(
              "the query has more than "
                  + limits.clausesMax()
                  + " clauses;"
                  + " where they are values of one field, use one [terms]"));
    }
  }

  private Kind kind(String name, String outer) {
    if (commonFilter != null) {
      requireNoScores(name, commonFilter);
    }
    if (name.equals("hybrid") && !outer.isEmpty()) {
      throw plain(
          in.illegalArgument(
              outer.equals("hybrid")
                  ? "[hybrid] query cannot be nested in another [hybrid] query; list its queries in"
                      + " the outer one"
                  : "[hybrid] query must be the top level query; inside another query use [bool]"
                      + " with [should]"));
    }
    Kind kind = KINDS.get(name);
    if (kind == null) {
      String refusal =
          NOT_SERVED.contains(name)
              ? "[" + name + "] query is not supported"
              : "unknown query [" + name + "]";
      throw in.parsing(refusal + hint(name));
    }
    return kind;
  }

  private static String hint(String name) {
    KnownNames served =
        KnownNames.of(KINDS.keySet())
            .instead("fuzzy", "use [match] with [fuzziness]")
            .instead("match_phrase_prefix", "use [prefix], or [match_phrase]")
            .instead("more_like_this", "use [knn] or [neural]")
            .instead("regexp", "use [wildcard]")
            .instead("text_expansion", "use [neural]")
            .instead("semantic", "use [neural]");
    // What the language has and is not served here was not mistyped.
    return NOT_SERVED.contains(name) && !served.remedies().containsKey(name)
        ? ""
        : served.hint(name);
  }

  private void requireNoScores(String name, String place) {
    boolean scored =
        SCORED_BY_THEIR_NATURE.contains(name)
            || (SCORED_BY_MIN_SCORE.contains(name) && saysMinScore());
    if (scored) {
      throw plain(
          in.parsing(
              place
                  + " must not contain ["
                  + name
                  + "]: what it matches depends on scores, and each of the queries has scores of"
                  + " its own. Put it into the queries that it is meant for, or use [min_score] of"
                  + " the search for the combined score"));
    }
  }

  /** Looks through the object under the current key; the read ends here if it finds it. */
  private boolean saysMinScore() {
    if (!in.at(JsonToken.START_OBJECT)) {
      return false;
    }
    while (in.nextKey()) {
      if (in.key().equals("min_score")) {
        return true;
      }
      in.skip();
    }
    return false;
  }

  private SearchException plain(SearchException refusal) {
    plainRefusal = refusal;
    return refusal;
  }
}
