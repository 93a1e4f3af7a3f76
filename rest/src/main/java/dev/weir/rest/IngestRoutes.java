package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.search.SearchEngine;
import dev.weir.search.document.IngestRuns;
import dev.weir.search.ingest.IngestPipelines;
import dev.weir.search.ingest.Simulation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
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
    IngestPipelines pipelines = services.engine().ingestPipelines();
    new DefinitionRoutes(pipelines::definitions, pipelines::put, pipelines::delete)
        .addTo(router, ALL, GET);
    for (Method method : List.of(Method.GET, Method.POST)) {
      router.addPending(method, ALL + "/_simulate", SIMULATE, routes::simulate);
      router.addPending(method, ONE + "/_simulate", SIMULATE, routes::simulate);
    }
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
