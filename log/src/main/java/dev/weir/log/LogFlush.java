package dev.weir.log;

import dev.weir.log.checkpoint.LeaderEpochs;
import dev.weir.log.segment.SegmentList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Puts a log on the disk. Any thread; syncs of one log never run beside each other, see {@link
 * #lock}.
 */
final class LogFlush {
  private final LogState log;
  private final ReentrantLock syncLock = new ReentrantLock();
  private List<LeaderEpochs.Start> namedEpochs = List.of(); // counted; under the log's lock
  private int syncedNames; // the changes that are on the disk; guarded by the sync lock

  LogFlush(LogState log) {
    this.log = log;
  }

  /**
   * Keeps others from syncing files of the log. The kernel reports a failed write-back once for an
   * open file, so a second sync beside the one that fails would report success for lost bytes.
   * Taken with or without the log's lock, which is never taken under it.
   */
  void lock() {
    syncLock.lock();
  }

  /** Lets others sync. */
  void unlock() {
    syncLock.unlock();
  }

  /** What is to be synced; under the log's lock. */
  private record Work(
      LogOffset end, SegmentList segments, int names, int truncations, long records) {}

  /**
   * Puts everything on the disk, not holding the log's lock meanwhile unless the caller does.
   *
   * @return the offset below which everything is on the disk now
   */
  long run() {
    Work work;
    log.lock.lock();
    try {
      if (log.closed) {
        return log.recoveryPoint;
      }
      log.requireFlushable();
      work = begin();
    } finally {
      log.lock.unlock();
    }
    boolean isSynced = false;
    try {
      isSynced = sync(work);
    } finally {
      end(work, isSynced ? Outcome.SYNCED : Outcome.NOT_SYNCED);
    }
    return log.recoveryPoint;
  }

  private enum Outcome {
    SYNCED,
    NOT_SYNCED
  }

  private Work begin() {
    if (!log.epochs.starts().equals(namedEpochs)) {
      namedEpochs = log.epochs.starts();
      log.nameChanges++;
    }
    Work work =
        new Work(log.logEnd, log.segments, log.nameChanges, log.truncations, log.unflushedRecords);
    log.unflushedRecords = 0;
    return work;
  }

  private void end(Work work, Outcome outcome) {
    log.lock.lock();
    try {
      switch (outcome) {
        case NOT_SYNCED -> log.unflushedRecords += work.records;
        case SYNCED -> {
          if (work.truncations == log.truncations) {
            log.namedBase = work.segments.active().baseOffset();
            log.recoveryPoint = Math.max(log.recoveryPoint, work.end.offset());
          }
        }
      }
    } finally {
      log.lock.unlock();
    }
  }

  /**
   * Syncs, one caller at a time: where one fails the next finds the log offline instead, unless it
   * failed for want of descriptors; then the next tries again.
   *
   * @return false if the log was closed meanwhile, and its files with it
   */
  private boolean sync(Work work) {
    syncLock.lock();
    try {
      if (log.closed) {
        return false;
      }
      log.requireFlushable();
      LogSync.Names state = work.names > syncedNames ? LogSync.Names.CHANGED : LogSync.Names.SYNCED;
      LogSync.sync(work.segments, log.recoveryPoint, log.directory, state);
      syncedNames = Math.max(syncedNames, work.names);
      return true;
    } catch (LogOfflineException e) {
      throw e;
    } catch (LogException e) {
      if (log.closed) {
        return false; // its topic was deleted: nobody is told anything of it any more
      }
      throw log.syncFailed(e);
    } finally {
      syncLock.unlock();
    }
  }

  @Override
  public String toString() {
    return "LogFlush[" + log + "]";
  }
}
