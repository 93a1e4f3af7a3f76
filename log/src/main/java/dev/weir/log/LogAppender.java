package dev.weir.log;

import dev.weir.log.BatchCheck.Sound;
import dev.weir.log.BatchCheck.Unsound;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.producer.ProducerStates;
import dev.weir.log.producer.ProducerStates.Check;
import dev.weir.log.segment.AbortedTransaction;
import dev.weir.log.segment.LogSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The append of a partition log. Checks without the lock, the rest under it. */
final class LogAppender {
  static final long ANY_OFFSET = -1;

  private final LogState log;

  LogAppender(LogState log) {
    this.log = log;
  }

  /** Appends if the log ends at {@code expectedEndOffset}, or at {@link #ANY_OFFSET}. */
  AppendOutcome append(
      ByteBuffer batches,
      int leaderEpoch,
      AppendOrigin origin,
      long expectedEndOffset,
      long nowMs) {
    return switch (BatchCheck.of(batches, log.config, origin, nowMs)) {
      case Unsound(AppendOutcome.Refused refused) -> refused;
      case Sound sound -> {
        log.lock.lock();
        try {
          log.requireOnline();
          if (expectedEndOffset != ANY_OFFSET && log.logEnd.offset() != expectedEndOffset) {
            yield new AppendOutcome.EndOffsetMoved(log.logEnd.offset());
          }
          yield append(sound, leaderEpoch, origin);
        } finally {
          log.lock.unlock();
        }
      }
    };
  }

  private AppendOutcome append(Sound sound, int leaderEpoch, AppendOrigin origin) {
    boolean replica = origin == AppendOrigin.REPLICATION;
    long end = log.logEnd.offset();
    long first = replica ? sound.first().baseOffset() : end;
    ProducerStates.Staged staged = log.producers.stage(origin);
    long next = end;
    for (RecordBatchView batch : sound.batches()) {
      long base = replica ? batch.baseOffset() : next;
      if (base < next) {
        return new AppendOutcome.Refused(
            Refusal.OFFSET_GAP,
            "base offset is "
                + base
                + ", expected at least "
                + next
                + ", partition="
                + log.topicPartition);
      }
      Optional<AppendOutcome> refused = stage(staged, batch, base);
      if (refused.isPresent()) {
        return refused.get();
      }
      next = base + batch.lastOffsetDelta() + 1;
    }
    makeRoom(sound, first, next - 1);
    if (!replica) {
      stamp(sound.batches(), end, leaderEpoch);
    }
    derive(sound, staged);
    write(sound);
    publish(next);
    return new AppendOutcome.Appended(first, next - 1, sound.logAppendTimeMs(), log.logStartOffset);
  }

  private Optional<AppendOutcome> stage(
      ProducerStates.Staged staged, RecordBatchView batch, long base) {
    Check check;
    try {
      check = staged.add(batch, base);
    } catch (CorruptBatchException e) {
      return Optional.of(
          new AppendOutcome.Refused(Refusal.CORRUPT_BATCH, String.valueOf(e.getMessage())));
    }
    return switch (check) {
      case Check.Accepted _ -> Optional.empty();
      case Check.Rejected(Refusal reason, String message) ->
          Optional.of(
              new AppendOutcome.Refused(reason, message + ", partition=" + log.topicPartition));
      case Check.Repeated(long firstOffset, long lastOffset, long timestampMs) ->
          Optional.of(
              new AppendOutcome.Duplicate(
                  firstOffset,
                  lastOffset,
                  log.config.timestampSource() == LogConfig.TimestampSource.LOG_APPEND_TIME
                      ? timestampMs
                      : AppendOutcome.NO_TIMESTAMP,
                  log.logStartOffset));
    };
  }

  private static void stamp(List<RecordBatchView> batches, long firstOffset, int leaderEpoch) {
    long next = firstOffset;
    for (RecordBatchView batch : batches) {
      batch.stamp(next, leaderEpoch);
      next = batch.nextOffset();
    }
  }

  /** Rolls where the active segment has no room for the batches. */
  private void makeRoom(Sound sound, long firstOffset, long lastOffset) {
    LogSegment active = log.segments.active();
    LogConfig config = log.config;
    boolean full = active.sizeBytes() > (long) config.segmentBytes() - sound.sizeBytes();
    boolean old = false;
    OptionalLong oldest = active.firstTimestamp();
    if (oldest.isPresent() && sound.maxTimestamp() >= 0) {
      old = sound.maxTimestamp() - oldest.getAsLong() > config.segmentMs();
    }
    boolean used = active.sizeBytes() > 0;
    if ((used && (full || old || active.indexIsFull(config.segmentIndexBytes())))
        || !active.reaches(lastOffset)) {
      log.roll(active.reaches(firstOffset) ? log.logEnd.offset() : firstOffset);
    }
  }

  private void write(Sound sound) {
    LogSegment active = log.segments.active();
    try {
      active.append(sound.bytes().duplicate(), sound.batches(), log.config.indexIntervalBytes());
    } catch (IOException e) {
      throw log.writeFailed(
          new LogException(
              "cannot write "
                  + sound.sizeBytes()
                  + " bytes at position="
                  + active.sizeBytes()
                  + " of file="
                  + active.file(),
              e));
    } catch (LogException e) {
      throw log.writeFailed(e);
    }
  }

  /**
   * Notes what follows from the batches, before they are written: an append that fails is not in
   * the log then, and what was noted of it goes when the log comes back.
   */
  private void derive(Sound sound, ProducerStates.Staged staged) {
    List<AbortedTransaction> aborted = log.producers.apply(staged);
    try {
      aborted.forEach(log.segments.active().transactionIndex()::append);
      if (!aborted.isEmpty()) {
        log.nameCame(); // the index may be new
      }
      for (RecordBatchView batch : sound.batches()) {
        log.epochs.start(batch.leaderEpoch(), batch.baseOffset());
      }
    } catch (LogException e) {
      throw log.writeFailed(e);
    }
  }

  private void publish(long endOffset) {
    log.appended(endOffset);
    log.lastStable = log.stableOffset();
    if (log.unflushedRecords >= log.config.flushMessages()) {
      log.flush();
    }
  }
}
