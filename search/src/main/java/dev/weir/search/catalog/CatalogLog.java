package dev.weir.search.catalog;

import dev.weir.search.error.SearchException;
import dev.weir.search.log.Subscription;
import java.util.concurrent.CompletableFuture;

/**
 * The catalog as a replicated state machine runs it: {@link CatalogRules#decide} for commands,
 * {@link Catalog#apply} for records, {@link CatalogRecordCodec} for their bytes. Safe for use by
 * any thread.
 */
public interface CatalogLog {

  /** The last committed catalog. */
  Catalog catalog();

  /**
   * Decides a command; completes when its records are committed and every listener has been called.
   * Fails only if the log does.
   */
  CompletableFuture<CatalogReply> submit(CatalogCommand command);

  /** Submits a command; fails with a {@link SearchException} too, if it is refused. */
  default CompletableFuture<Void> carryOut(CatalogCommand command) {
    return submit(command)
        .thenAccept(
            reply -> {
              if (reply instanceof CatalogReply.Refused refused) {
                throw new SearchException(refused.error());
              }
            });
  }

  /**
   * Calls the listener after each commit, before the reply goes out, one call at a time. It must
   * not wait for the catalog.
   */
  Subscription onChange(Listener listener);

  /** Is told of changes. */
  @FunctionalInterface
  interface Listener {
    /** The catalog before and after. */
    void changed(Catalog before, Catalog after);
  }
}
