package dev.weir.rest;

/** All routes of the search face. */
final class Routes {
  private Routes() {}

  static Router of(RestServices services) {
    Router router = new Router();
    ClusterRoutes.addTo(router, services);
    return router;
  }
}
