package dev.weir.log.compaction;

import dev.weir.log.CompactionStatus.Phase;
import dev.weir.log.CompactionStatus.Running;

/** How far a run is. Written by the run's thread, read by any. */
public final class CompactionProgress {
  private final long startedMs;
  private final long keysBytes;
  private final long bytesToDo;
  private volatile Phase phase = Phase.READING_KEYS;
  private volatile long bytesDone;

  /**
   * A run that begins.
   *
   * @param range what it compacts
   */
  public CompactionProgress(long startedMs, DirtyRange range) {
    this.startedMs = startedMs;
    this.keysBytes = range.dirtyBytes();
    this.bytesToDo = 2 * range.dirtyBytes() + range.cleanBytes();
  }

  /** Notes bytes that were read. */
  void read(long bytes) {
    bytesDone = Math.min(bytesDone + bytes, bytesToDo);
  }

  /** The keys are known, though there may have been no room for all. */
  void writes() {
    bytesDone = keysBytes;
    phase = Phase.WRITING;
  }

  /** All is written and synced. */
  public void swaps() {
    bytesDone = bytesToDo;
    phase = Phase.SWAPPING;
  }

  /** The run at this moment. */
  public Running running() {
    return new Running(startedMs, phase, bytesDone, bytesToDo);
  }
}
