package dev.weir.log;

import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.checkpoint.AtomicFile;
import dev.weir.log.checkpoint.LeaderEpochs;
import dev.weir.log.compaction.SegmentSwap;
import dev.weir.log.producer.ProducerStates;
import dev.weir.log.producer.SnapshotFiles;
import dev.weir.log.segment.AbortedTransaction;
import dev.weir.log.segment.BatchScan;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.OpenFiles;
import dev.weir.log.segment.SegmentFiles;
import dev.weir.log.segment.SegmentList;
import dev.weir.log.segment.SegmentRecovery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the files of a partition. After a clean stop nothing but the end of the last segment is
 * read. Otherwise all that is above the recovery point is checked batch by batch; the log is cut at
 * the first batch that is not whole or not sound, and indexes, epochs and producers are brought in
 * line with what is left.
 */
final class LogLoader {
  private static final Logger LOG = LoggerFactory.getLogger(LogLoader.class);

  private static final List<String> LEFT_BEHIND =
      List.of(SegmentFiles.CLEANED, SegmentFiles.SWAP, SegmentFiles.DELETED, ".tmp");

  /** How the directory was left. */
  enum LastStop {
    CLEAN,
    UNCLEAN
  }

  /**
   * What the checkpoints say of a partition.
   *
   * @param recoveryPoint everything below it is on the disk
   * @param logStartOffset first offset of the log
   * @param highWatermark offset after the last committed record
   * @param cleanedUntil everything below it has been compacted
   */
  record Checkpointed(
      long recoveryPoint, long logStartOffset, long highWatermark, long cleanedUntil) {
    static final Checkpointed NONE = new Checkpointed(0, 0, 0, 0);
  }

  /** What was loaded. */
  record Loaded(
      SegmentList segments,
      LeaderEpochs epochs,
      ProducerStates producers,
      long logStartOffset,
      long endOffset,
      long recoveryPoint,
      long highWatermark,
      long cleanedUntil,
      long indexedEnd) {}

  private static final long NOT_INDEXED = -1;

  private final OpenFiles files;
  private final Path directory;
  private final int indexIntervalBytes;
  private final LastStop lastStop;
  private final Checkpointed checkpointed;
  private boolean epochsDamaged; // or missing, which comes to the same
  private boolean rebuilt; // indexes, of which the disk does not know yet

  private LogLoader(
      OpenFiles files,
      Path directory,
      int indexIntervalBytes,
      LastStop lastStop,
      Checkpointed checkpointed) {
    this.files = files;
    this.directory = directory;
    this.indexIntervalBytes = indexIntervalBytes;
    this.lastStop = lastStop;
    this.checkpointed = checkpointed;
  }

  /** Files of a partition that is new. */
  static Loaded create(OpenFiles files, Path directory) {
    SegmentList segments = SegmentList.of(List.of(LogSegment.create(files, directory, 0)));
    return new Loaded(
        segments, LeaderEpochs.empty(directory), new ProducerStates(), 0, 0, 0, 0, 0, 0);
  }

  /** Opens the files of a partition that exists. */
  static Loaded load(
      OpenFiles files,
      Path directory,
      int indexIntervalBytes,
      LastStop lastStop,
      Checkpointed checkpointed) {
    return new LogLoader(files, directory, indexIntervalBytes, lastStop, checkpointed).load();
  }

  private Loaded load() {
    List<LogSegment> found = openSegments(tidy());
    long endOffset = checkpointed.logStartOffset;
    if (!found.isEmpty()) {
      endOffset = openEnd(found);
    }
    if (found.isEmpty() || endOffset < checkpointed.logStartOffset) {
      // The log was emptied up to its start offset, or lost what was below it.
      found.forEach(LogLoader::discard);
      found = List.of(LogSegment.create(files, directory, checkpointed.logStartOffset));
      endOffset = checkpointed.logStartOffset;
    }
    SegmentList segments = dropBelowStart(SegmentList.of(found));
    long start = Math.max(checkpointed.logStartOffset, segments.first().baseOffset());
    LeaderEpochs epochs = readEpochs(start);
    epochs.truncateFromEnd(endOffset);
    ProducerStates producers = new ProducerStates();
    replay(segments, producers, epochs, endOffset);
    if (epochsDamaged) {
      // All at once: a start after a crash within would take a part of them for all.
      epochs = LeaderEpochs.replacing(directory, epochs.starts());
    }
    epochs.truncateFromStart(start);
    long highWatermark = Math.clamp(checkpointed.highWatermark, start, endOffset);
    producers.highWatermarkIs(highWatermark);
    long recoveryPoint = Math.min(checkpointed.recoveryPoint, endOffset);
    return new Loaded(
        segments,
        epochs,
        producers,
        start,
        endOffset,
        recoveryPoint,
        highWatermark,
        checkpointed.cleanedUntil,
        rebuilt ? NOT_INDEXED : endOffset);
  }

