package dev.weir.search.shard;

import dev.weir.search.mapping.Mapping;
import java.util.concurrent.CompletableFuture;

/** The mapping of one index as its shards see it. Safe for use by any thread. */
public interface IndexMapping {

  /** The committed mapping. */
  Mapping current();

  /**
   * Merges fields into the mapping. Completes with the committed result, or with a {@code
   * SearchException} if they conflict with it.
   */
  CompletableFuture<Mapping> add(Mapping addition);
}
