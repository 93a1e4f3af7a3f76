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
 * @param troubled how many somebody has to see to
 * @param troubledBytes what is dirty in those
 * @param sinceRoundMs time since all partitions had last had their turn; empty before the first
 *     time
 */
record CompactionFigures(
    Totals totals,
    Map<State, Long> partitions,
    double maxDirtyRatio,
    long troubled,
    long troubledBytes,
    OptionalLong sinceRoundMs) {

  /** What stands in the place of figures that nobody is shown. */
  static final CompactionFigures NOT_SHOWN =
      new CompactionFigures(
          new Totals(0, 0, 0, 0, 0, 0, 0, 0, 0), Map.of(), 0, 0, 0, OptionalLong.empty());

  static CompactionFigures of(Overview overview, long nowMs) {
    Map<State, Long> partitions = new EnumMap<>(State.class);
    double maxDirtyRatio = 0;
    long troubled = 0;
    long troubledBytes = 0;
    for (Partition partition : overview.partitions()) {
      partitions.merge(partition.standing().state(), 1L, Long::sum);
      maxDirtyRatio = Math.max(maxDirtyRatio, partition.sizes().dirtyRatio());
      if (partition.isTroubled()) {
        troubled++;
        troubledBytes += partition.sizes().dirty();
      }
    }
    OptionalLong last = overview.lastRoundMs();
    return new CompactionFigures(
        overview.totals(),
        partitions,
        maxDirtyRatio,
        troubled,
        troubledBytes,
        last.isPresent() ? OptionalLong.of(nowMs - last.getAsLong()) : OptionalLong.empty());
  }

  long partitions(State state) {
    return partitions.getOrDefault(state, 0L);
  }
}
