package dev.weir.log.segment;

import static dev.weir.log.segment.SegmentFiles.LOG;
import static dev.weir.log.segment.SegmentFiles.TRANSACTION_INDEX;

import dev.weir.log.CorruptFileException;
import dev.weir.log.LogException;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One segment of a partition log: the file of whole batches, its offset index, time index and
 * transaction index.
 *
 * <p>The segment file is held open while the segment is written to, and after that until it has
 * been synced: the system tells of lost bytes by a channel that was open when they were written. A
 * finished segment is opened when it is read ({@link OpenFiles}).
 *
 * <p>One writer, under the log's lock. Readers use {@link #sizeBytes()} and positions at any time;
 * bytes below the published size do not change.
 */
public final class LogSegment {
  /** Who writes it. */
  private enum Stage {
    WRITTEN,
    FINISHED
  }

  private final OpenFiles files;
  private final Path directory;
  private final long baseOffset;
  private final Path file;
  private final SharedFile shared;
  private final SegmentIndexes indexes;
  private final TransactionIndex transactionIndex;
  private volatile long sizeBytes;
  private volatile Stage stage;

  /** Holds the file open until what was written is synced. */
  private final AtomicReference<SharedFile.@Nullable Lease> writing = new AtomicReference<>();

  private LogSegment(
      OpenFiles files,
      Path directory,
      long baseOffset,
      String suffix,
      SegmentIndexes indexes,
      Stage stage) {
    this.files = files;
    this.directory = directory;
    this.baseOffset = baseOffset;
    this.file = SegmentFiles.file(directory, baseOffset, LOG + suffix);
    this.shared = new SharedFile(files, file, SharedFile.Access.READ_WRITE);
    this.indexes = indexes;
    this.transactionIndex =
        new TransactionIndex(SegmentFiles.file(directory, baseOffset, TRANSACTION_INDEX + suffix));
    this.stage = stage;
  }

  /** Creates an empty segment, to be written to. Index files come when they have entries. */
  public static LogSegment create(OpenFiles files, Path directory, long baseOffset) {
    return create(files, directory, baseOffset, "");
  }

  /** Creates an empty segment whose files have one more suffix, until they take their place. */
  private static LogSegment create(
      OpenFiles files, Path directory, long baseOffset, String suffix) {
    SegmentIndexes indexes = SegmentIndexes.create(files, directory, baseOffset, suffix);
    LogSegment segment =
        new LogSegment(files, directory, baseOffset, suffix, indexes, Stage.WRITTEN);
    segment.transactionIndex.clear();
    try {
      segment.writing.set(segment.shared.create());
    } catch (IOException e) {
      throw new LogException("cannot create file=" + segment.file, e);
    }
    return segment;
  }

  /** Opens the files of a finished segment; reads nothing but the size. */
  public static LogSegment open(OpenFiles files, Path directory, long baseOffset) {
    return openWith(files, directory, baseOffset, "");
  }

  /** Opens the files with one more suffix. */
  public static LogSegment openWith(
      OpenFiles files, Path directory, long baseOffset, String suffix) {
    SegmentIndexes indexes = SegmentIndexes.sealed(files, directory, baseOffset, suffix);
    LogSegment segment =
        new LogSegment(files, directory, baseOffset, suffix, indexes, Stage.FINISHED);
    try {
      segment.sizeBytes = Files.size(segment.file);
    } catch (IOException e) {
      throw new LogException("cannot open file=" + segment.file, e);
    }
    return segment;
  }

  /** Creates the empty segment that follows this one, or takes its place, in the same directory. */
  public LogSegment createBeside(long newBaseOffset, String suffix) {
    return create(files, directory, newBaseOffset, suffix);
  }

  /** Opens the files that have taken the place of this one's. */
  public LogSegment openAnew() {
    return open(files, directory, baseOffset);
  }

  /** Offset in the file names; no record has a smaller one. */
  public long baseOffset() {
    return baseOffset;
  }

  /** The segment file. */
  public Path file() {
    return file;
  }

  /** The segment file, for readers. */
  public SharedFile shared() {
    return shared;
  }

