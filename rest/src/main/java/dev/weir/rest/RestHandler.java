package dev.weir.rest;

/** Answers the requests of one route. Called on a request thread; it may block. */
@FunctionalInterface
interface RestHandler {
  /**
   * Answers one request.
   *
   * @throws dev.weir.search.error.SearchException for every refusal; it is answered in the error
   *     shape with its own status
   */
  RestResponse handle(RestRequest request);
}
