package dev.weir.search.catalog;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Where definitions of one kind are kept. Safe for use by any thread. */
public interface DefinitionStore {

  /** The definitions by id, each one JSON object; a value that does not change. */
  Map<String, String> byId();

  /**
   * Keeps a definition, in place of one with that id.
   *
   * @return completes when it is durable; fails with a {@link
   *     dev.weir.search.error.SearchException} if it is refused
   */
  CompletableFuture<Void> put(String id, String json);

  /**
   * Forgets a definition.
   *
   * @return completes when that is durable; fails with a {@link
   *     dev.weir.search.error.SearchException} if there is none or it is still needed
   */
  CompletableFuture<Void> delete(String id);
}
