package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.execute.ExplainResponse;
import dev.weir.search.execute.Searches;
import dev.weir.search.json.StrictJson;
import dev.weir.search.query.QueryParser;
import dev.weir.search.request.SearchRequestParser;
import java.util.List;
import java.util.Set;

/** Why a document has its score, or none. */
final class ExplainRoutes {
  private static final String PIPELINE = "search_pipeline";

  private static final Set<String> KNOWN =
      union(UrlParameters.QUERY_STRING, Set.of("preference", "routing", PIPELINE));

  private static final byte[] NO_BODY = {};

  private final Searches searches;

  private ExplainRoutes(Searches searches) {
    this.searches = searches;
  }

  static void addTo(Router router, RestServices services) {
    ExplainRoutes routes = new ExplainRoutes(services.engine().searches());
    for (Method method : List.of(Method.GET, Method.POST)) {
      router.add(method, "/{index}/_explain/{id}", KNOWN, routes::explain);
    }
  }

  private RestResponse explain(RestRequest request) {
    UrlParameters.refuseQueryString(request);
    if (request.body().length == 0) {
      throw new SearchException(
          ErrorType.REQUEST_VALIDATION, "Validation Failed: 1: query is missing;");
    }
    ExplainResponse explained =
        searches.explain(
            request.segment("index"),
            request.segment("id"),
            QueryParser.DEFAULT.parseBody(StrictJson.parser(request.body())),
            SearchRequestParser.DEFAULT
                .parse(StrictJson.parser(NO_BODY), request.parameters(Set.of(PIPELINE)))
                .pipeline());
    int status =
        switch (explained) {
          case ExplainResponse.Missing _ -> 404;
          case ExplainResponse.Explained _ -> 200;
        };
    return RestResponse.json(request.budget(), status, explained::write);
  }
}
