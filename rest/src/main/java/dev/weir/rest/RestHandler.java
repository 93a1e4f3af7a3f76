package dev.weir.rest;

/**
 * Answers the requests of one route at once. Called on a request thread; it may be busy long, but
 * it waits for nobody.
 */
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
