package dev.weir.rest;

import dev.weir.rest.CompactionView.Overview;
import dev.weir.rest.CompactionView.Partition;
import dev.weir.rest.CompactionView.State;
import dev.weir.rest.CompactionView.Totals;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Compaction of a node in numbers.
 *
 * @param totals of all runs
 * @param partitions how many are in each state
 * @param maxDirtyRatio the largest of all partitions
 * @param troubledBytes what is dirty in partitions that somebody has to see to
 * @param sinceRoundMs time since all partitions had last had their turn; empty before the first
 *     time
 */
record CompactionFigures(
    Totals totals,
    Map<State, Long> partitions,
    double maxDirtyRatio,
    long troubledBytes,
    OptionalLong sinceRoundMs) {

  static CompactionFigures of(Overview overview, long nowMs) {
    Map<State, Long> partitions = new EnumMap<>(State.class);
    double maxDirtyRatio = 0;
    long troubledBytes = 0;
    for (Partition partition : overview.partitions()) {
      State state = partition.standing().state();
      partitions.merge(state, 1L, Long::sum);
      maxDirtyRatio = Math.max(maxDirtyRatio, partition.sizes().dirtyRatio());
      troubledBytes += state.isTrouble() ? partition.sizes().dirty() : 0;
    }
    OptionalLong last = overview.lastRoundMs();
    return new CompactionFigures(
        overview.totals(),
        partitions,
        maxDirtyRatio,
        troubledBytes,
        last.isPresent() ? OptionalLong.of(nowMs - last.getAsLong()) : OptionalLong.empty());
  }

  long partitions(State state) {
    return partitions.getOrDefault(state, 0L);
  }

  /** How many of the compacted partitions somebody has to see to. */
  long troubled() {
    return partitions(State.FAILING) + partitions(State.OFFLINE);
  }
}
