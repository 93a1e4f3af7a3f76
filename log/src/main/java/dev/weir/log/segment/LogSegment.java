package dev.weir.log.segment;

import static dev.weir.log.segment.SegmentFiles.LOG;
import static dev.weir.log.segment.SegmentFiles.OFFSET_INDEX;
import static dev.weir.log.segment.SegmentFiles.TIME_INDEX;
import static dev.weir.log.segment.SegmentFiles.TRANSACTION_INDEX;

import dev.weir.log.CorruptFileException;
import dev.weir.log.LogException;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One segment of a partition log: the file of whole batches, its offset index, time index and
 * transaction index.
 *
 * <p>One writer, under the log's lock. Readers use {@link #sizeBytes()} and positions at any time;
 * bytes below the published size do not change.
 */
public final class LogSegment {
  /** Largest timestamp of a segment that has none, or whose is not known yet. */
  private static final long UNKNOWN = Long.MIN_VALUE;

  private final Path directory;
  private final long baseOffset;
  private final Path file;
  private final FileChannel channel;
  private final SparseIndex offsetIndex;
  private final SparseIndex timeIndex;
  private final TransactionIndex transactionIndex;
  private volatile long sizeBytes;

  /** Set before the index files go or are replaced: look-ups that began before do without them. */
  private volatile boolean detached;

  // Writer's fields. Of the records so far: the largest timestamp, and last offset of its batch.
  private volatile long largestTimestamp = UNKNOWN;
  private long offsetOfLargestTimestamp;
  private long firstTimestamp = UNKNOWN;
  private int bytesSinceIndexEntry;

  private LogSegment(
      Path directory,
      long baseOffset,
      String suffix,
      FileChannel channel,
      SparseIndex offsetIndex,
      SparseIndex timeIndex,
      long sizeBytes) {
    this.directory = directory;
    this.baseOffset = baseOffset;
    this.file = SegmentFiles.file(directory, baseOffset, LOG + suffix);
    this.channel = channel;
    this.offsetIndex = offsetIndex;
    this.timeIndex = timeIndex;
    this.transactionIndex =
        new TransactionIndex(SegmentFiles.file(directory, baseOffset, TRANSACTION_INDEX + suffix));
    this.sizeBytes = sizeBytes;
  }

  /** Creates an empty segment, to be written to. Index files come when they have entries. */
  public static LogSegment create(Path directory, long baseOffset) {
    return create(directory, baseOffset, "");
  }

  /** Creates an empty segment whose files have one more suffix, until they take their place. */
  public static LogSegment create(Path directory, long baseOffset, String suffix) {
    Path file = SegmentFiles.file(directory, baseOffset, LOG + suffix);
    try {
      FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      LogSegment segment = of(directory, baseOffset, suffix, channel, SparseIndex::create);
      segment.transactionIndex.clear();
      return segment;
    } catch (IOException e) {
      throw new LogException("cannot create file=" + file, e);
    }
  }

  /** Opens the files of a finished segment; reads nothing but the size. */
  public static LogSegment open(Path directory, long baseOffset) {
    return openWith(directory, baseOffset, "");
  }