  /** Published size. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Index of aborted transactions. */
  public TransactionIndex transactionIndex() {
    return transactionIndex;
  }

  SegmentIndexes indexes() {
    return indexes;
  }

  /** Whether the index files of a non-empty segment are there. */
  public boolean hasIndexes() {
    return sizeBytes == 0 || indexes.exist();
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
    FileChannel channel = shared.acquire();
    try {
      while (batches.hasRemaining()) {
        position += channel.write(batches, position);
      }
    } finally {
      shared.release();
    }
    for (RecordBatchView batch : views) {
      assert reaches(batch.lastOffset()) : batch + " in file=" + file;
      indexes.note(batch, start, indexIntervalBytes);
      start += batch.sizeInBytes();
    }
    sizeBytes = position;
  }

  /** Whether an index has no room for another entry. */
  public boolean indexIsFull(int indexBytesMax) {
    return indexes.isFull(indexBytesMax);
  }

  /** Whether an offset is near enough to the base offset for the index format. */
  public boolean reaches(long offset) {
    return offset - baseOffset <= Integer.MAX_VALUE;
  }

  /** Timestamp of the first batch, ms; empty if there is none. */
  public OptionalLong firstTimestamp() {
    if (indexes.firstTimestamp().isEmpty() && sizeBytes > 0) {
      BatchScan scan = scanHeaders(0);
      if (next(scan)) {
        indexes.firstTimestampIs(scan.batch().maxTimestamp());
      }
    }
    return indexes.firstTimestamp();
  }

  /** Largest timestamp, ms; empty if no record has one. Readers and writer. */
  public OptionalLong largestTimestamp() {
    return sizeBytes == 0 ? OptionalLong.empty() : indexes.largestTimestamp();
  }

  /** Makes the segment the one that is written to: reads what follows the last index entry. */
  public long openForAppend() {
    beginWriting();
    indexes.open();
    return scanFrom(indexes.offsets().last(), Integer.MAX_VALUE);
  }

  /** Holds the file open from now on. What a sync that is under way lets go is another hold. */
  private void beginWriting() {
    try {
      stage = Stage.WRITTEN;
      SharedFile.Lease before = writing.getAndSet(shared.pin());
      if (before != null) {
        before.close();
      }
    } catch (IOException e) {
      throw new LogException("cannot open file=" + file, e);
    }
  }

  /**
   * Brings the writer's fields in line with the batches from an index entry on, adding index
   * entries at the interval.
   *
   * @return the offset after the last batch
   */
  private long scanFrom(Optional<IndexEntry> from, int indexIntervalBytes) {
    indexes.resumeTimestamps();
    long end = baseOffset;
    BatchScan scan = scanHeaders(from.map(IndexEntry::value).orElse(0));
    while (next(scan)) {
      indexes.note(scan.batch(), scan.position(), indexIntervalBytes);
      end = scan.batch().nextOffset();
    }
    return end;
  }

  /**
   * Checks every batch from the last index entry at or below {@code fromOffset} on, cuts the file
   * off at the first that is not whole or not sound, and rebuilds what the indexes miss. The
   * segment is open for append afterwards.
   */
  public SegmentRecovery.Recovered recover(long fromOffset, int indexIntervalBytes) {
    beginWriting();
    return new SegmentRecovery(this, indexIntervalBytes).from(fromOffset);
  }

