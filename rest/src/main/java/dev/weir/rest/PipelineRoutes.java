package dev.weir.rest;

import dev.weir.search.pipeline.SearchPipelines;

/** Keeping and showing search pipelines. */
final class PipelineRoutes {
  private PipelineRoutes() {}

  static void addTo(Router router, RestServices services) {
    SearchPipelines pipelines = services.engine().pipelines();
    new DefinitionRoutes(pipelines::definitions, pipelines::put, pipelines::delete)
        .addTo(router, "/_search/pipeline", UrlParameters.TIMEOUTS);
  }
}
