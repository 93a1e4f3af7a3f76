package dev.weir.log.compaction;

import dev.weir.log.LogConfig;
import dev.weir.log.LogException;
import dev.weir.log.batch.BatchRewrite;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.segment.AbortedTransaction;
import dev.weir.log.segment.BatchScan;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.LogSegment.SyncScope;
import dev.weir.log.segment.SegmentFiles;
import dev.weir.log.segment.SegmentList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One run of compaction over a log, in two passes. The first notes the newest offset of each key in
 * the dirty range. The second writes all segments before its end anew, into files with the suffix
 * {@code .cleaned}, several old segments into one where they fit:
 *
 * <ul>
 *   <li>a record stays if no newer one has its key;
 *   <li>a tombstone stays until {@code delete.retention.ms} after the run that first saw it, whose
 *       time is stamped into its batch as the delete horizon; so does the marker of a transaction
 *       of which no record is left;
 *   <li>records of aborted transactions go;
 *   <li>a batch that has lost all records goes, unless it has the last sequence of its producer:
 *       then its header stays.
 * </ul>
 *
 * <p>Offsets stay. One thread; takes no lock, since finished segments do not change.
 */
public final class Compaction {
  /**
   * Segments to be replaced.
   *
   * @param fromBase base offset of the first, and of the new one
   * @param lastBase base offset of the last
   */
  public record Replacement(long fromBase, long lastBase) {}

  /**
   * Outcome of a run.
   *
   * @param replacements what was written
   * @param cleanedUntil offset up to which the log is compacted then
   * @param keys number of keys of the dirty range
   * @param bytes how much was read and written
   * @param records how many
   */
  public record Result(
      List<Replacement> replacements, long cleanedUntil, int keys, Bytes bytes, Records records) {}

  /**
   * Bytes of a run.
   *
   * @param read of segments, some of them twice
   * @param before size of the old segments
   * @param after size of the new ones
   */
  public record Bytes(long read, long before, long after) {}

  /**
   * Records of a run, without the markers of transactions.
   *
   * @param before number in the old segments
   * @param after number in the new ones
   * @param expiredTombstones number of tombstones that went, and their keys with them
   */
  public record Records(long before, long after, long expiredTombstones) {}

  /** How many keys a run looks at, in 84 MB at most. */
  public static final int KEYS_MAX = KeyOffsets.KEYS_MAX;

  private final LogConfig config;
  private final Map<Long, Long> lastOffsetByProducer;
  private final long nowMs;
  private final KeyHashes hashes = new KeyHashes();
  private final KeyOffsets newest;
  private final List<AbortedTransaction> aborted = new ArrayList<>();
  private final Set<Long> unended = new HashSet<>(); // producers of what was kept since a marker
  private final CompactionProgress progress;
  private long mappedUntil;
  private long bytesMapped;
  private long bytesBefore;
  private long bytesAfter;
  private long recordsBefore;
  private long recordsAfter;
  private long expiredTombstones;

  /**
   * Prepares a run.
   *
   * @param lastOffsetByProducer last offset of each producer's last batch
   * @param keysMax how many keys are looked at; what follows is left to the next run
   * @param progress is told how far the run is
   */
  public Compaction(
      LogConfig config,
      Map<Long, Long> lastOffsetByProducer,
      long nowMs,
      int keysMax,
      CompactionProgress progress) {
    this.config = config;
    this.lastOffsetByProducer = Map.copyOf(lastOffsetByProducer);
    this.nowMs = nowMs;
    this.newest = new KeyOffsets(keysMax);
    this.progress = progress;
  }

  /** Runs; the files are synced when it returns. */
  public Result run(SegmentList segments, DirtyRange range) {
    List<LogSegment> all = new ArrayList<>();
    for (LogSegment segment : segments.all()) {
      if (segment.baseOffset() < range.endOffset()) {
        all.add(segment);
      }
      // The marker of a transaction may be in a later segment than its records.
      aborted.addAll(segment.transactionIndex().entries());
    }
    mapKeys(all, range);
    progress.writes();
    List<Replacement> replacements = new ArrayList<>();
    for (List<LogSegment> group : groups(all, range.endOffset())) {
      writeGroup(group);
      replacements.add(
          new Replacement(group.getFirst().baseOffset(), group.getLast().baseOffset()));
    }
    progress.swaps();
    return new Result(
        replacements,
        mappedUntil,
        newest.size(),
        new Bytes(bytesMapped + bytesBefore, bytesBefore, bytesAfter),
        new Records(recordsBefore, recordsAfter, expiredTombstones));
  }

