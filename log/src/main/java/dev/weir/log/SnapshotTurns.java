package dev.weir.log;

import dev.weir.log.producer.ProducerStates;
import dev.weir.log.producer.SnapshotFiles;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.SegmentList;
import java.nio.file.Files;
import java.util.NavigableSet;

/**
 * When a snapshot of the producers is written: where a segment ends, at a clean stop, and, so that
 * a start after a kill has less to look at, now and then within a segment. Under the log's lock.
 */
final class SnapshotTurns {
  /** What a checkpoint has done. */
  enum Turn {
    WRITTEN,
    NOT_DUE
  }

  /**
   * A start after a kill has to look at each batch behind the last snapshot that was flushed. So a
   * checkpoint takes one after so many bytes, and not only where a segment ends: those of a
   * thousand partitions may hold a gigabyte each.
   */
  private static final long EVERY_BYTES = 8 << 20;

  /** The same for small segments: so many to each. */
  private static final int PER_SEGMENT = 8;

  private static final long NONE = -1;

  private final SnapshotFiles files;
  private final ProducerStates producers;
  private long newestOffset; // of the newest snapshot that is known to be there, or NONE
  private long coveredPosition; // in the active segment, up to which snapshots cover it

  SnapshotTurns(SnapshotFiles files, ProducerStates producers, long endOffset, LogSegment active) {
    this.files = files;
    this.producers = producers;
    this.newestOffset = Files.exists(files.file(endOffset)) ? endOffset : NONE;
    this.coveredPosition = newestOffset == NONE ? 0 : active.sizeBytes();
  }

  /** Writes one where the log ends, unless it is there. */
  void write(long endOffset) {
    if (newestOffset != endOffset) {
      producers.write(files.file(endOffset));
      newestOffset = endOffset;
    }
  }

  /** Notes that another segment is written to. */
  void rolled() {
    coveredPosition = 0;
  }

  /** Forgets what is there: the log ends elsewhere now. */
  void cut() {
    newestOffset = NONE;
    coveredPosition = 0;
  }

  /** Writes one within the active segment if enough has come since the last. */
  Turn checkpoint(SegmentList segments, LogConfig config, long endOffset, long recoveryPoint) {
    LogSegment active = segments.active();
    long every = Math.min(EVERY_BYTES, config.segmentBytes() / PER_SEGMENT);
    if (active.sizeBytes() - coveredPosition < every) {
      return Turn.NOT_DUE;
    }
    NavigableSet<Long> offsets = files.offsets();
    Long trusted = offsets.floor(recoveryPoint);
    for (long offset : offsets) {
      boolean ofSegment = segments.get(segments.floor(offset)).baseOffset() == offset;
      if (!ofSegment && offset > recoveryPoint) {
        return Turn.NOT_DUE; // it is not trusted before it is flushed: one more is for nothing
      }
      if (!ofSegment && trusted != null && offset < trusted) {
        files.delete(offset);
      }
    }
    write(endOffset);
    coveredPosition = active.sizeBytes();
    return Turn.WRITTEN;
  }

  @Override
  public String toString() {
    return "SnapshotTurns[newestOffset="
        + newestOffset
        + ", coveredPosition="
        + coveredPosition
        + "]";
  }
}
