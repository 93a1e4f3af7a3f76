package dev.weir.log;

import dev.weir.log.compaction.Compaction;
import dev.weir.log.compaction.CompactionProgress;
import dev.weir.log.compaction.DirtyRange;
import dev.weir.log.compaction.SegmentSwap;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.SegmentList;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retention and compaction of one partition log. One at a time, by a lock of its own, which comes
 * before the log's lock; the work of a compaction holds only the former.
 */
final class LogUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(LogUpkeep.class);

  /** Apache Kafka's default of {@code producer.id.expiration.ms}. */
  private static final long PRODUCER_EXPIRATION_MS = 86_400_000L;

  private final LogState log;
  private final InstantSource clock;
  private final CompactionHistory history = new CompactionHistory();
  private final ReentrantLock upkeepLock = new ReentrantLock();

  /**
   * @param clock what the length of runs is measured by
   */
  LogUpkeep(LogState log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
  }

  /**
   * Thousands of files may go: under the log's lock only the list and the start of the log change.
   * Then the start is put on the disk, since a power loss may bring back some of the files that go
   * after it. Where either fails the files are left to the next turn.
   */
  int deleteOldSegments(long nowMs) {
    upkeepLock.lock();
    try {
      readTimes();
      Old old = takeOld(nowMs);
      old.due.forEach(LogSegment::close);
      if (log.deleted.haveFiles()) {
        log.saveBounds();
        log.deleted.removeFiles();
      }
      return old.count;
    } finally {
      upkeepLock.unlock();
    }
  }

  /** The choice needs the end of each time index, which is read from the file once. */
  private void readTimes() {
    try {
      log.segments.all().forEach(LogSegment::largestTimestamp);
    } catch (LogException e) {
      LOG.debug("read again under the lock, if the log is online and not closed: log={}", log, e);
    }
  }

  /** What has left the log, and what was left long enough to be closed. */
  private record Old(int count, List<LogSegment> due) {}

  private Old takeOld(long nowMs) {
    log.lock.lock();
    try {
      log.requireOnline();
      List<LogSegment> due = log.deleted.takeDue(nowMs);
      log.producers.expire(nowMs - PRODUCER_EXPIRATION_MS);
      int count = deletable(nowMs);
      if (count == log.segments.size()) {
        if (log.segments.active().sizeBytes() == 0) {
          count--;
        } else {
          log.roll(log.logEnd.offset());
        }
      }
      SegmentList before = log.segments;
      SegmentList kept = before.from(count);
      if (kept.first().baseOffset() > log.logStartOffset) {
        log.startAt(kept.first().baseOffset());
      }
      log.segments = kept;
      for (int i = 0; i < count; i++) {
        log.deleted.leave(before.get(i), nowMs + log.config.fileDeleteDelayMs());
      }
      return new Old(count, due);
    } finally {
      log.lock.unlock();
    }
  }

  private int deletable(long nowMs) {
    SegmentList now = log.segments;
    List<Retention.Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      LogSegment segment = now.get(i);
      OptionalLong newest = segment.largestTimestamp();
      candidates.add(
          new Retention.Candidate(
              now.endOffset(i, log.logEnd.offset()),
              segment.sizeBytes(),
              newest,
              newest.isPresent() ? 0 : segment.lastModifiedMs()));
    }
    return Retention.deletable(
        candidates,
        log.config,
        new Retention.Bounds(log.logStartOffset, log.highWatermark.offset()),
        nowMs);
  }

  private record Work(
      SegmentList segments, DirtyRange range, Map<Long, Long> lastOffsets, int truncations) {}

  Optional<CompactionReport> compact(long nowMs, int keysMax) {
    upkeepLock.lock();
    try {
      Optional<Work> due = dueWork(nowMs);
      if (due.isEmpty()) {
        return Optional.empty();
      }
      return compact(due.get(), nowMs, keysMax);
    } finally {
      upkeepLock.unlock();
    }
  }

  private Optional<CompactionReport> compact(Work work, long nowMs, int keysMax) {
    long startedMs = clock.millis();
    CompactionProgress progress = new CompactionProgress(startedMs, work.range);
    history.begun(progress);
    try {
      Compaction.Result result = run(work, nowMs, keysMax, progress);
      // Compacted segments may end below the next one. A start that reads them would cut the log
      // off at such a gap, so it must not: they lie below the recovery point.
      log.flush();
      log.saveBounds();
      if (!swapIn(work, result, nowMs)) {
        return Optional.empty();
      }
      CompactionReport report = report(work, result, startedMs);
      history.succeeded(report);
      return Optional.of(report);
    } catch (RuntimeException e) {
      if (log.closed) { // under the run's hands, with its files: as its topic was deleted
        throw new LogOfflineException("log was closed while it was compacted: " + log, e);
      }
      history.failed(e, nowMs, clock.millis() - startedMs);
      throw e;
    } finally {
      history.ended();
    }
  }

  private Compaction.Result run(Work work, long nowMs, int keysMax, CompactionProgress progress) {
    try {
      return new Compaction(log.config, work.lastOffsets, nowMs, keysMax, progress)
          .run(work.segments, work.range);
    } catch (LogException e) {
      try {
        SegmentSwap.discardUnfinished(log.directory); // where the disk is full they keep it so
      } catch (LogException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  private Optional<Work> dueWork(long nowMs) {
    log.lock.lock();
    try {
      log.requireOnline();
      CompactionChoice choice = choice(nowMs);
      if (!(choice.verdict() instanceof CompactionVerdict.Due due)) {
        return Optional.empty();
      }
      CompactionSizes sizes = choice.sizes();
      DirtyRange range =
          new DirtyRange(
              due.startOffset(), due.endOffset(), sizes.cleanBytes(), sizes.cleanableBytes());
      return Optional.of(
          new Work(log.segments, range, log.producers.lastOffsets(), log.truncations));
    } finally {
      log.lock.unlock();
    }
  }

  /** How compaction stands; empty if the log is closed. */
  Optional<CompactionStatus> compactionStatus(long nowMs) {
    log.lock.lock();
    try {
      if (log.closed) {
        return Optional.empty();
      }
      return Optional.of(status(choiceOrTrouble(nowMs)));
    } finally {
      log.lock.unlock();
    }
  }

  private CompactionStatus status(CompactionChoice choice) {
    return new CompactionStatus(
        log.topicPartition,
        new CompactionStatus.Offsets(log.logStartOffset, log.cleanedUntil, log.logEnd.offset()),
        choice.sizes(),
        choice.verdict(),
        history.failing().filter(_ -> choice.sizes().dirtyBytes() > 0),
        history.running(),
        history.lastRun(),
        history.totals());
  }

  /** A log of which nothing can be read is one that its turn finds so as well. */
  private CompactionChoice choiceOrTrouble(long nowMs) {
    try {
      return choice(nowMs);
    } catch (LogException e) {
      return new CompactionChoice(
          CompactionSizes.NONE, new CompactionVerdict.Offline(CompactionHistory.text(e)));
    }
  }

  CompactionHistory history() {
    return history;
  }

  /** What is to be done with the log as it is. Under its lock. */
  private CompactionChoice choice(long nowMs) {
    LogConfig config = log.config;
    if (!config.compacted()) {
      return CompactionChoice.notCompacted(config);
    }
    SegmentList now = log.segments;
    List<CompactionChoice.Segment> finished = new ArrayList<>();
    boolean wantsFirst = true; // the first dirty one's alone, since it has to be read
    boolean hasLag = config.minCompactionLagMs() > 0; // else no index has to be opened for it
    for (int i = 0; i + 1 < now.size(); i++) {
      LogSegment segment = now.get(i);
      long end = now.endOffset(i, log.logEnd.offset());
      boolean isFirstDirty = wantsFirst && end > log.cleanedUntil;
      wantsFirst &= !isFirstDirty;
      finished.add(
          new CompactionChoice.Segment(
              end,
              segment.sizeBytes(),
              isFirstDirty ? segment.firstTimestamp() : OptionalLong.empty(),
              hasLag ? segment.largestTimestamp() : OptionalLong.empty()));
    }
    LogSegment active = now.active();
    return CompactionChoice.of(
        new CompactionChoice.Facts(
            finished,
            new CompactionChoice.Active(active.sizeBytes(), active.firstTimestamp()),
            new CompactionChoice.Offsets(
                log.cleanedUntil,
                log.lastStable.offset(),
                log.highWatermark.offset(),
                log.logEnd.offset()),
            log.producers
                .firstOpen()
                .map(
                    open ->
                        new CompactionVerdict.OpenTransaction(
                            open.firstOffset(), open.producerId())),
            trouble()),
        config,
        nowMs);
  }

  private Optional<CompactionVerdict.Trouble> trouble() {
    LogException offline = log.offline();
    return offline != null
        ? Optional.of(new CompactionVerdict.Offline(CompactionHistory.text(offline)))
        : history.failing().map(CompactionVerdict.Trouble.class::cast);
  }

  /** Whether the new segments have taken the place of the old ones. */
  private boolean swapIn(Work work, Compaction.Result result, long nowMs) {
    log.lock.lock();
    try {
      if (log.closed) {
        return false; // its topic may be gone, and another have a directory of that name
      }
      if (log.truncations != work.truncations) {
        SegmentSwap.discard(log.directory, result.replacements());
        return false;
      }
      SegmentSwap.prepare(log.directory, result.replacements());
      SegmentList now = log.segments;
      for (Compaction.Replacement replacement : result.replacements()) {
        int from = now.floor(replacement.fromBase());
        int until = now.floor(replacement.lastBase()) + 1;
        SegmentList old = now.from(from).until(until - from);
        LogSegment cleaned = SegmentSwap.complete(log.directory, old);
        now = now.replace(from, until, cleaned);
        for (LogSegment segment : old.all()) {
          log.deleted.closeLater(segment, nowMs + log.config.fileDeleteDelayMs());
          if (segment.baseOffset() != cleaned.baseOffset()) {
            log.snapshots.delete(segment.baseOffset());
          }
        }
      }
      log.compacted(now, result.cleanedUntil());
      return true;
    } catch (LogException e) {
      throw log.goOffline(e);
    } finally {
      log.lock.unlock();
    }
  }

  private CompactionReport report(Work work, Compaction.Result result, long startedMs) {
    return new CompactionReport(
        startedMs,
        clock.millis() - startedMs,
        work.range.startOffset(),
        result.cleanedUntil(),
        result.keys(),
        result.bytes().read(),
        result.bytes().before(),
        result.bytes().after(),
        result.records().before(),
        result.records().after(),
        result.records().expiredTombstones());
  }
}
