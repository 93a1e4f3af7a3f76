package dev.weir.log.compaction;

import dev.weir.log.LogConfig;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The part of a log that has not been compacted and may be. Pure.
 *
 * @param startOffset first offset that no compaction has seen
 * @param endOffset offset before which it stops: segments from there on stay as they are
 * @param cleanBytes size of the segments before it
 * @param dirtyBytes size of its segments
 */
public record DirtyRange(long startOffset, long endOffset, long cleanBytes, long dirtyBytes) {
  /**
   * What counts of one finished segment.
   *
   * @param baseOffset its base offset
   * @param endOffset base offset of the next
   * @param sizeBytes size of its file
   * @param largestTimestampMs its largest timestamp, if it has one
   */
  public record Segment(
      long baseOffset, long endOffset, long sizeBytes, OptionalLong largestTimestampMs) {}

  /**
   * Finds the range.
   *
   * @param finished the segments before the one that is written to
   * @param cleanedUntil offset up to which the log was compacted before
   * @param stableOffset last stable offset: what lies above it may still change its meaning
   */
  public static DirtyRange of(
      List<Segment> finished, LogConfig config, long cleanedUntil, long stableOffset, long nowMs) {
    long end = cleanedUntil;
    long clean = 0;
    long dirty = 0;
    for (Segment segment : finished) {
      boolean tooYoung =
          config.minCompactionLagMs() > 0
              && segment.largestTimestampMs().orElse(0) > nowMs - config.minCompactionLagMs();
      if (segment.endOffset() > stableOffset || tooYoung) {
        break;
      }
      if (segment.endOffset() <= cleanedUntil) {
        clean += segment.sizeBytes();
      } else {
        dirty += segment.sizeBytes();
        end = segment.endOffset();
      }
    }
    return new DirtyRange(cleanedUntil, end, clean, dirty);
  }

  /** Part of the bytes that is dirty, 0 to 1. */
  public double ratio() {
    return dirtyBytes == 0 ? 0 : (double) dirtyBytes / (cleanBytes + dirtyBytes);
  }

  /** Whether it is worth a compaction, or overdue by {@code max.compaction.lag.ms}. */
  public boolean isDue(LogConfig config, Optional<Long> oldestMs, long nowMs) {
    boolean overdue = oldestMs.isPresent() && nowMs - oldestMs.get() > config.maxCompactionLagMs();
    return dirtyBytes > 0 && (ratio() > config.minCleanableDirtyRatio() || overdue);
  }
}