  /** Completes a swap of compaction, and removes what a crash or a deletion has left. */
  private List<String> tidy() {
    List<String> names = SegmentFiles.names(directory);
    if (names.stream().noneMatch(name -> isLeftBehind(name) || isOrphan(name, names))) {
      return names;
    }
    for (long base : SegmentFiles.offsets(names, SegmentFiles.LOG + SegmentFiles.SWAP)) {
      SegmentSwap.completeAfterCrash(files, directory, base);
    }
    try {
      List<String> left = SegmentFiles.names(directory);
      for (String name : left) {
        if (isLeftBehind(name) || isOrphan(name, left)) {
          Files.deleteIfExists(directory.resolve(name));
        }
      }
    } catch (IOException e) {
      throw new LogException("cannot tidy directory=" + directory, e);
    }
    return SegmentFiles.names(directory);
  }

  private static boolean isLeftBehind(String name) {
    return LEFT_BEHIND.stream().anyMatch(name::endsWith);
  }

  /** Whether a file is the index of a segment that is not there. */
  private static boolean isOrphan(String name, List<String> names) {
    for (String index : SegmentFiles.INDEXES) {
      if (SegmentFiles.offset(name, index).isPresent()) {
        String base = name.substring(0, name.length() - index.length());
        return !names.contains(base + SegmentFiles.LOG);
      }
    }
    return false;
  }

  private List<LogSegment> openSegments(List<String> names) {
    List<LogSegment> segments = new ArrayList<>();
    for (long base : SegmentFiles.offsets(names, SegmentFiles.LOG)) {
      segments.add(LogSegment.open(files, directory, base));
    }
    return segments;
  }

  /** Checks what has to be checked, and opens the last segment; returns the log end offset. */
  private long openEnd(List<LogSegment> segments) {
    for (int i = 0; i < segments.size(); i++) {
      LogSegment segment = segments.get(i);
      boolean last = i + 1 == segments.size();
      // At the point itself the end of the indexes may have come after the last sync.
      boolean flushed = !last && segments.get(i + 1).baseOffset() < checkpointed.recoveryPoint;
      if ((lastStop == LastStop.CLEAN || flushed) && segment.hasIndexes()) {
        if (last) {
          return openActive(segment);
        }
        continue;
      }
      SegmentRecovery.Recovered recovered = recover(segment, i, segments.size());
      if (last) {
        return recovered.endOffset();
      }
      if (recovered.cutBytes() > 0
          || isBroken(recovered.endOffset(), segments.get(i + 1).baseOffset())) {
        while (segments.size() > i + 1) {
          discard(segments.removeLast());
          AtomicFile.syncDirectory(directory); // they must not come back beside what follows
        }
        return recovered.endOffset();
      }
      segment.seal();
      sync(segment);
    }
    throw new IllegalStateException("no segments in directory=" + directory);
  }

  /**
   * Whether a segment does not go on where the one before it ends. Compaction leaves gaps, but only
   * below the recovery point and where it has been; above them a gap is what a power loss took.
   */
  private boolean isBroken(long endOffset, long nextBase) {
    return nextBase < endOffset
        || (nextBase > endOffset
            && nextBase > Math.max(checkpointed.recoveryPoint, checkpointed.cleanedUntil));
  }

  private static void sync(LogSegment segment) {
    try {
      segment.sync(LogSegment.SyncScope.WITH_INDEXES); // later starts trust them
    } catch (IOException e) {
      throw new LogException("cannot sync the indexes of file=" + segment.file(), e);
    }
  }

  private long openActive(LogSegment segment) {
    try {
      return segment.openForAppend();
    } catch (CorruptFileException e) {
      LOG.warn("segment is checked, since its end is damaged: file={}", segment.file(), e);
      return recover(segment, 0, 1).endOffset();
    }
  }

  private SegmentRecovery.Recovered recover(LogSegment segment, int index, int count) {
    rebuilt = true;
    long from = segment.hasIndexes() ? checkpointed.recoveryPoint : 0;
    SegmentRecovery.Recovered recovered = segment.recover(from, indexIntervalBytes);
    if (recovered.cutBytes() > 0) {
      LOG.warn(
          "log was cut at the end of its sound batches: file={} endOffset={} cutBytes={}"
              + " segmentsDropped={} problem={}",
          segment.file(),
          recovered.endOffset(),
          recovered.cutBytes(),
          count - index - 1,
          recovered.problem().orElse("none"));
    }
    return recovered;
  }