  /** Pass one. Stops before a batch for which the map has no room: the rest is dirty. */
  private void mapKeys(List<LogSegment> all, DirtyRange range) {
    mappedUntil = range.startOffset();
    for (LogSegment segment : all) {
      BatchScan scan =
          segment.scanBatches(segment.positionOf(range.startOffset(), segment.sizeBytes()));
      while (segment.next(scan)) {
        if (!mapKeys(segment, scan, range.startOffset())) {
          return;
        }
        bytesMapped += scan.batch().sizeInBytes();
        progress.read(scan.batch().sizeInBytes());
        mappedUntil = Math.max(mappedUntil, scan.batch().nextOffset());
      }
    }
    mappedUntil = range.endOffset();
  }

  /** Whether there was room for the batch. */
  private boolean mapKeys(LogSegment segment, BatchScan scan, long startOffset) {
    RecordBatchView batch = scan.batch();
    hashes.clear();
    if (!batch.isControl() && !isAborted(batch)) {
      decode(
          segment,
          scan,
          () ->
              batch.forEachRecord(
                  record -> {
                    ByteBuffer key = record.key();
                    if (key != null && record.offset() >= startOffset) {
                      hashes.add(key, record.offset());
                    }
                  }));
    }
    return newest.put(hashes);
  }

  private static void decode(LogSegment segment, BatchScan scan, Runnable work) {
    if (!scan.batch().checksumMatches()) {
      throw new LogException(
          "checksum does not match at position=" + scan.position() + " of file=" + segment.file());
    }
    try {
      work.run();
    } catch (CorruptBatchException e) {
      throw new LogException(
          "cannot decode records at position=" + scan.position() + " of file=" + segment.file(), e);
    }
  }

