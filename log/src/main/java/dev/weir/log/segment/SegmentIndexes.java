package dev.weir.log.segment;

import static dev.weir.log.segment.SegmentFiles.OFFSET_INDEX;
import static dev.weir.log.segment.SegmentFiles.TIME_INDEX;

import dev.weir.log.batch.RecordBatchView;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is derived from the batches of one segment: offset index, time index, and the timestamps
 * that the writer goes on from.
 *
 * <p>One writer, under the log's lock; look-ups from any thread at any time.
 */
final class SegmentIndexes {
  /** Largest timestamp of a segment that has none, or whose is not known yet. */
  private static final long UNKNOWN = Long.MIN_VALUE;

  private final long baseOffset;
  private final SparseIndex offsets;
  private final SparseIndex times;

  /** Set before the files go or are replaced: look-ups that began before do without them. */
  private volatile boolean detached;

  // Writer's fields. Of the records so far: the largest timestamp, and last offset of its batch.
  private volatile long largestTimestamp = UNKNOWN;
  private long offsetOfLargestTimestamp;
  private long firstTimestamp = UNKNOWN;
  private int bytesSinceEntry;

  private SegmentIndexes(long baseOffset, SparseIndex offsets, SparseIndex times) {
    this.baseOffset = baseOffset;
    this.offsets = offsets;
    this.times = times;
  }

  /** Those of a segment that has just been created. */
  static SegmentIndexes create(OpenFiles files, Path directory, long baseOffset, String suffix) {
    return new SegmentIndexes(
        baseOffset,
        SparseIndex.create(
            files,
            SegmentFiles.file(directory, baseOffset, OFFSET_INDEX + suffix),
            SparseIndex.Layout.OFFSET),
        SparseIndex.create(
            files,
            SegmentFiles.file(directory, baseOffset, TIME_INDEX + suffix),
            SparseIndex.Layout.TIME));
  }

  /** Those of a finished segment. */
  static SegmentIndexes sealed(OpenFiles files, Path directory, long baseOffset, String suffix) {
    return new SegmentIndexes(
        baseOffset,
        SparseIndex.sealed(
            files,
            SegmentFiles.file(directory, baseOffset, OFFSET_INDEX + suffix),
            SparseIndex.Layout.OFFSET),
        SparseIndex.sealed(
            files,
            SegmentFiles.file(directory, baseOffset, TIME_INDEX + suffix),
            SparseIndex.Layout.TIME));
  }

  SparseIndex offsets() {
    return offsets;
  }

  SparseIndex times() {
    return times;
  }

  /** Whether both files are there. */
  boolean exist() {
    return offsets.exists() && times.exists();
  }

  /** Makes the files before they have entries. Any thread. */
  void createFiles() {
    if (!detached) {
      offsets.createFile();
      times.createFile();
    }
  }

  /** Takes a batch at {@code position} into timestamps and indexes. */
  void note(RecordBatchView batch, long position, int intervalBytes) {
    if (firstTimestamp == UNKNOWN) {
      firstTimestamp = batch.maxTimestamp();
    }
    if (batch.maxTimestamp() > largestTimestamp) {
      largestTimestamp = batch.maxTimestamp();
      offsetOfLargestTimestamp = batch.lastOffset();
    }
    if (bytesSinceEntry > intervalBytes) {
      offsets.append(batch.lastOffset() - baseOffset, Math.toIntExact(position));
      noteLargestTimestamp();
      bytesSinceEntry = 0;
    }
    bytesSinceEntry += batch.sizeInBytes();
  }

  private void noteLargestTimestamp() {
    Optional<IndexEntry> last = times.last();
    int relative = (int) (offsetOfLargestTimestamp - baseOffset);
    boolean later =
        last.isEmpty() || (largestTimestamp > last.get().key() && relative >= last.get().value());
    if (later && largestTimestamp >= 0) {
      times.append(largestTimestamp, relative);
    }
  }

  /** Whether a file of at most {@code bytesMax} bytes has no room for another entry. */
  boolean isFull(int bytesMax) {
    return offsets.isFull(bytesMax) || times.isFull(bytesMax);
  }

  /** Timestamp of the first batch, ms, if it is known. */
  OptionalLong firstTimestamp() {
    return firstTimestamp == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(firstTimestamp);
  }

  /** Takes the timestamp of the first batch over from the file. */
  void firstTimestampIs(long timestampMs) {
    firstTimestamp = timestampMs;
  }

  /** Largest timestamp of a segment with batches, ms; empty if no record has one. */
  OptionalLong largestTimestamp() {
    long known = largestTimestamp;
    if (known == UNKNOWN) {
      known = times.last().map(IndexEntry::key).orElse(UNKNOWN);
      largestTimestamp = known;
    }
    return known < 0 ? OptionalLong.empty() : OptionalLong.of(known);
  }

  /** Makes both writable. */
  void open() {
    offsets.open();
    times.open();
  }

  /** Takes the timestamps from the time index, as before any batch after its last entry. */
  void resumeTimestamps() {
    bytesSinceEntry = 0;
    Optional<IndexEntry> last = times.last();
    largestTimestamp = last.map(IndexEntry::key).orElse(UNKNOWN);
    offsetOfLargestTimestamp = baseOffset + last.map(IndexEntry::value).orElse(0);
  }

  /** Drops what lies behind a cut; both are writable afterwards. */
  void truncateTo(long offset, long position) {
    offsets.truncateToValue(position);
    times.truncateToValue(Math.max(0, offset - baseOffset));
    if (position == 0) {
      firstTimestamp = UNKNOWN;
    }
  }

  /** Checks the order of the entries of a finished segment against its size. */
  void check(long sizeBytes) {
    offsets.check(sizeBytes);
    times.check(Integer.MAX_VALUE + 1L);
  }

  /** Brings the files up to date, with a last time index entry, and gives up memory. */
  void seal() {
    noteLargestTimestamp();
    offsets.seal();
    times.seal();
  }

  /** Brings the files up to date, without a sync. */
  void writeOut() {
    offsets.writeOut();
    times.writeOut();
  }

  void sync() {
    offsets.sync();
    times.sync();
  }

  /** Says that the files are about to go or be replaced. */
  void detach() {
    detached = true;
    offsets.end();
    times.end();
  }

  boolean areDetached() {
    return detached;
  }

  /** Gives up the files, which stay. */
  void close() {
    offsets.end();
    times.end();
  }

  /** A position at or before the batch that holds {@code offset}. */
  long floorPosition(long offset) {
    long position = offsets.floorByKey(offset - baseOffset).map(IndexEntry::value).orElse(0);
    return detached ? 0 : position;
  }

  /** The last start of a batch that is known, between {@code start}, which is one, and a limit. */
  long lastStart(long start, long limit) {
    long indexed = offsets.floorByValue(limit).map(IndexEntry::value).orElse(0);
    return detached ? start : Math.max(start, indexed);
  }

  /** Position from which on batches may have records at or after {@code timestampMs}. */
  long positionBefore(long timestampMs) {
    Optional<IndexEntry> entry = times.floorByKey(timestampMs);
    return detached || entry.isEmpty() ? 0 : floorPosition(baseOffset + entry.get().value());
  }

  @Override
  public String toString() {
    return "SegmentIndexes[offsets=" + offsets + ", times=" + times + "]";
  }
}
