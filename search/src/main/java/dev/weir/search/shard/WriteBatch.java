package dev.weir.search.shard;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What the writes of one call came to.
 *
 * @param outcomes one for each write, in order
 * @param committed completes when what was written is committed; already complete if nothing was
 * @param endOffset exclusive end of the records in the shard's log, 0 if nothing was written
 */
public record WriteBatch(
    int shard, List<WriteOutcome> outcomes, CompletableFuture<Void> committed, long endOffset) {

  /** Takes an unmodifiable copy of the outcomes. */
  public WriteBatch {
    outcomes = List.copyOf(outcomes);
  }
}
