package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.search.aggregation.result.ResultWriter;
import dev.weir.search.error.SearchException;
import dev.weir.search.execute.SearchResponse;
import dev.weir.search.execute.SearchResponse.Form;
import dev.weir.search.execute.SearchResponse.TotalForm;
import dev.weir.search.execute.Searches;
import dev.weir.search.execute.ValidationResponse;
import dev.weir.search.json.StrictJson;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SearchRequestParser;
import dev.weir.search.request.TrackTotalHits;
import java.util.Set;
import java.util.TreeSet;

/** Searching, counting, and checking queries. */
final class SearchRoutes {
  /** Say where or how a search runs on a larger cluster; without meaning on one node. */
  private static final Set<String> PASSED_OVER =
      Set.of(
          "preference",
          "routing",
          "batched_reduce_size",
          "ccs_minimize_roundtrips",
          "max_concurrent_shard_requests",
          "pre_filter_shard_size",
          "allow_partial_search_results",
          "ignore_throttled",
          "phase_took");

  private static final Set<String> NOT_SERVED =
      Set.of("scroll", "verbose_pipeline", "include_named_queries_score");

  static final Set<String> SEARCH =
      union(
          union(SearchRequestParser.PARAMETERS, UrlParameters.INDICES, UrlParameters.QUERY_STRING),
          union(PASSED_OVER, NOT_SERVED),
          Set.of("rest_total_hits_as_int", "typed_keys"));

  private static final Set<String> COUNT_LIMITS = Set.of("terminate_after", "weir_min_offset");

  private static final Set<String> COUNT =
      union(
          UrlParameters.INDICES,
          UrlParameters.QUERY_STRING,
          union(Set.of("preference", "routing", "ignore_throttled", "min_score"), COUNT_LIMITS));

  private static final Set<String> VALIDATE =
      union(
          UrlParameters.INDICES,
          UrlParameters.QUERY_STRING,
          Set.of("explain", "rewrite", "all_shards"));

  private final Searches searches;
  private final IndexExpressions expressions;

  private SearchRoutes(Searches searches, IndexExpressions expressions) {
    this.searches = searches;
    this.expressions = expressions;
  }

  static void addTo(Router router, RestServices services) {
    SearchRoutes routes =
        new SearchRoutes(services.engine().searches(), IndexExpressions.of(services));
    for (Method method : new Method[] {Method.GET, Method.POST}) {
      for (String index : new String[] {"", "/{index}"}) {
        router.add(method, index + "/_search", SEARCH, routes::search);
        router.add(method, index + "/_count", COUNT, routes::count);
        router.add(method, index + "/_validate/query", VALIDATE, routes::validate);
      }
    }
  }

  private RestResponse search(RestRequest request) {
    UrlParameters.refuseQueryString(request);
    refuseNotServed(request);
    SearchRequest search =
        SearchRequestParser.DEFAULT.parse(
            StrictJson.parser(request.body()), request.parameters(SearchRequestParser.PARAMETERS));
    Form form = form(request);
    SearchResponse found =
        searches.search(expressions.of(request), counted(search, form.total()), request.budget());
    return RestResponse.json(request.budget(), 200, json -> found.write(json, form));
  }

  private static void refuseNotServed(RestRequest request) {
    for (String name : new TreeSet<>(NOT_SERVED)) {
      request
          .parameter(name)
          .filter(value -> !value.equals("false"))
          .ifPresent(
              value -> {
                throw SearchException.illegalArgument(
                    "[" + name + "] is not supported, found [" + value + "]");
              });
    }
  }

  static Form form(RestRequest request) {
    return new Form(
        request.flag("rest_total_hits_as_int") ? TotalForm.NUMBER : TotalForm.OBJECT,
        request.flag("typed_keys") ? ResultWriter.Names.TYPED : ResultWriter.Names.PLAIN);
  }

  /**
   * A bare number has no room for "at least", so where it is asked for every document is counted,
   * and a bound is refused.
   */
  static SearchRequest counted(SearchRequest search, TotalForm form) {
    return switch (form) {
      case OBJECT -> search;
      case NUMBER ->
          switch (search.trackTotalHits()) {
            case TrackTotalHits.Exact _, TrackTotalHits.Off _ -> search;
            case TrackTotalHits.UpTo bound -> {
              if (!bound.equals(TrackTotalHits.DEFAULT)) {
                throw SearchException.illegalArgument(
                    "[rest_total_hits_as_int] cannot be used if the tracking of total hits is not"
                        + " accurate, got "
                        + bound.threshold());
              }
              yield search.withTotalHits(new TrackTotalHits.Exact());
            }
          };
    };
  }

  private RestResponse count(RestRequest request) {
    UrlParameters.refuseQueryString(request);
    if (request.parameter("min_score").isPresent()) {
      throw SearchException.illegalArgument(
          "[min_score] is not supported by _count, which counts every match");
    }
    SearchRequest.Limits limits =
        SearchRequestParser.DEFAULT
            .parse(StrictJson.parser("{}"), request.parameters(COUNT_LIMITS))
            .limits();
    Query query = QueryParser.DEFAULT.parseBody(StrictJson.parser(request.body()));
    var counted = searches.count(expressions.of(request), query, limits, request.budget());
    return RestResponse.json(200, counted::write);
  }

  /** A query that cannot be read is an answer here, not a failure. */
  private RestResponse validate(RestRequest request) {
    UrlParameters.refuseQueryString(request);
    boolean explained = request.flag("explain") || request.flag("rewrite");
    Query query;
    try {
      query = QueryParser.DEFAULT.parseBody(StrictJson.parser(request.body()));
    } catch (SearchException unreadable) {
      return RestResponse.json(
          200,
          json -> {
            json.writeStartObject();
            json.writeBooleanProperty("valid", false);
            if (explained) {
              json.writeStringProperty(
                  "error",
                  unreadable.error().type().typeName() + ": " + unreadable.error().reason());
            }
            json.writeEndObject();
          });
    }
    ValidationResponse verdict =
        searches.validate(expressions.of(request), query, request.budget());
    return RestResponse.json(
        request.budget(),
        200,
        json -> {
          if (explained) {
            verdict.writeExplained(json);
          } else {
            verdict.write(json);
          }
        });
  }
}
