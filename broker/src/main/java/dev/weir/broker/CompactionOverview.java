package dev.weir.broker;

import dev.weir.log.CompactionStatus;
import dev.weir.log.CompactionTotals;
import java.util.List;
import java.util.OptionalLong;

/**
 * How compaction of a broker's logs stands, at one moment.
 *
 * @param partitions all of them, also those that are not compacted, in no particular order
 * @param totals of all runs since the broker was started
 * @param lastRoundMs when all partitions had last had their turn; empty before the first time
 * @param roundEveryMs how long after that they have it again
 */
public record CompactionOverview(
    List<CompactionStatus> partitions,
    CompactionTotals totals,
    OptionalLong lastRoundMs,
    long roundEveryMs) {}
