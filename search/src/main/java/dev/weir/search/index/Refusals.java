package dev.weir.search.index;

import dev.weir.search.error.SearchException;
import java.util.concurrent.CompletableFuture;

/** Refusals of what is done in several steps. */
final class Refusals {
  private Refusals() {}

  /** What may be refused before its first step. */
  @FunctionalInterface
  interface Refusable<T> {
    CompletableFuture<T> start();
  }

  /** A refusal before the first step comes out as the later ones do. */
  static <T> CompletableFuture<T> asFailures(Refusable<T> action) {
    try {
      return action.start();
    } catch (SearchException refusal) {
      return CompletableFuture.failedFuture(refusal);
    }
  }
}