  /** Cuts the file off and publishes the size. */
  void cutFile(long size) {
    try (SharedFile.Lease lease = shared.lease()) {
      lease.channel().truncate(size);
      // What is appended next must not stand before the old bytes after a power loss.
      lease.channel().force(true);
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
    beginWriting();
    try (SharedFile.Lease lease = shared.lease()) {
      if (lease.channel().size() > sizeBytes) {
        cutFile(sizeBytes);
      }
    } catch (IOException e) {
      throw new LogException("cannot read the size of file=" + file, e);
    }
    transactionIndex.truncateTo(endOffset);
    indexes.open();
  }

  /** Checks the order of the indexes of a finished segment against its size. */
  public void checkIndexes() {
    indexes.check(sizeBytes);
  }

  /**
   * Removes the batches from the one that holds {@code offset} on; the segment is open for append
   * afterwards.
   *
   * @return the offset after the last batch that is left
   */
  public long truncateTo(long offset) {
    long position = positionOf(offset, sizeBytes);
    beginWriting();
    cutFile(position);
    indexes.truncateTo(offset, position);
    transactionIndex.truncateTo(offset);
    return Math.max(baseOffset, scanFrom(indexes.offsets().last(), Integer.MAX_VALUE));
  }

  /** Writes the indexes out, with a last time index entry, and gives up their memory. */
  public void seal() {
    indexes.seal();
    stage = Stage.FINISHED;
  }

  /** Makes the index files before they have entries, so that the writer need not. Any thread. */
  public void createIndexFiles() {
    indexes.createFiles();
  }

  /** Brings the index files up to date, without a sync. */
  public void writeIndexes() {
    indexes.writeOut();
  }

  /**
   * Syncs the segment file, and the index files of a finished segment. Of one that was deleted
   * meanwhile there is nothing to keep.
   */
  public void sync(SyncScope scope) throws IOException {
    // In this order: where the hold is one of a later writer, the stage tells it.
    SharedFile.Lease held = writing.get();
    Stage before = stage;
    try (SharedFile.Lease lease = shared.lease()) {
      lease.channel().force(false);
    } catch (ClosedChannelException e) {
      if (indexes.areDetached()) {
        return;
      }
      throw e;
    }
    transactionIndex.sync(); // entries below the recovery point are not derived again
    if (scope == SyncScope.WITH_INDEXES) {
      indexes.sync();
    }
    if (held != null && before == Stage.FINISHED) {
      writing.compareAndSet(held, null);
      held.close();
    }
  }

  /** What a sync covers. */
  public enum SyncScope {
    LOG_ONLY,
    WITH_INDEXES
  }

  /** Gives up the files; reads that come later fail with a closed channel. */
  public void close() {
    indexes.close();
    SharedFile.Lease held = writing.getAndSet(null);
    if (held != null) {
      held.close();
    }
    shared.end();
  }

  /**
   * Removes the files. The segment file stays open for readers who know of it. The segment file
   * goes last: what is left by a crash is then a segment that lacks indexes, and is found and
   * removed at start.
   */
  public void deleteFiles() {
    detach();
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
    return placeOf(offset, limit).start();
  }

  /**
   * Where a batch is.
   *
   * @param start position of its first byte
   * @param end position behind its last
   */
  public record Place(long start, long end) {}

  /** The batch that holds {@code offset}, or the next one; nothing at {@code limit} if none. */
  public Place placeOf(long offset, long limit) {
    BatchScan scan = BatchScan.headers(shared::read, indexes.floorPosition(offset), limit);
    while (next(scan)) {
      if (scan.batch().lastOffset() >= offset) {
        return new Place(scan.position(), scan.nextPosition());
      }
    }
    return new Place(limit, limit);
  }

  /** Says that other files are about to take the place of this segment's. */
  public void detach() {
    indexes.detach();
    shared.part();
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
    long from = indexes.lastStart(start, start + maxBytes);
    long end = from;
    BatchScan scan = BatchScan.headers(shared::read, from, limit);
    while (next(scan) && scan.nextPosition() <= start + maxBytes) {
      end = scan.nextPosition();
    }
    return end;
  }

  /** Position from which on batches may have records at or after {@code timestampMs}. */
  public long positionBefore(long timestampMs) {
    return indexes.positionBefore(timestampMs);
  }

  /** Position from which on the batch with the largest timestamp is found. */
  public long positionBeforeLargestTimestamp() {
    OptionalLong largest = largestTimestamp();
    return largest.isEmpty() ? 0 : positionBefore(largest.getAsLong() - 1);
  }

  /** Scans headers from a position that starts a batch. */
  public BatchScan scanHeaders(long position) {
    return BatchScan.headers(shared::read, position, sizeBytes);
  }

  /** Scans whole batches from a position that starts a batch. */
  public BatchScan scanBatches(long position) {
    return BatchScan.whole(shared::read, position, sizeBytes);
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
