package dev.weir.log;

import dev.weir.log.checkpoint.AtomicFile;
import dev.weir.log.checkpoint.LeaderEpochs;
import dev.weir.log.producer.ProducerStates;
import dev.weir.log.producer.SnapshotFiles;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.LogSegment.SyncScope;
import dev.weir.log.segment.OpenFiles;
import dev.weir.log.segment.SegmentFiles;
import dev.weir.log.segment.SegmentList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mutable state of one partition log, and the steps that its operations share. All of it is
 * changed under {@link #lock}; the volatile fields are read without.
 *
 * <p>{@code 0 <= logStartOffset <= lastStable <= highWatermark <= logEnd}.
 */
final class LogState {
  private static final Logger LOG = LoggerFactory.getLogger(LogState.class);

  private static final long NOT_NAMED = -1;

  /** The files of the next segment are made when so much of the active one is full. */
  private static final int PREPARE_FROM_QUARTERS = 3;

  /** Ends of the latest appends, among which a high watermark mostly finds its position. */
  private static final int RECENT_ENDS = 64;

  /**
   * A start after a kill has to look at each batch behind the last snapshot of the producers. So a
   * checkpoint takes one after so many bytes, and not only where a segment ends: those of a
   * thousand partitions may hold a gigabyte each.
   */
  private static final long SNAPSHOT_EVERY_BYTES = 8 << 20;

  /** The same for small segments: so many to each. */
  private static final int SNAPSHOTS_PER_SEGMENT = 8;

  final TopicPartition topicPartition;
  final Path directory;
  final ReentrantLock lock = new ReentrantLock();

  /** Held during a sync; taken with or without the other lock, which is never taken under it. */
  private final ReentrantLock syncLock = new ReentrantLock();

  final SnapshotFiles snapshots;
  final LeaderEpochs epochs;
  final ProducerStates producers;
  final DeletedSegments deleted;
  private final RollFiles rollFiles;

  private final Executor background;
  private final Runnable saveBounds;
  private final long indexedAtOpen; // the indexes are on the disk up to there
  private final LogOffset[] recentEnds = new LogOffset[RECENT_ENDS];
  private int recentNext;
  private long namedBase = NOT_NAMED; // of the newest segment whose name is on the disk
  private long snapshotOffset; // of the newest snapshot that is known to be there, or -1
  private long snapshotPosition; // in the active segment, up to which snapshots cover it

  long unflushedRecords;
  private int nameChanges = 1; // how often files came, went or were replaced
  private List<LeaderEpochs.Start> namedEpochs = List.of(); // those that nameChanges counts
  private int syncedNames; // the changes that are on the disk; guarded by the sync lock
  int truncations; // so that work without the lock sees that offsets have changed their meaning

  volatile LogConfig config;
  volatile SegmentList segments;
  volatile long logStartOffset;
  volatile LogOffset logEnd;
  volatile LogOffset highWatermark;
  volatile LogOffset lastStable;
  volatile long recoveryPoint; // everything below is on the disk
  volatile long cleanedUntil; // everything below has been compacted
  volatile @Nullable LogException offline;
  private volatile boolean failedWrite; // is why the log is offline
  volatile boolean closed;

  LogState(
      TopicPartition topicPartition,
      Path directory,
      LogConfig config,
      Executor background,
      LogLoader.Loaded loaded,
      Runnable saveBounds) {
    this.topicPartition = topicPartition;
    this.directory = directory;
    this.config = config;
    this.background = background;
    this.saveBounds = saveBounds;
    this.snapshots = new SnapshotFiles(directory);
    this.deleted = new DeletedSegments(snapshots);
    this.rollFiles = new RollFiles(directory);
    this.epochs = loaded.epochs();
    this.producers = loaded.producers();
    this.segments = loaded.segments();
    this.logStartOffset = loaded.logStartOffset();
    LogSegment active = segments.active();
    this.logEnd = new LogOffset(loaded.endOffset(), active.baseOffset(), active.sizeBytes());
    this.highWatermark = logEnd;
    this.lastStable = logEnd;
    this.recoveryPoint = loaded.recoveryPoint();
    this.cleanedUntil = Math.min(loaded.cleanedUntil(), loaded.endOffset());
    this.indexedAtOpen = loaded.indexedEnd();
    this.snapshotOffset =
        Files.exists(snapshots.file(loaded.endOffset())) ? loaded.endOffset() : -1;
    this.snapshotPosition = snapshotOffset < 0 ? 0 : active.sizeBytes();
    this.highWatermark = locate(loaded.highWatermark());
    this.lastStable = stableOffset();
  }

  /** Notes a failure of a sync, or of half a change; the log takes no appends until a restart. */
  LogException goOffline(LogException cause) {
    if (offline == null || failedWrite) {
      failedWrite = false;
      offline = cause;
    }
    return cause;
  }

  /**
   * Notes that something could not be written. What was published before is whole, and can be
   * flushed; the log takes no appends until {@link #comeBack}.
   */
  LogException writeFailed(LogException cause) {
    if (offline == null) {
      failedWrite = true;
      offline = cause;
    }
    return cause;
  }

  /**
   * Brings a log back that a failed write took offline: takes away what the write has left, and
   * derives the rest from the batches again. Whether there is room now the next append tells.
   *
   * @return whether the log was offline and is not any more
   * @throws LogException if the files can't be put right; the log stays offline
   */
  boolean comeBack() {
    if (closed || offline == null || !failedWrite) {
      return false;
    }
    LogSegment active = segments.active();
    for (long base : SegmentFiles.offsets(SegmentFiles.names(directory), SegmentFiles.LOG)) {
      if (base > active.baseOffset()) {
        LogSegment.deleteFiles(directory, base); // of a roll that did not come to its end
      }
    }
    try {
      active.cutTornEnd(logEnd.offset());
    } catch (LogException e) {
      throw goOffline(e); // it may have been the sync
    }
    epochs.save();
    endsAt(logEnd.offset());
    failedWrite = false;
    offline = null;
    return true;
  }

  /** What a failed write has left open can be flushed, what a failed sync has lost cannot. */
  private void requireFlushable() {
    if (!failedWrite) {
      requireOnline();
    }
  }

  void requireOnline() {
    LogException cause = offline;
    if (cause != null) {
      throw new LogOfflineException("log is offline: " + this, cause);
    }
    if (closed) {
      throw new LogOfflineException("log is closed: " + this, new IllegalStateException("closed"));
    }
  }

  /** Publishes a new log end after an append. */
  void appended(long endOffset) {
    LogSegment active = segments.active();
    unflushedRecords += endOffset - logEnd.offset();
    logEnd = new LogOffset(endOffset, active.baseOffset(), active.sizeBytes());
    recentEnds[recentNext] = logEnd;
    recentNext = (recentNext + 1) % RECENT_ENDS;
    long prepareFrom = config.segmentBytes() / 4L * PREPARE_FROM_QUARTERS;
    if (active.sizeBytes() >= prepareFrom && !closed && rollFiles.ask()) {
      background.execute(this::prepareRoll);
    }
  }

  private void prepareRoll() {
    if (!closed && offline == null) {
      rollFiles.make(segments.active());
    }
  }

  /** The place of an offset between log start and log end. */
  LogOffset locate(long offset) {
    if (offset == logEnd.offset()) {
      return logEnd;
    }
    for (LogOffset end : recentEnds) {
      if (end != null && end.offset() == offset) {
        return end;
      }
    }
    return LogSearch.locate(segments, offset);
  }

  /** The last stable offset as producers and high watermark have it now. */
  LogOffset stableOffset() {
    OptionalLong unstable = producers.firstUnstableOffset();
    LogOffset committed = highWatermark;
    if (unstable.isEmpty() || unstable.getAsLong() >= committed.offset()) {
      return committed;
    }
    long offset = Math.max(unstable.getAsLong(), logStartOffset);
    return offset == lastStable.offset() ? lastStable : locate(offset);
  }

  /** Closes the active segment and begins one at {@code baseOffset}. */
  void roll(long baseOffset) {
    syncNameOfActive();
    try {
      segments.active().seal();
      writeSnapshot(baseOffset);
      rollFiles.takeFor(SegmentFiles.file(directory, baseOffset, SegmentFiles.LOG));
      segments = segments.with(segments.active().createBeside(baseOffset, ""));
      snapshotPosition = 0;
    } catch (LogException e) {
      throw writeFailed(e);
    }
    LogOffset before = logEnd;
    logEnd = new LogOffset(before.offset(), baseOffset, 0);
    highWatermark = highWatermark.offset() == before.offset() ? logEnd : highWatermark;
    lastStable = lastStable.offset() == before.offset() ? logEnd : lastStable;
    nameChanges++;
    background.execute(this::flushRolled);
  }

  /** A later segment must not be there without this one. */
  private void syncNameOfActive() {
    long base = segments.active().baseOffset();
    try {
      if (namedBase < base) {
        AtomicFile.syncDirectory(directory);
        namedBase = base;
      }
    } catch (LogException e) {
      throw syncFailed(e);
    }
  }

  /**
   * Notes that a sync failed. Where a file could not even be opened for it nothing is lost: the
   * next sync covers it, when there are descriptors again.
   */
  private LogException syncFailed(LogException cause) {
    return OpenFiles.isForWantOfDescriptors(cause) ? writeFailed(cause) : goOffline(cause);
  }

  private void flushRolled() {
    try {
      flush();
    } catch (LogException e) {
      LOG.error("flush of a finished segment failed, log is offline: log={}", this, e);
    }
  }

  /** Brings index files and snapshots up to date, without a sync, so that less is to recover. */
  void prepareForKill() {
    LogSegment active = segments.active();
    active.writeIndexes();
    long every = Math.min(SNAPSHOT_EVERY_BYTES, config.segmentBytes() / SNAPSHOTS_PER_SEGMENT);
    if (active.sizeBytes() - snapshotPosition < every) {
      return;
    }
    NavigableSet<Long> offsets = snapshots.offsets();
    Long trusted = offsets.floor(recoveryPoint);
    for (long offset : offsets) {
      boolean ofSegment = segments.get(segments.floor(offset)).baseOffset() == offset;
      if (!ofSegment && offset > recoveryPoint) {
        return; // it is not trusted before it is flushed: another would be for nothing
      }
      if (!ofSegment && trusted != null && offset < trusted) {
        snapshots.delete(offset);
      }
    }
    writeSnapshot(logEnd.offset());
    snapshotPosition = active.sizeBytes();
    nameChanges++;
  }

  private void writeSnapshot(long offset) {
    if (snapshotOffset != offset) {
      producers.write(snapshots.file(offset));
      snapshotOffset = offset;
    }
  }

  /** Puts everything on the disk, not holding the lock meanwhile unless the caller does. */
  long flush() {
    LogOffset end;
    SegmentList now;
    int names;
    int before;
    lock.lock();
    try {
      if (closed) {
        return recoveryPoint;
      }
      requireFlushable();
      end = logEnd;
      now = segments;
      if (!epochs.starts().equals(namedEpochs)) {
        namedEpochs = epochs.starts();
        nameChanges++;
      }
      names = nameChanges;
      before = truncations;
      unflushedRecords = 0;
    } finally {
      lock.unlock();
    }
    if (!sync(now, names)) {
      return recoveryPoint;
    }
    lock.lock();
    try {
      if (before == truncations) {
        namedBase = now.active().baseOffset();
        recoveryPoint = Math.max(recoveryPoint, end.offset());
      }
      return recoveryPoint;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Syncs, one caller at a time: the kernel reports a failed write-back once for an open file, so a
   * second sync beside the one that fails would report success for lost bytes. The next caller
   * finds the log offline instead.
   *
   * @return false if the log was closed meanwhile, and its files with it
   */
  private boolean sync(SegmentList now, int names) {
    syncLock.lock();
    try {
      if (closed) {
        return false;
      }
      requireFlushable();
      LogSync.Names state = names > syncedNames ? LogSync.Names.CHANGED : LogSync.Names.SYNCED;
      LogSync.sync(now, recoveryPoint, directory, state);
      syncedNames = Math.max(syncedNames, names);
      return true;
    } catch (LogOfflineException e) {
      throw e;
    } catch (LogException e) {
      if (closed) {
        return false; // its topic was deleted: nobody is told anything of it any more
      }
      throw syncFailed(e);
    } finally {
      syncLock.unlock();
    }
  }

  /** Moves the log start up. */
  void startAt(long offset) {
    logStartOffset = offset;
    epochs.truncateFromStart(offset);
    lastStable = stableOffset();
  }

  /** Replaces all segments by an empty one. */
  void startEmptyAt(long offset, long nowMs) {
    lowerRecoveryPoint(Math.min(offset, segments.first().baseOffset()));
    removeFrom(segments, 0, nowMs);
    snapshots.deleteIf(_ -> true);
    AtomicFile.syncDirectory(directory);
    logStartOffset = offset;
    saveBounds.run(); // a log that ends below the start that the checkpoint has would be emptied
    segments = SegmentList.of(List.of(segments.active().createBeside(offset, "")));
    epochs.clear();
    endsAt(offset);
  }

  /** Removes the records from {@code offset} on, which is below the log end. */
  void truncateTo(long offset, long nowMs) {
    lowerRecoveryPoint(offset);
    SegmentList now = segments;
    int keep = now.floor(offset);
    segments = now.until(keep + 1);
    removeFrom(now, keep + 1, nowMs);
    long startBefore = logStartOffset;
    endsAt(segments.active().truncateTo(offset));
    if (logStartOffset < startBefore) {
      saveBounds.run();
    }
    // Nothing is appended before the old names have gone for good: they would stand beside it.
    AtomicFile.syncDirectory(directory);
  }

  /**
   * Takes the recovery point down before a truncation, on the disk too: what is appended afterwards
   * would lie below the point that the checkpoint has, and be trusted after a crash.
   */
  private void lowerRecoveryPoint(long offset) {
    if (offset < recoveryPoint) {
      recoveryPoint = offset;
      saveBounds.run();
    }
  }

  /** Puts recovery point and log start on the disk. */
  void saveBounds() {
    saveBounds.run();
  }

  /** A name of a file has come, which the next flush puts on the disk. */
  void nameCame() {
    nameChanges++;
  }

  /** Removes segments, the last one first: a crash within leaves no gap. */
  private void removeFrom(SegmentList list, int from, long nowMs) {
    for (int i = list.size() - 1; i >= from; i--) {
      remove(list.get(i), nowMs);
      AtomicFile.syncDirectory(directory);
    }
  }

  /** Takes over a log end that is lower than before, after the segments were cut. */
  void endsAt(long offset) {
    truncations++;
    nameChanges++;
    namedBase = NOT_NAMED;
    LogSegment active = segments.active();
    logEnd = new LogOffset(offset, active.baseOffset(), active.sizeBytes());
    Arrays.fill(recentEnds, null);
    recoveryPoint = Math.min(recoveryPoint, offset);
    cleanedUntil = Math.min(cleanedUntil, offset);
    logStartOffset = Math.min(logStartOffset, offset); // it may lie inside a batch that has gone
    epochs.truncateFromEnd(offset);
    snapshotOffset = -1;
    snapshotPosition = 0;
    long from = LogLoader.restore(snapshots, producers, offset, offset);
    LogLoader.replay(segments, producers, epochs, from, offset);
    if (highWatermark.offset() >= offset) {
      highWatermark = logEnd;
    }
    producers.highWatermarkIs(highWatermark.offset());
    lastStable = stableOffset();
  }

  /** Takes over a segment list in which some finished segments have been compacted. */
  void compacted(SegmentList newSegments, long newCleanedUntil) {
    segments = newSegments;
    cleanedUntil = newCleanedUntil;
    // Both lie above what was compacted, but may be known by the end of a segment that has gone.
    highWatermark = LogSearch.locate(newSegments, highWatermark.offset());
    lastStable = LogSearch.locate(newSegments, lastStable.offset());
    Arrays.fill(recentEnds, null);
    nameChanges++;
  }

  /** Deletes the files of a segment that is not in the list any more. */
  void remove(LogSegment segment, long nowMs) {
    deleted.delete(segment, nowMs + config.fileDeleteDelayMs());
  }

  /** Writes what a clean start needs, and closes the files. */
  void closeCleanly() {
    if (offline == null) {
      if (recoveryPoint < logEnd.offset()) {
        flush(); // where nothing was appended, a power loss takes an empty partition at most
      }
      rollFiles.discard();
      LogSegment active = segments.active();
      active.seal();
      if (logEnd.offset() > 0) {
        writeSnapshot(logEnd.offset());
      }
      if (logEnd.offset() != indexedAtOpen) {
        syncIndexes(active);
        AtomicFile.syncDirectory(directory);
      }
    }
    closeFiles();
  }

  private void syncIndexes(LogSegment active) {
    try {
      active.sync(SyncScope.WITH_INDEXES); // a clean start trusts them
    } catch (IOException e) {
      throw goOffline(new LogException("cannot sync the indexes of file=" + active.file(), e));
    }
  }

  void closeFiles() {
    closed = true;
    segments.all().forEach(LogSegment::close);
    deleted.closeAll();
  }

  @Override
  public String toString() {
    List<Long> offsets =
        List.of(logStartOffset, lastStable.offset(), highWatermark.offset(), logEnd.offset());
    return "PartitionLog["
        + topicPartition
        + ", start/stable/highWatermark/end="
        + offsets
        + ", recoveryPoint="
        + recoveryPoint
        + ", directory="
        + directory
        + "]";
  }
}