  private boolean isAborted(RecordBatchView batch) {
    if (!batch.isTransactional()) {
      return false;
    }
    for (AbortedTransaction transaction : aborted) {
      if (transaction.producerId() == batch.producerId()
          && transaction.firstOffset() <= batch.baseOffset()
          && batch.baseOffset() <= transaction.lastOffset()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Neighbours that fit into one segment, judging by their size before.
   *
   * @param endOffset end of the last one. What pass one did not get to is copied as it is, so where
   *     pass one ended does not matter: taken for the end, it once put records into a segment whose
   *     index could not reach them
   */
  private List<List<LogSegment>> groups(List<LogSegment> all, long endOffset) {
    List<List<LogSegment>> groups = new ArrayList<>();
    List<LogSegment> group = new ArrayList<>();
    long size = 0;
    for (int i = 0; i < all.size(); i++) {
      LogSegment segment = all.get(i);
      long end = i + 1 < all.size() ? all.get(i + 1).baseOffset() : endOffset;
      boolean fits =
          !group.isEmpty()
              && size + segment.sizeBytes() <= config.segmentBytes()
              && group.getFirst().reaches(end);
      if (!fits && !group.isEmpty()) {
        groups.add(group);
        group = new ArrayList<>();
        size = 0;
      }
      group.add(segment);
      size += segment.sizeBytes();
    }
    if (!group.isEmpty()) {
      groups.add(group);
    }
    return groups;
  }

  /** Pass two for one group. */
  private void writeGroup(List<LogSegment> group) {
    LogSegment cleaned =
        group.getFirst().createBeside(group.getFirst().baseOffset(), SegmentFiles.CLEANED);
    Set<Long> droppedMarkers = new HashSet<>();
    try {
      for (LogSegment segment : group) {
        bytesBefore += segment.sizeBytes();
        BatchScan scan = segment.scanBatches(0);
        while (segment.next(scan)) {
          decode(segment, scan, () -> writeBatch(scan.batch(), cleaned, droppedMarkers));
          progress.read(scan.batch().sizeInBytes());
        }
      }
      writeTransactions(group, cleaned, droppedMarkers);
      bytesAfter += cleaned.sizeBytes();
      cleaned.seal();
      cleaned.sync(SyncScope.WITH_INDEXES);
    } catch (IOException e) {
      throw new LogException("cannot sync file=" + cleaned.file(), e);
    } finally {
      cleaned.close();
    }
  }

  /** Aborted transactions whose marker is still there; a reader would wait for it in vain else. */
  private static void writeTransactions(
      List<LogSegment> group, LogSegment cleaned, Set<Long> droppedMarkers) {
    List<AbortedTransaction> entries = new ArrayList<>();
    group.forEach(segment -> entries.addAll(segment.transactionIndex().entries()));
    if (!entries.isEmpty()) {
      cleaned.transactionIndex().createEmpty();
    }
    entries.removeIf(entry -> droppedMarkers.contains(entry.lastOffset()));
    entries.forEach(cleaned.transactionIndex()::append);
  }

  private void writeBatch(RecordBatchView batch, LogSegment cleaned, Set<Long> droppedMarkers) {
    Optional<ByteBuffer> kept;
    if (batch.baseOffset() >= mappedUntil) {
      kept = Optional.of(batch.bytes());
      count(batch, batch.recordCount());
    } else if (batch.isControl()) {
      // While a record of its transaction is there, the marker is: else whoever reads the log from
      // its start waits for the end of that transaction for ever.
      kept = unended.contains(batch.producerId()) ? Optional.of(batch.bytes()) : marker(batch);
      if (kept.isEmpty()) {
        droppedMarkers.add(batch.baseOffset());
      }
    } else {
      kept = data(batch);
    }
    if (kept.isEmpty() && isLastOfProducer(batch)) {
      kept = Optional.of(BatchRewrite.emptied(batch));
    }
    if (batch.isControl()) {
      unended.remove(batch.producerId());
    } else if (batch.isTransactional() && kept.isPresent()) {
      unended.add(batch.producerId());
    }
    kept.ifPresent(bytes -> append(cleaned, bytes));
  }

  private void append(LogSegment cleaned, ByteBuffer bytes) {
    try {
      cleaned.append(bytes.duplicate(), BatchRewrite.views(bytes), config.indexIntervalBytes());
    } catch (IOException e) {
      throw new LogException(
          "cannot write at position=" + cleaned.sizeBytes() + " of file=" + cleaned.file(), e);
    }
  }

  private boolean isLastOfProducer(RecordBatchView batch) {
    Long last = lastOffsetByProducer.get(batch.producerId());
    return batch.hasProducerId() && last != null && last == batch.lastOffset();
  }

  private Optional<ByteBuffer> marker(RecordBatchView batch) {
    if (batch.recordCount() == 0) {
      return Optional.empty();
    }
    if (!batch.hasDeleteHorizon()) {
      return BatchRewrite.filter(batch, _ -> true, horizon());
    }
    return batch.baseTimestamp() > nowMs ? Optional.of(batch.bytes()) : Optional.empty();
  }

  private void count(RecordBatchView batch, int recordsKept) {
    if (!batch.isControl()) {
      recordsBefore += batch.recordCount();
      recordsAfter += recordsKept;
    }
  }

  private Optional<ByteBuffer> data(RecordBatchView batch) {
    if (isAborted(batch)) {
      count(batch, 0);
      return Optional.empty();
    }
    boolean expired = batch.hasDeleteHorizon() && batch.baseTimestamp() <= nowMs;
    Survey survey = survey(batch, expired ? Tombstones.GO : Tombstones.STAY);
    count(batch, survey.kept.cardinality());
    boolean stamp = survey.tombstones > 0 && !batch.hasDeleteHorizon();
    if (survey.kept.cardinality() == batch.recordCount() && !stamp) {
      return survey.kept.isEmpty() ? Optional.empty() : Optional.of(batch.bytes());
    }
    int[] number = {0};
    return BatchRewrite.filter(
        batch, _ -> survey.kept.get(number[0]++), stamp ? horizon() : OptionalLong.empty());
  }

  private enum Tombstones {
    STAY,
    GO
  }

  /**
   * What stays of a batch.
   *
   * @param kept numbers of those records, from 0
   * @param tombstones how many of them have no value
   */
  private record Survey(BitSet kept, int tombstones) {}

  private Survey survey(RecordBatchView batch, Tombstones tombstones) {
    BitSet withKey = new BitSet();
    BitSet withoutValue = new BitSet();
    hashes.clear();
    int[] number = {0};
    batch.forEachRecord(
        record -> {
          ByteBuffer key = record.key();
          if (key != null) {
            withKey.set(number[0]);
            withoutValue.set(number[0], record.value() == null);
            hashes.add(key, record.offset());
          }
          number[0]++;
        });
    long[] newestOffsets = new long[hashes.count()];
    newest.newest(hashes, newestOffsets);
    BitSet kept = new BitSet();
    int hashed = 0;
    for (int n = withKey.nextSetBit(0); n >= 0; n = withKey.nextSetBit(n + 1)) {
      kept.set(n, newestOffsets[hashed] <= hashes.offset(hashed));
      hashed++;
    }
    withoutValue.and(kept);
    if (tombstones == Tombstones.GO) {
      expiredTombstones += withoutValue.cardinality();
      kept.andNot(withoutValue);
      withoutValue.clear();
    }
    return new Survey(kept, withoutValue.cardinality());
  }

  private OptionalLong horizon() {
    long end = nowMs + config.deleteRetentionMs();
    return OptionalLong.of(end < 0 ? Long.MAX_VALUE : end);
  }
}
