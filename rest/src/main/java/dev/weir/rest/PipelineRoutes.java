package dev.weir.rest;

import dev.weir.search.pipeline.SearchPipelines;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/** Keeping and showing search pipelines. */
final class PipelineRoutes {
  private final SearchPipelines pipelines;

  private PipelineRoutes(SearchPipelines pipelines) {
    this.pipelines = pipelines;
  }

  static void addTo(Router router, RestServices services) {
    PipelineRoutes routes = new PipelineRoutes(services.engine().pipelines());
    router.add(Method.GET, "/_search/pipeline", UrlParameters.TIMEOUTS, routes::get);
    router.add(Method.GET, "/_search/pipeline/{id}", UrlParameters.TIMEOUTS, routes::get);
    router.addPending(Method.PUT, "/_search/pipeline/{id}", UrlParameters.TIMEOUTS, routes::put);
    router.addPending(
        Method.DELETE, "/_search/pipeline/{id}", UrlParameters.TIMEOUTS, routes::delete);
  }

  /** All of none is an empty map; a name of none is not found, with an empty map as well. */
  private RestResponse get(RestRequest request) {
    String expression = request.segmentIfAny("id").orElse("*");
    SortedMap<String, String> found = pipelines.definitions(expression);
    int status = found.isEmpty() && !expression.equals("*") ? 404 : 200;
    return RestResponse.json(status, json -> SearchPipelines.write(found, json));
  }

  private CompletableFuture<RestResponse> put(RestRequest request) {
    String definition = new String(request.requiredBody(), StandardCharsets.UTF_8);
    return pipelines
        .put(request.segment("id"), definition)
        .thenApply(_ -> RestResponse.acknowledged());
  }

  private CompletableFuture<RestResponse> delete(RestRequest request) {
    return pipelines.delete(request.segment("id")).thenApply(_ -> RestResponse.acknowledged());
  }
}
