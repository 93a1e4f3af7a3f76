package dev.weir.rest;

import dev.weir.search.pipeline.SearchPipelines;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Keeping, showing and forgetting the definitions of one kind.
 *
 * @param matching gives those that an expression names
 * @param put keeps one, by its id
 * @param delete forgets those that an expression names
 */
record DefinitionRoutes(
    Function<String, SortedMap<String, String>> matching,
    BiFunction<String, String, CompletableFuture<Void>> put,
    Function<String, CompletableFuture<Void>> delete) {

  /**
   * Adds the routes.
   *
   * @param all the path of all definitions; one is at its id below
   * @param reading the URL parameters that showing knows
   */
  void addTo(Router router, String all, Set<String> reading) {
    String one = all + "/{id}";
    router.add(Method.GET, all, reading, this::get);
    router.add(Method.GET, one, reading, this::get);
    router.addPending(Method.PUT, one, UrlParameters.TIMEOUTS, this::put);
    router.addPending(Method.DELETE, one, UrlParameters.TIMEOUTS, this::delete);
  }

  /** All of none is an empty map; a name of none is not found, with an empty map as well. */
  private RestResponse get(RestRequest request) {
    String expression = request.segmentIfAny("id").orElse("*");
    SortedMap<String, String> found = matching.apply(expression);
    int status = found.isEmpty() && !expression.equals("*") ? 404 : 200;
    return RestResponse.json(status, json -> SearchPipelines.write(found, json));
  }

  private CompletableFuture<RestResponse> put(RestRequest request) {
    String definition = new String(request.requiredBody(), StandardCharsets.UTF_8);
    return put.apply(request.segment("id"), definition).thenApply(_ -> RestResponse.acknowledged());
  }

  private CompletableFuture<RestResponse> delete(RestRequest request) {
    return delete.apply(request.segment("id")).thenApply(_ -> RestResponse.acknowledged());
  }
}