  private static void discard(LogSegment segment) {
    segment.deleteFiles();
    segment.close();
  }

  private SegmentList dropBelowStart(SegmentList segments) {
    int keepFrom = segments.floor(checkpointed.logStartOffset);
    for (int i = 0; i < keepFrom; i++) {
      discard(segments.get(i));
    }
    return segments.from(keepFrom);
  }

  private LeaderEpochs readEpochs(long logStartOffset) {
    try {
      LeaderEpochs read = LeaderEpochs.read(directory);
      boolean lacksStart =
          read.starts().isEmpty()
              ? checkpointed.recoveryPoint > 0
              // The file was cut for a new log start, which a power loss has taken back.
              : read.starts().getFirst().startOffset() > logStartOffset;
      epochsDamaged = lacksStart && lastStop == LastStop.UNCLEAN;
      return epochsDamaged ? LeaderEpochs.unsaved() : read;
    } catch (CorruptFileException e) {
      LOG.warn("leader epochs are read from the batches, since their file is damaged", e);
      epochsDamaged = true;
      return LeaderEpochs.unsaved();
    }
  }

  /** Brings producers and epochs in line with the segments. */
  private void replay(
      SegmentList segments, ProducerStates producers, LeaderEpochs epochs, long endOffset) {
    SnapshotFiles snapshots = new SnapshotFiles(directory);
    // A snapshot above the recovery point may be older than the disk says after a power loss.
    long trusted = lastStop == LastStop.CLEAN ? endOffset : checkpointed.recoveryPoint;
    long from = restore(snapshots, producers, Math.min(trusted, endOffset), endOffset);
    if (lastStop == LastStop.UNCLEAN) {
      snapshots.deleteIf(offset -> offset > trusted);
      keepSoundTransactions(segments);
    }
    if (epochs.starts().isEmpty()) {
      from = segments.first().baseOffset();
      producers.clear();
    }
    replay(segments, producers, epochs, from, endOffset);
  }

  /** Entries above the recovery point are derived again from the batches. */
  private void keepSoundTransactions(SegmentList segments) {
    for (int i = segments.floor(checkpointed.recoveryPoint - 1); i < segments.size(); i++) {
      LogSegment segment = segments.get(i);
      segment.transactionIndex().keepSound(segment.baseOffset(), checkpointed.recoveryPoint);
    }
  }

  /**
   * Reads the newest sound snapshot; returns the offset from which on the log is to be replayed.
   */
  static long restore(
      SnapshotFiles snapshots, ProducerStates producers, long offsetMax, long endOffset) {
    producers.clear();
    NavigableSet<Long> offsets = snapshots.offsets();
    offsets.tailSet(endOffset, false).forEach(snapshots::delete);
    for (long offset : offsets.headSet(offsetMax, true).descendingSet()) {
      try {
        producers.read(snapshots.file(offset));
        return offset;
      } catch (CorruptFileException e) {
        LOG.warn("producer snapshot is left out, since it is damaged: offset={}", offset, e);
        snapshots.delete(offset);
      }
    }
    return 0;
  }

  /** Takes the batches of a range of offsets into producers and epochs. */
  static void replay(
      SegmentList segments,
      ProducerStates producers,
      LeaderEpochs epochs,
      long from,
      long endOffset) {
    if (from >= endOffset) {
      return;
    }
    int first = segments.floor(from);
    for (int i = first; i < segments.size(); i++) {
      LogSegment segment = segments.get(i);
      long position = i == first ? segment.positionOf(from, segment.sizeBytes()) : 0;
      BatchScan scan = segment.scanHeaders(position);
      while (segment.next(scan)) {
        RecordBatchView batch = scan.batch();
        epochs.start(batch.leaderEpoch(), batch.baseOffset());
        if (batch.hasProducerId()) {
          replayProducer(segment, scan, producers);
        }
      }
    }
  }

  private static void replayProducer(
      LogSegment segment, BatchScan headers, ProducerStates producers) {
    RecordBatchView batch = headers.batch();
    if (batch.isControl()) {
      BatchScan whole = segment.scanBatches(headers.position());
      segment.next(whole);
      batch = whole.batch();
    }
    ProducerStates.Staged staged = producers.stage(AppendOrigin.REPLICATION);
    try {
      staged.add(batch, batch.baseOffset());
    } catch (CorruptBatchException e) {
      throw new CorruptFileException(
          e.getMessage() + ", at position=" + headers.position() + " of file=" + segment.file());
    }
    for (AbortedTransaction aborted : producers.apply(staged)) {
      if (!segment.transactionIndex().entries().contains(aborted)) {
        segment.transactionIndex().append(aborted);
      }
    }
  }
}
