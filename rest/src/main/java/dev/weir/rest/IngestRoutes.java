package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.search.SearchEngine;
import dev.weir.search.document.IngestRuns;
import dev.weir.search.ingest.IngestPipelines;
import dev.weir.search.ingest.Simulation;
import dev.weir.search.pipeline.SearchPipelines;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/** Keeping, showing and trying ingest pipelines. */
final class IngestRoutes {
  private static final String ALL = "/_ingest/pipeline";
  private static final String ONE = ALL + "/{id}";
  private static final Set<String> GET = union(UrlParameters.TIMEOUTS, Set.of("local"));
  private static final Set<String> SIMULATE = Set.of("verbose");

  private final IngestPipelines pipelines;
  private final IngestRuns runs;

  private IngestRoutes(SearchEngine engine) {
    this.pipelines = engine.ingestPipelines();
    this.runs = engine.ingestRuns();
  }

  static void addTo(Router router, RestServices services) {
    IngestRoutes routes = new IngestRoutes(services.engine());
    router.add(Method.GET, ALL, GET, routes::get);
    router.add(Method.GET, ONE, GET, routes::get);
    router.addPending(Method.PUT, ONE, UrlParameters.TIMEOUTS, routes::put);
    router.addPending(Method.DELETE, ONE, UrlParameters.TIMEOUTS, routes::delete);
    for (Method method : List.of(Method.GET, Method.POST)) {
      router.addPending(method, ALL + "/_simulate", SIMULATE, routes::simulate);
      router.addPending(method, ONE + "/_simulate", SIMULATE, routes::simulate);
    }
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

  /** Waits for models as the writes do that it stands for. */
  private CompletableFuture<RestResponse> simulate(RestRequest request) {
    byte[] body = request.requiredBody();
    Simulation.Detail detail =
        request.flag("verbose") ? Simulation.Detail.STEPS : Simulation.Detail.RESULT;
    return runs.run(
        body.length,
        () -> {
          Simulation simulation =
              Simulation.run(
                  pipelines,
                  request.segmentIfAny("id").orElse(null),
                  new String(body, StandardCharsets.UTF_8),
                  detail);
          return RestResponse.json(200, simulation::write);
        });
  }
}
