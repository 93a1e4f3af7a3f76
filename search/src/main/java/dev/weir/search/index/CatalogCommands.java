package dev.weir.search.index;

import dev.weir.search.catalog.CatalogCommand;
import dev.weir.search.catalog.CatalogLog;
import dev.weir.search.catalog.CatalogReply;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.SearchException;
import java.util.concurrent.CompletableFuture;

/**
 * The way of commands into the catalog, on which a refusal is a failure like any other. Safe for
 * use by any thread.
 */
final class CatalogCommands {

  private final CatalogLog catalog;

  CatalogCommands(CatalogLog catalog) {
    this.catalog = catalog;
  }

  /** Completes when the command is carried out; fails with a {@link SearchException} if refused. */
  CompletableFuture<Void> submit(CatalogCommand command) {
    return catalog
        .submit(command)
        .thenAccept(
            reply -> {
              if (reply instanceof CatalogReply.Refused(ErrorCause error)) {
                throw new SearchException(error);
              }
            });
  }

  /** What may be refused before its first step. */
  @FunctionalInterface
  interface Refusable<T> {
    CompletableFuture<T> start();
  }

  /** A refusal before the first step comes out as the later ones do. */
  static <T> CompletableFuture<T> refusing(Refusable<T> action) {
    try {
      return action.start();
    } catch (SearchException refusal) {
      return CompletableFuture.failedFuture(refusal);
    }
  }
}
