package dev.weir.log;

import dev.weir.log.LogConfig.CleanupPolicy;
import java.util.List;
import java.util.OptionalLong;

/** Which segments go: by age, by the size of the log, and below the log start offset. Pure. */
final class Retention {
  /**
   * What counts of one segment.
   *
   * @param endOffset base offset of the next segment, or the log end offset
   * @param sizeBytes size of its file
   * @param newestMs its largest timestamp; empty if it has none
   * @param modifiedMs last change of its file, which counts where there is no timestamp
   */
  record Candidate(long endOffset, long sizeBytes, OptionalLong newestMs, long modifiedMs) {}

  /**
   * Bounds that come from the log and not from its settings.
   *
   * @param logStartOffset first offset of the log
   * @param highWatermark nothing at or above it goes
   */
  record Bounds(long logStartOffset, long highWatermark) {}

  private Retention() {}

  /** How many segments go, counted from the oldest; may be all. */
  static int deletable(List<Candidate> segments, LogConfig config, Bounds bounds, long nowMs) {
    boolean delete = config.cleanupPolicies().contains(CleanupPolicy.DELETE);
    long excess = -1;
    if (delete && config.retentionBytes() >= 0) {
      excess = segments.stream().mapToLong(Candidate::sizeBytes).sum() - config.retentionBytes();
    }
    int count = 0;
    for (Candidate segment : segments) {
      if (segment.endOffset() > bounds.highWatermark()) {
        break;
      }
      long newestMs = segment.newestMs().orElse(segment.modifiedMs());
      boolean old = delete && config.retentionMs() >= 0 && nowMs - newestMs > config.retentionMs();
      boolean surplus = excess >= 0 && excess >= segment.sizeBytes();
      boolean below = segment.endOffset() <= bounds.logStartOffset();
      if (!old && !surplus && !below) {
        break;
      }
      excess -= segment.sizeBytes();
      count++;
    }
    return count;
  }
}
