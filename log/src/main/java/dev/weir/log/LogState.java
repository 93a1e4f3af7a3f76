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
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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

  /**
   * Finished segments that are not synced yet are open. They are synced in the background; where
   * that has not come to so many of them whoever appends does it, and waits for the disk.
   */
  static final int UNSYNCED_MAX = 32;

  /** Ends of the latest appends, among which a high watermark mostly finds its position. */
  private static final int RECENT_ENDS = 64;

  final TopicPartition topicPartition;
  final Path directory;
  final ReentrantLock lock = new ReentrantLock();

  final SnapshotFiles snapshots;
  final LeaderEpochs epochs;
  final ProducerStates producers;
  final DeletedSegments deleted;
  private final SnapshotTurns snapshotTurns;
  private final RollFiles rollFiles;
  private final LogHealth health = new LogHealth();
  private final LogFlush flush = new LogFlush(this);

  private final Executor background;
  private final Runnable saveBounds;
  private final long indexedAtOpen; // the indexes are on the disk up to there
  private final LogOffset[] recentEnds = new LogOffset[RECENT_ENDS];
  private int recentNext;
  long namedBase = NOT_NAMED; // of the newest segment whose name is on the disk

  long unflushedRecords;
  int nameChanges = 1; // how often files came, went or were replaced
  int truncations; // so that work without the lock sees that offsets have changed their meaning

  volatile LogConfig config;
  volatile SegmentList segments;
  volatile long logStartOffset;
  volatile LogOffset logEnd;
  volatile LogOffset highWatermark;
  volatile LogOffset lastStable;
  volatile long recoveryPoint; // everything below is on the disk
  volatile long cleanedUntil; // everything below has been compacted
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
    this.snapshotTurns = new SnapshotTurns(snapshots, producers, loaded.endOffset(), active);
    this.highWatermark = locate(loaded.highWatermark());
    this.lastStable = stableOffset();
  }

  /** Notes a failure of a sync, or of half a change; the log takes no appends until a restart. */
  LogException goOffline(LogException cause) {
    health.lost(cause);
    return cause;
  }

  /**
   * Notes that something could not be written. What was published before is whole, and can be
   * flushed; the log takes no appends until {@link #comeBack}.
   */
  LogException writeFailed(LogException cause) {
    health.writeFailed(cause);
    return cause;
  }

  /** What took the log offline, if it is. */
  @Nullable LogException offline() {
    return health.offline();
  }

  /**
   * Brings a log back that a failed write took offline: takes away what the write has left, and
   * derives the rest from the batches again. Whether there is room now the next append tells.
   *
   * @return whether the log was offline and is not any more
   * @throws LogException if the files can't be put right; the log stays offline
   */
  boolean comeBack() {
    // A flush beside this may find that its bytes are lost: it is waited for, and has its word. Nor
    // may a sync of this one take the kernel's only report of a loss away from that flush.
    flush.lock();
    try {
      Optional<LogHealth.WriteFailed> failed = health.writeFailure();
      if (closed || failed.isEmpty()) {
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
        throw syncFailed(e); // it may have been the sync
      }
      epochs.save();
      endsAt(logEnd.offset());
      return health.overcome(failed.get());
    } finally {
      flush.unlock();
    }
  }

  /** What a failed write has left open can be flushed, what a failed sync has lost cannot. */
  void requireFlushable() {
    if (health.writeFailure().isEmpty()) {
      requireOnline();
    }
  }

  void requireOnline() {
    LogException cause = offline();
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
      later(this::prepareRoll);
    }
  }

  /** What is done in the background may be left out: an append that has been published succeeds. */
  private void later(Runnable work) {
    try {
      background.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("the directory is being closed, which flushes all: log={}", this, e);
    }
  }

  private void prepareRoll() {
    if (!closed && offline() == null) {
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
      snapshotTurns.write(baseOffset);
      rollFiles.takeFor(SegmentFiles.file(directory, baseOffset, SegmentFiles.LOG));
      segments = segments.with(segments.active().createBeside(baseOffset, ""));
      snapshotTurns.rolled();
    } catch (LogException e) {
      throw writeFailed(e);
    }
    LogOffset before = logEnd;
    logEnd = new LogOffset(before.offset(), baseOffset, 0);
    highWatermark = highWatermark.offset() == before.offset() ? logEnd : highWatermark;
    lastStable = lastStable.offset() == before.offset() ? logEnd : lastStable;
    nameChanges++;
    if (segments.size() - 1 - segments.floor(recoveryPoint) > UNSYNCED_MAX) {
      flush();
    } else {
      later(this::flushRolled);
    }
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
  LogException syncFailed(LogException cause) {
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
    segments.active().writeIndexes();
    switch (snapshotTurns.checkpoint(segments, config, logEnd.offset(), recoveryPoint)) {
      case WRITTEN -> nameChanges++;
      case NOT_DUE -> {}
    }
  }

  /** Puts everything on the disk, not holding the lock meanwhile unless the caller does. */
  long flush() {
    return flush.run();
  }

  /** Moves the log start up. */
  void startAt(long offset) {
    logStartOffset = offset;
    epochs.truncateFromStart(offset);
    lastStable = stableOffset();
  }

  /** Replaces all segments by an empty one. */
  void startEmptyAt(long offset, long nowMs) {
    deleted.removeFiles(); // the new one may have the name of one that has left
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
    endsAt(cutActive(offset));
    // Within a batch the cut takes all of it: the log ends below the point that was saved above,
    // and
    // what is appended from there on would be trusted after a crash.
    if (logStartOffset < startBefore || logEnd.offset() < offset) {
      saveBounds.run();
    }
    // Nothing is appended before the old names have gone for good: they would stand beside it.
    AtomicFile.syncDirectory(directory);
  }

  /** Beside no other sync: it would take the kernel's only report of a loss away from that. */
  private long cutActive(long offset) {
    flush.lock();
    try {
      return segments.active().truncateTo(offset);
    } finally {
      flush.unlock();
    }
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
    snapshotTurns.cut();
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
    if (offline() == null) {
      if (recoveryPoint < logEnd.offset()) {
        flush(); // where nothing was appended, a power loss takes an empty partition at most
      }
      rollFiles.discard();
      LogSegment active = segments.active();
      active.seal();
      if (logEnd.offset() > 0) {
        snapshotTurns.write(logEnd.offset());
      }
      if (logEnd.offset() != indexedAtOpen) {
        syncIndexes(active);
        AtomicFile.syncDirectory(directory);
      }
    }
    closeFiles();
  }

  private void syncIndexes(LogSegment active) {
    flush.lock();
    try {
      active.sync(SyncScope.WITH_INDEXES); // a clean start trusts them
    } catch (IOException e) {
      throw goOffline(new LogException("cannot sync the indexes of file=" + active.file(), e));
    } finally {
      flush.unlock();
    }
  }

  void closeFiles() {
    closed = true;
    deleted.closeAll(); // first, since no file is to be removed any more
    segments.all().forEach(LogSegment::close);
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
