package dev.weir.rest;

/** All routes of the search face. */
final class Routes {
  private Routes() {}

  /**
   * Builds the router.
   *
   * @param bodyBytesMax what the nodes API tells as the largest body
   * @param counters what the face counts
   */
  static Router of(RestServices services, int bodyBytesMax, HttpCounters counters) {
    Router router = new Router();
    ClusterRoutes.addTo(router, services);
    NodeRoutes.addTo(router, services, bodyBytesMax);
    StatsRoutes.addTo(router, services, counters);
    CatRoutes.addTo(router, services);
    CompactionRoutes.addTo(router, services);
    SearchRoutes.addTo(router, services);
    ExplainRoutes.addTo(router, services);
    MultiSearchRoutes.addTo(router, services);
    RankEvalRoutes.addTo(router, services);
    PipelineRoutes.addTo(router, services);
    IngestRoutes.addTo(router, services);
    ModelRoutes.addTo(router, services);
    IndexRoutes.addTo(router, services);
    AliasRoutes.addTo(router, services);
    DocumentRoutes.addTo(router, services);
    BulkRoutes.addTo(router, services);
    return router;
  }
}
