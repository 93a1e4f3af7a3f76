package dev.weir.search.shard;

import dev.weir.search.mapping.Mapping;
import java.util.concurrent.CompletableFuture;

/**
 * What the catalog says of one index, as of now. Safe for use by any thread. Once the index is gone
 * it goes on to say what it said last, until its shards have stopped.
 */
public interface LiveDefinition {

  /** The committed mapping. */
  Mapping mapping();

  /** A search refreshes a view that is as old as this, in ms; negative: searches never refresh. */
  long refreshIntervalMs();

  /** How many nested documents one document may have. */
  int nestedObjectsMax();

  /** From how many vectors on new segments have a graph. */
  GraphThreshold graphThreshold();

  /**
   * Merges fields into the mapping. Completes with the committed result, or with a {@code
   * SearchException} if they conflict with it.
   */
  CompletableFuture<Mapping> add(Mapping addition);
}
