package dev.weir.log;

import dev.weir.log.LogConfig.CleanupPolicy;
import java.util.OptionalLong;
import java.util.Set;

/** Whether the next turn of a partition log compacts it, and if not, why. Times are ms. */
public sealed interface CompactionVerdict {

  /**
   * The next turn compacts the offsets from {@code startOffset} to {@code endOffset} (exclusive).
   *
   * @param trigger what made it due
   */
  record Due(long startOffset, long endOffset, Trigger trigger) implements CompactionVerdict {}

  /** What makes a log due. */
  enum Trigger {
    /** More of it is dirty than {@code min.cleanable.dirty.ratio}. */
    DIRTY_RATIO,
    /** It has a record that is older than {@code max.compaction.lag.ms}. */
    MAX_LAG
  }

  /** It is not compacted. The reason is the one that has to go for it to become due. */
  sealed interface Held extends CompactionVerdict {}

  /** Its topic is not compacted. */
  record NotCompacted(Set<CleanupPolicy> policies) implements Held {}

  /** It is not touched for what happened to it, whatever is dirty. */
  sealed interface Trouble extends Held {}

  /** Its files cannot be used, as where a failure took the log offline. */
  record Offline(String error) implements Trouble {}

  /**
   * Its last runs failed, and it is left alone for a while. After that it is judged by what is
   * dirty again, and {@link CompactionStatus#failing} still tells of them.
   *
   * @param failures how many in a row
   * @param sinceMs time of the first of them
   * @param retryAtMs from when on it is tried again
   */
  record Failing(String error, int failures, long sinceMs, long retryAtMs) implements Trouble {}

  /** Nothing was appended since the last run. */
  record NothingDirty() implements Held {}

  /**
   * All that is dirty is in the segment that is written to, which is never compacted. An append
   * that exceeds one of the bounds closes it.
   *
   * @param sizeBytes size of that segment
   * @param segmentBytes {@code segment.bytes}
   * @param rollsAfterMs a record with a later timestamp closes it by {@code segment.ms}; empty if
   *     the segment has no timestamp
   */
  record InActiveSegment(long sizeBytes, int segmentBytes, OptionalLong rollsAfterMs)
      implements Held {}

  /**
   * What would make it due is not committed.
   *
   * @param neededOffset what the high watermark has to reach
   */
  record Uncommitted(long highWatermark, long neededOffset) implements Held {}

  /**
   * What would make it due lies behind the start of a transaction that is open.
   *
   * @param firstOffset where the transaction begins
   * @param producerId whose it is
   */
  record OpenTransaction(long firstOffset, long producerId) implements Held {}

  /**
   * What would make it due is younger than {@code min.compaction.lag.ms}.
   *
   * @param minLagMs that setting
   * @param untilMs from when on it is old enough
   */
  record TooYoung(long minLagMs, long untilMs) implements Held {}

  /**
   * Too little of it is dirty.
   *
   * @param ratio dirty part of the bytes that may be compacted, 0 to 1
   * @param minRatio {@code min.cleanable.dirty.ratio}, which the ratio has to exceed
   * @param overdueAtMs from when on {@code max.compaction.lag.ms} makes it due all the same; empty
   *     where that has no bound
   */
  record BelowRatio(double ratio, double minRatio, OptionalLong overdueAtMs) implements Held {}
}
