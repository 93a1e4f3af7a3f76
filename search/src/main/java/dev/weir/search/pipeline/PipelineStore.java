package dev.weir.search.pipeline;

import dev.weir.search.error.SearchException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where the definitions of search pipelines are kept. Safe for use by any thread. */
public interface PipelineStore {
  /** The definitions by id, each one JSON object as it was given; a value that does not change. */
  Map<String, String> pipelines();

  /** Why the definition with that id is kept but cannot be read; empty if that is not so. */
  default Optional<SearchException> unavailable(String id) {
    return Optional.empty();
  }

  /** Keeps a definition, in place of one with that id; completes when it is durable. */
  CompletableFuture<Void> put(String id, String json);

  /** Forgets a definition; completes when that is durable. Nothing of that id is as good. */
  CompletableFuture<Void> delete(String id);
}
