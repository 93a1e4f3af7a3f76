package dev.weir.log.segment;

import dev.weir.log.CorruptFileException;
import dev.weir.log.LogException;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchView;
import java.io.IOException;
import java.util.Optional;

/**
 * Brings a segment that may have been written to when the process or the machine stopped into a
 * sound state: every batch that stays is whole and has its checksum, and the indexes agree with the
 * batches. Used once, under the lock of the segment's log.
 */
public final class SegmentRecovery {
  /**
   * What recovery found in a segment.
   *
   * @param endOffset offset after the last sound batch; the base offset if there is none
   * @param cutBytes number of bytes that were cut off
   * @param problem why they were
   */
  public record Recovered(long endOffset, long cutBytes, Optional<String> problem) {}

  private final LogSegment segment;
  private final int indexIntervalBytes;

  SegmentRecovery(LogSegment segment, int indexIntervalBytes) {
    this.segment = segment;
    this.indexIntervalBytes = indexIntervalBytes;
  }

  /** Checks from the last index entry at or below {@code fromOffset} on. */
  Recovered from(long fromOffset) {
    Optional<IndexEntry> start = soundEntry(fromOffset);
    long relativeStart = start.map(entry -> entry.key() + 1).orElse(0L);
    segment.indexes().offsets().truncateToKey(relativeStart);
    segment.indexes().times().truncateToValue(relativeStart);
    segment.indexes().resumeTimestamps();
    long end = segment.baseOffset();
    long soundBytes = start.map(IndexEntry::value).orElse(0);
    Optional<String> problem = Optional.empty();
    BatchScan scan = segment.scanBatches(soundBytes);
    try {
      while (scan.next()) {
        RecordBatchView batch = scan.batch();
        requireSound(batch, scan.position(), end);
        segment.indexes().note(batch, scan.position(), indexIntervalBytes);
        end = batch.nextOffset();
        soundBytes = scan.nextPosition();
      }
    } catch (CorruptBatchException e) {
      problem = Optional.of(e.getMessage() + ", file=" + segment.file());
    } catch (IOException e) {
      throw new LogException("cannot read file=" + segment.file(), e);
    }
    long cutBytes = segment.sizeBytes() - soundBytes;
    if (cutBytes > 0) {
      segment.cutFile(soundBytes);
    }
    segment.transactionIndex().truncateTo(end);
    return new Recovered(end, cutBytes, problem);
  }

  private void requireSound(RecordBatchView batch, long position, long offsetMin) {
    if (batch.baseOffset() < offsetMin
        || batch.lastOffsetDelta() < 0
        || !segment.reaches(batch.lastOffset())) {
      throw new CorruptBatchException(
          "offsets expected from " + offsetMin + " on, at position=" + position + ": " + batch);
    }
    if (!batch.checksumMatches()) {
      throw new CorruptBatchException(
          "checksum is "
              + batch.computeChecksum()
              + ", expected "
              + batch.checksum()
              + ", at position="
              + position
              + ": "
              + batch);
    }
  }

  /**
   * The index entry to scan from; empty where the index cannot be trusted. An index file is not
   * synced while its segment is written, so after a power loss any part of it may be missing.
   */
  private Optional<IndexEntry> soundEntry(long fromOffset) {
    try {
      segment.checkIndexes();
      // The time index may have lost more: what it does not cover is read again, else its later
      // entries would deny the earlier records that have larger timestamps.
      long covered = segment.indexes().times().last().map(IndexEntry::value).orElse(-1);
      Optional<IndexEntry> entry =
          segment
              .indexes()
              .offsets()
              .floorByKey(Math.min(covered, fromOffset - segment.baseOffset()));
      if (entry.isPresent()) {
        if (entry.get().value() == 0) {
          return Optional.empty(); // the first batch has no entry: these are bytes never written
        }
        BatchScan scan = segment.scanBatches(entry.get().value());
        if (!segment.next(scan)
            || scan.batch().lastOffset() - segment.baseOffset() != entry.get().key()) {
          return Optional.empty();
        }
        // Were it cut off at its first batch, a scan from here would not know where the one before
        // it ends; it may be the batch that ends at the recovery point, which is not synced.
        requireSound(scan.batch(), scan.position(), segment.baseOffset());
      }
      return entry;
    } catch (CorruptFileException | CorruptBatchException e) {
      return Optional.empty();
    }
  }
}
