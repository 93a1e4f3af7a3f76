package dev.weir.log;

import dev.weir.log.compaction.Compaction;
import dev.weir.log.compaction.DirtyRange;
import dev.weir.log.compaction.SegmentSwap;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.SegmentList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Retention and compaction of one partition log. One at a time, by a lock of its own, which comes
 * before the log's lock; the work of a compaction holds only the former.
 */
final class LogUpkeep {
  /** Apache Kafka's default of {@code producer.id.expiration.ms}. */
  private static final long PRODUCER_EXPIRATION_MS = 86_400_000L;

  private final LogState log;
  private final ReentrantLock upkeepLock = new ReentrantLock();

  LogUpkeep(LogState log) {
    this.log = log;
  }

  int deleteOldSegments(long nowMs) {
    upkeepLock.lock();
    log.lock.lock();
    try {
      log.requireOnline();
      log.deleted.closeDue(nowMs);
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
      if (count > 0) {
        log.saveBounds(); // a power loss may bring back some of the files that go now
      }
      log.segments = kept;
      for (int i = 0; i < count; i++) {
        log.remove(before.get(i), nowMs);
      }
      return count;
    } finally {
      log.lock.unlock();
      upkeepLock.unlock();
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
      Work work = due.get();
      Compaction.Result result = run(work, nowMs, keysMax);
      // Compacted segments may end below the next one. A start that reads them would cut the log
      // off at such a gap, so it must not: they lie below the recovery point.
      log.flush();
      log.saveBounds();
      return swapIn(work, result, nowMs);
    } finally {
      upkeepLock.unlock();
    }
  }

  private Compaction.Result run(Work work, long nowMs, int keysMax) {
    try {
      return new Compaction(log.directory, log.config, work.lastOffsets, nowMs, keysMax)
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
      LogConfig config = log.config;
      SegmentList now = log.segments;
      if (!config.compacted() || now.size() < 2) {
        return Optional.empty();
      }
      List<DirtyRange.Segment> finished = new ArrayList<>();
      Optional<Long> oldestDirtyMs = Optional.empty();
      for (int i = 0; i + 1 < now.size(); i++) {
        LogSegment segment = now.get(i);
        long end = now.endOffset(i, log.logEnd.offset());
        finished.add(
            new DirtyRange.Segment(
                segment.baseOffset(), end, segment.sizeBytes(), segment.largestTimestamp()));
        if (oldestDirtyMs.isEmpty() && end > log.cleanedUntil) {
          oldestDirtyMs = segment.firstTimestamp().stream().boxed().findAny();
        }
      }
      DirtyRange range =
          DirtyRange.of(finished, config, log.cleanedUntil, log.lastStable.offset(), nowMs);
      return range.isDue(config, oldestDirtyMs, nowMs)
          ? Optional.of(new Work(now, range, log.producers.lastOffsets(), log.truncations))
          : Optional.empty();
    } finally {
      log.lock.unlock();
    }
  }

  private Optional<CompactionReport> swapIn(Work work, Compaction.Result result, long nowMs) {
    log.lock.lock();
    try {
      if (log.closed) {
        return Optional.empty(); // its topic may be gone, and another have a directory of that name
      }
      if (log.truncations != work.truncations) {
        SegmentSwap.discard(log.directory, result.replacements());
        return Optional.empty();
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
    } catch (LogException e) {
      throw log.goOffline(e);
    } finally {
      log.lock.unlock();
    }
    return Optional.of(
        new CompactionReport(
            work.range.startOffset(),
            result.cleanedUntil(),
            result.keys(),
            result.bytesBefore(),
            result.bytesAfter()));
  }
}
