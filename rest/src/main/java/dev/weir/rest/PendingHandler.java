package dev.weir.rest;

import java.util.concurrent.CompletableFuture;

/**
 * Answers the requests of one route later: while it waits for the log, no thread waits with it.
 * Called on a request thread.
 */
@FunctionalInterface
interface PendingHandler {
  /**
   * Begins to answer one request.
   *
   * @return fails with a {@link dev.weir.search.error.SearchException} for refusals
   * @throws dev.weir.search.error.SearchException for what is refused at once
   */
  CompletableFuture<RestResponse> handle(RestRequest request);
}