  /** Opens the files with one more suffix. */
  public static LogSegment openWith(Path directory, long baseOffset, String suffix) {
    Path file = SegmentFiles.file(directory, baseOffset, LOG + suffix);
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      return of(directory, baseOffset, suffix, channel, SparseIndex::sealed);
    } catch (IOException e) {
      throw new LogException("cannot open file=" + file, e);
    }
  }

  /** How an index file of the segment is come by. */
  @FunctionalInterface
  private interface IndexOpening {
    SparseIndex of(Path file, SparseIndex.Layout layout);
  }

  private static LogSegment of(
      Path directory, long baseOffset, String suffix, FileChannel channel, IndexOpening indexes)
      throws IOException {
    return new LogSegment(
        directory,
        baseOffset,
        suffix,
        channel,
        indexes.of(
            SegmentFiles.file(directory, baseOffset, OFFSET_INDEX + suffix),
            SparseIndex.Layout.OFFSET),
        indexes.of(
            SegmentFiles.file(directory, baseOffset, TIME_INDEX + suffix), SparseIndex.Layout.TIME),
        channel.size());
  }

  /** Offset in the file names; no record has a smaller one. */
  public long baseOffset() {
    return baseOffset;
  }

  /** The segment file. */
  public Path file() {
    return file;
  }

  /** Channel of the segment file; read by position only. */
  public FileChannel channel() {
    return channel;
  }

  /** Published size. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Index of aborted transactions. */
  public TransactionIndex transactionIndex() {
    return transactionIndex;
  }

  SparseIndex offsetIndex() {
    return offsetIndex;
  }

  SparseIndex timeIndex() {
    return timeIndex;
  }

  /** Whether the index files of a non-empty segment are there. */
  public boolean hasIndexes() {
    return sizeBytes == 0 || (offsetIndex.exists() && timeIndex.exists());
  }

  /**
   * Appends whole batches as one write and publishes them. The batches carry their offsets; the
   * position of {@code batches} moves to its limit.
   *
   * @param indexIntervalBytes log bytes between two index entries
   * @throws IOException if the write fails; the file may hold a part of it
   */
  public void append(ByteBuffer batches, Iterable<RecordBatchView> views, int indexIntervalBytes)
      throws IOException {
    long start = sizeBytes;
    long position = start;
    while (batches.hasRemaining()) {
      position += channel.write(batches, position);
    }
    for (RecordBatchView batch : views) {
      assert reaches(batch.lastOffset()) : batch + " in file=" + file;
      note(batch, start, indexIntervalBytes);
      start += batch.sizeInBytes();
    }
    sizeBytes = position;
  }

  /** Takes a batch at {@code position} into timestamps and indexes. */
  void note(RecordBatchView batch, long position, int indexIntervalBytes) {
    if (firstTimestamp == UNKNOWN) {
      firstTimestamp = batch.maxTimestamp();
    }
    if (batch.maxTimestamp() > largestTimestamp) {
      largestTimestamp = batch.maxTimestamp();
      offsetOfLargestTimestamp = batch.lastOffset();
    }
    if (bytesSinceIndexEntry > indexIntervalBytes) {
      offsetIndex.append(batch.lastOffset() - baseOffset, Math.toIntExact(position));
      indexLargestTimestamp();
      bytesSinceIndexEntry = 0;
    }
    bytesSinceIndexEntry += batch.sizeInBytes();
  }

  private void indexLargestTimestamp() {
    Optional<IndexEntry> last = timeIndex.last();
    int relative = (int) (offsetOfLargestTimestamp - baseOffset);
    boolean later =
        last.isEmpty() || (largestTimestamp > last.get().key() && relative >= last.get().value());
    if (later && largestTimestamp >= 0) {
      timeIndex.append(largestTimestamp, relative);
    }
  }

  /** Whether an index has no room for another entry. */
  public boolean indexIsFull(int indexBytesMax) {
    return offsetIndex.isFull(indexBytesMax) || timeIndex.isFull(indexBytesMax);
  }

  /** Whether an offset is near enough to the base offset for the index format. */
  public boolean reaches(long offset) {
    return offset - baseOffset <= Integer.MAX_VALUE;
  }

  /** Timestamp of the first batch, ms; empty if there is none. */
  public OptionalLong firstTimestamp() {
    if (firstTimestamp == UNKNOWN && sizeBytes > 0) {
      BatchScan scan = scanHeaders(0);
      if (next(scan)) {
        firstTimestamp = scan.batch().maxTimestamp();
      }
    }
    return firstTimestamp == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(firstTimestamp);
  }

  /** Largest timestamp, ms; empty if no record has one. Readers and writer. */
  public OptionalLong largestTimestamp() {
    long known = largestTimestamp;
    if (known == UNKNOWN && sizeBytes > 0) {
      known = timeIndex.last().map(IndexEntry::key).orElse(UNKNOWN);
      largestTimestamp = known;
    }
    return known < 0 ? OptionalLong.empty() : OptionalLong.of(known);
  }

  /** Makes the segment the one that is written to: reads what follows the last index entry. */
  public long openForAppend() {
    offsetIndex.open();
    timeIndex.open();
    return scanFrom(offsetIndex.last(), Integer.MAX_VALUE);
  }

  /**
   * Brings the writer's fields in line with the batches from an index entry on, adding index
   * entries at the interval.
   *
   * @return the offset after the last batch
   */
  private long scanFrom(Optional<IndexEntry> from, int indexIntervalBytes) {
    resumeTimestamps();
    long end = baseOffset;
    BatchScan scan = scanHeaders(from.map(IndexEntry::value).orElse(0));
    while (next(scan)) {
      note(scan.batch(), scan.position(), indexIntervalBytes);
      end = scan.batch().nextOffset();
    }
    return end;
  }

  /** Takes the timestamps from the time index, as before any batch after its last entry. */
  void resumeTimestamps() {
    bytesSinceIndexEntry = 0;
    Optional<IndexEntry> last = timeIndex.last();
    largestTimestamp = last.map(IndexEntry::key).orElse(UNKNOWN);
    offsetOfLargestTimestamp = baseOffset + last.map(IndexEntry::value).orElse(0);
  }

  /**
   * Checks every batch from the last index entry at or below {@code fromOffset} on, cuts the file
   * off at the first that is not whole or not sound, and rebuilds what the indexes miss. The
   * segment is open for append afterwards.
   */
  public SegmentRecovery.Recovered recover(long fromOffset, int indexIntervalBytes) {
    return new SegmentRecovery(this, indexIntervalBytes).from(fromOffset);
  }

  /** Cuts the file off and publishes the size. */
  void cutFile(long size) {
    try {
      channel.truncate(size);
      // What is appended next must not stand before the old bytes after a power loss.
      channel.force(true);
    } catch (IOException e) {
      throw new LogException("cannot cut to size=" + size + " file=" + file, e);
    }
    sizeBytes = size;
  }

  /**
   * Cuts off what a failed write has left behind the published batches, which end at {@code
   * endOffset}; the segment is open for append afterwards.
   */
  public void cutTornEnd(long endOffset) {
    try {
      if (channel.size() > sizeBytes) {
        cutFile(sizeBytes);
      }
    } catch (IOException e) {
      throw new LogException("cannot read the size of file=" + file, e);
    }
    transactionIndex.truncateTo(endOffset);
    offsetIndex.open();
    timeIndex.open();
  }

  /** Checks the order of the indexes of a finished segment against its size. */
  public void checkIndexes() {
    offsetIndex.check(sizeBytes);
    timeIndex.check(Integer.MAX_VALUE + 1L);
  }

  /**
   * Removes the batches from the one that holds {@code offset} on; the segment is open for append
   * afterwards.
   *
   * @return the offset after the last batch that is left
   */
  public long truncateTo(long offset) {
    long position = positionOf(offset, sizeBytes);
    cutFile(position);
    offsetIndex.truncateToValue(position);
    long relativeEnd = Math.max(0, offset - baseOffset);
    timeIndex.truncateToValue(relativeEnd);
    transactionIndex.truncateTo(offset);
    if (position == 0) {
      firstTimestamp = UNKNOWN;
    }
    return Math.max(baseOffset, scanFrom(offsetIndex.last(), Integer.MAX_VALUE));
  }

  /** Writes the indexes out, with a last time index entry, and gives up their memory. */
  public void seal() {
    indexLargestTimestamp();
    offsetIndex.seal();
    timeIndex.seal();
  }

  /** Brings the index files up to date, without a sync. */
  public void writeIndexes() {
    offsetIndex.writeOut();
    timeIndex.writeOut();
  }

  /** Syncs the segment file, and the index files of a finished segment. */
  public void sync(SyncScope scope) throws IOException {
    channel.force(false);
    transactionIndex.sync(); // entries below the recovery point are not derived again
    if (scope == SyncScope.WITH_INDEXES) {
      offsetIndex.sync();
      timeIndex.sync();
    }
  }

  /** What a sync covers. */
  public enum SyncScope {
    LOG_ONLY,
    WITH_INDEXES
  }

  /** Closes the segment file; reads in flight fail with a closed channel. */
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new LogException("cannot close file=" + file, e);
    }
  }

  /**
   * Removes the files. The channel stays open for reads in flight. The segment file goes last: what
   * is left by a crash is then a segment that lacks indexes, and is found and removed at start.
   */
  public void deleteFiles() {
    detached = true;
    deleteFiles(directory, baseOffset);
  }

  /** Removes the files of a segment that is not open. */
  public static void deleteFiles(Path directory, long baseOffset) {
    Path file = SegmentFiles.file(directory, baseOffset, LOG);
    try {
      for (String index : SegmentFiles.INDEXES) {
        Files.deleteIfExists(SegmentFiles.file(directory, baseOffset, index));
      }
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new LogException("cannot delete the files of segment=" + file, e);
    }
  }

  /** Time of the last change of the segment file, ms. */
  public long lastModifiedMs() {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (IOException e) {
      throw new LogException("cannot read the time of file=" + file, e);
    }
  }

  /** Position of the batch that holds {@code offset} or of the next one; {@code limit} if none. */
  public long positionOf(long offset, long limit) {
    BatchScan scan = BatchScan.headers(channel, floorPosition(offset), limit);
    while (next(scan)) {
      if (scan.batch().lastOffset() >= offset) {
        return scan.position();
      }
    }
    return limit;
  }

  private long floorPosition(long offset) {
    long position = offsetIndex.floorByKey(offset - baseOffset).map(IndexEntry::value).orElse(0);
    return detached ? 0 : position;
  }

  /** Says that other files are about to take the place of this segment's. */
  public void detach() {
    detached = true;
  }

  /**
   * End of the last whole batch between {@code start} and {@code start + maxBytes}; {@code start}
   * if the first is larger.
   *
   * @param limit end of what may be read
   */
  public long wholeBatchesEnd(long start, long maxBytes, long limit) {
    if (limit - start <= maxBytes) {
      return limit;
    }
    long indexed = offsetIndex.floorByValue(start + maxBytes).map(IndexEntry::value).orElse(0);
    long from = detached ? start : Math.max(start, indexed);
    long end = from;
    BatchScan scan = BatchScan.headers(channel, from, limit);
    while (next(scan) && scan.nextPosition() <= start + maxBytes) {
      end = scan.nextPosition();
    }
    return end;
  }

  /** End of the batch that starts at {@code start}. */
  public long batchEnd(long start, long limit) {
    BatchScan scan = BatchScan.headers(channel, start, limit);
    next(scan);
    return scan.nextPosition();
  }

  /** Position from which on batches may have records at or after {@code timestampMs}. */
  public long positionBefore(long timestampMs) {
    Optional<IndexEntry> entry = timeIndex.floorByKey(timestampMs);
    return detached || entry.isEmpty() ? 0 : floorPosition(baseOffset + entry.get().value());
  }

  /** Position from which on the batch with the largest timestamp is found. */
  public long positionBeforeLargestTimestamp() {
    OptionalLong largest = largestTimestamp();
    return largest.isEmpty() ? 0 : positionBefore(largest.getAsLong() - 1);
  }

  /** Scans headers from a position that starts a batch. */
  public BatchScan scanHeaders(long position) {
    return BatchScan.headers(channel, position, sizeBytes);
  }

  /** Scans whole batches from a position that starts a batch. */
  public BatchScan scanBatches(long position) {
    return BatchScan.whole(channel, position, sizeBytes);
  }

  /**
   * Moves a scan of this segment on.
   *
   * @return false at the end
   * @throws CorruptFileException if the bytes are no batch
   * @throws LogException if the file can't be read
   */
  public boolean next(BatchScan scan) {
    try {
      return scan.next();
    } catch (CorruptBatchException e) {
      throw new CorruptFileException(e.getMessage() + ", file=" + file);
    } catch (IOException e) {
      throw new LogException(
          "cannot read from position=" + scan.nextPosition() + " of file=" + file, e);
    }
  }

  @Override
  public String toString() {
    return "LogSegment[baseOffset="
        + baseOffset
        + ", sizeBytes="
        + sizeBytes
        + ", file="
        + file
        + "]";
  }
}
