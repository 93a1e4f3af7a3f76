package dev.weir.rest;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits on a request thread for what the log is to acknowledge. */
final class Await {
  /**
   * OpenSearch's default for the time-outs of writes and of cluster operations. A request that
   * waits longer is answered; what it asked for may still come to pass, and the message says so.
   */
  private static final long WAIT_MAX_S = 60;

  private Await() {}

  /**
   * The result of a future.
   *
   * @throws SearchException the refusal that the future failed with; 503 when it does not complete
   *     in time
   */
  static <T> T result(CompletableFuture<T> future) {
    try {
      return future.get(WAIT_MAX_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (TimeoutException e) {
      throw unavailable(
          "no acknowledgement within " + WAIT_MAX_S + " s; the request may still take effect");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("the node is stopping; the request may still take effect");
    }
  }

  private static RuntimeException failure(ExecutionException failed) {
    Throwable cause = failed.getCause();
    while (cause instanceof java.util.concurrent.CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException unchecked
        ? unchecked
        : new IllegalStateException("request failed", cause);
  }

  private static SearchException unavailable(String reason) {
    return new SearchException(ErrorCause.of(ErrorType.UNAVAILABLE, reason));
  }
}
