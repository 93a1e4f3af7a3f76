package dev.weir.search.error;

import java.util.List;

/**
 * The part of a search that failed.
 *
 * @param name {@code query} or {@code fetch}; empty for what comes after the shards have answered
 * @param failedShards the shards that failed; empty when the failure was not on a shard
 */
public record SearchPhase(String name, List<ShardFailure> failedShards) {

  /** Copies the list. */
  public SearchPhase {
    failedShards = List.copyOf(failedShards);
  }
}
