package dev.weir.log;

import dev.weir.log.checkpoint.PartitionMetadata;
import dev.weir.log.compaction.Compaction;
import dev.weir.log.segment.AbortedTransaction;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.SegmentList;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * The log of one partition: a list of segment files, with the offsets that bound it.
 *
 * <p>{@code 0 <= logStartOffset <= lastStableOffset <= highWatermark <= logEndOffset}.
 *
 * <p>One writer at a time, by a lock inside; any thread may call anything. Readers never take the
 * lock: the segment list is copy-on-write and the offsets are published as immutable values. No
 * callback runs under the lock.
 */
public final class PartitionLog {
  private volatile UUID topicId;
  private final InstantSource clock;
  private final LogState state;
  private final LogAppender appender;
  private final LogUpkeep upkeep;

  PartitionLog(UUID topicId, InstantSource clock, LogState state) {
    this.topicId = topicId;
    this.clock = clock;
    this.state = state;
    this.appender = new LogAppender(state);
    this.upkeep = new LogUpkeep(state, clock);
  }

  /** Name of the partition. */
  public TopicPartition topicPartition() {
    return state.topicPartition;
  }

  /** Id of the topic, as {@code partition.metadata} has it. */
  public UUID topicId() {
    return topicId;
  }

  /**
   * Gives a log whose {@code partition.metadata} is missing its topic id, on the disk too. A
   * process that dies while it creates a partition leaves such a log.
   *
   * @throws IllegalStateException if the log has a topic id
   * @throws LogException if the file can't be written
   */
  public void identify(UUID id) {
    if (!topicId.equals(LogDirectory.NO_TOPIC_ID)) {
      throw new IllegalStateException("topicId is " + topicId + ", not to be " + id + ": " + this);
    }
    PartitionMetadata.write(state.directory, id);
    topicId = id;
  }

  /** Directory of the partition's files. */
  public Path directory() {
    return state.directory;
  }

  /** Settings in force. */
  public LogConfig config() {
    return state.config;
  }

  /** Puts new settings in force for what happens from now on. */
  public void updateConfig(LogConfig newConfig) {
    state.config = newConfig;
    upkeep.history().retryAtOnce(); // somebody acts: what failed is tried again at once
  }

  /**
   * Appends the whole batches between position and limit, all or none, as one write. Base offsets
   * and leader epochs (and, where the topic says so, the time) are stamped into {@code batches};
   * with {@link AppendOrigin#REPLICATION} the batches keep their own. A trailing batch that is not
   * whole is left out. Returns when the bytes are in the page cache; does not sync, unless {@code
   * flush.messages} says so. The position and limit of {@code batches} stay, and the log keeps no
   * reference to it.
   *
   * @throws LogOfflineException if an earlier failure took the log offline, or it is closed
   * @throws LogException if the write fails; the log is offline until {@link #comeBack}
   */
  public AppendOutcome append(ByteBuffer batches, int leaderEpoch, AppendOrigin origin) {
    return appender.append(batches, leaderEpoch, origin, LogAppender.ANY_OFFSET, clock.millis());
  }

  /**
   * Appends as a {@link AppendOrigin#COORDINATOR} if the log still ends at {@code
   * expectedEndOffset}; otherwise answers {@link AppendOutcome.EndOffsetMoved} and writes nothing.
   * What the caller has decided from everything below that offset then still holds.
   */
  public AppendOutcome appendIf(ByteBuffer batches, int leaderEpoch, long expectedEndOffset) {
    return appender.append(
        batches, leaderEpoch, AppendOrigin.COORDINATOR, expectedEndOffset, clock.millis());
  }

  /** Whether a failure took the log offline. */
  public boolean isOffline() {
    return state.offline() != null;
  }

  /**
   * Finds the bytes from the batch that holds {@code offset} on: whole batches, at most {@code
   * maxBytes}, but always at least one batch where there is one below {@code bound}. Never blocks
   * on a writer.
   *
   * @return a slice, empty if {@code offset} is at or above the bound but not above the log end, or
   *     {@link ReadOutcome.OutOfRange}
   * @throws LogException if the file can't be read
   */
  public ReadOutcome read(long offset, int maxBytes, ReadUpTo bound) {
    return read(offset, maxBytes, bound, LogSearch.Least.ONE_BATCH);
  }

  /** As {@link #read}, but never more than {@code maxBytes}, though that be nothing. */
  public ReadOutcome readWithin(long offset, int maxBytes, ReadUpTo bound) {
    return read(offset, maxBytes, bound, LogSearch.Least.NOTHING);
  }

  private ReadOutcome read(long offset, int maxBytes, ReadUpTo bound, LogSearch.Least least) {
    LogOffset end =
        switch (bound) {
          case HIGH_WATERMARK -> state.highWatermark;
          case LAST_STABLE -> state.lastStable;
          case LOG_END -> state.logEnd;
        };
    long start = state.logStartOffset;
    if (offset < start || offset > state.logEnd.offset()) {
      return new ReadOutcome.OutOfRange(start, state.logEnd.offset());
    }
    return LogSearch.read(state.segments, offset, maxBytes, end, least);
  }

  /** First offset of the log. */
  public long logStartOffset() {
    return state.logStartOffset;
  }

  /** Offset after the last committed record. */
  public long highWatermark() {
    return state.highWatermark.offset();
  }

  /** Offset of the first record of the first undecided transaction, or the high watermark. */
  public long lastStableOffset() {
    return state.lastStable.offset();
  }

  /** Offset after the last record. */
  public long logEndOffset() {
    return state.logEnd.offset();
  }

  /** Offset below which everything is on the disk. */
  public long recoveryPoint() {
    return state.recoveryPoint;
  }

  /** Offset below which the log has been compacted. */
  public long cleanedUntil() {
    return state.cleanedUntil;
  }

  /**
   * Raises the high watermark to {@code offset}, at most to the log end. A lower value changes
   * nothing.
   *
   * @return whether it moved
   */
  public boolean advanceHighWatermark(long offset) {
    if (offset <= state.highWatermark.offset()) {
      return false; // it never goes back but by truncation, so a stale view is right to say no
    }
    state.lock.lock();
    try {
      long target = Math.min(offset, state.logEnd.offset());
      if (target <= state.highWatermark.offset()) {
        return false;
      }
      state.highWatermark = state.locate(target);
      state.producers.highWatermarkIs(target);
      state.lastStable = state.stableOffset();
      return true;
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * The aborted transactions that touch the offsets from {@code startOffset} to {@code endOffset}
   * (exclusive), for a read-committed reader of that range.
   */
  public List<AbortedRange> abortedTransactions(long startOffset, long endOffset) {
    List<AbortedRange> found = new ArrayList<>();
    SegmentList now = state.segments;
    for (int i = now.floor(startOffset); i < now.size(); i++) {
      for (AbortedTransaction aborted : now.get(i).transactionIndex().entries()) {
        if (aborted.lastOffset() >= startOffset && aborted.firstOffset() < endOffset) {
          found.add(new AbortedRange(aborted.producerId(), aborted.firstOffset()));
        }
        if (aborted.lastStableOffset() >= endOffset) {
          return found;
        }
      }
    }
    return found;
  }

  /**
   * Makes {@code offset} the first offset of the log, if it is above the present one and at most
   * the high watermark, as DeleteRecords does. Whole segments below it go with the next {@link
   * #deleteOldSegments}. It outlives the process once {@link LogDirectory#writeCheckpoints} has
   * run.
   *
   * @return whether the log starts at {@code offset} or above it now
   */
  public boolean advanceLogStartOffset(long offset) {
    state.lock.lock();
    try {
      state.requireOnline();
      if (offset > state.highWatermark.offset()) {
        return false;
      }
      if (offset > state.logStartOffset) {
        state.startAt(offset);
      }
      return true;
    } finally {
      state.lock.unlock();
    }
  }

  /** The first record, committed or not, whose timestamp is not earlier. */
  public Optional<TimestampOffset> offsetForTimestamp(long timestampMs) {
    return LogSearch.firstNotBefore(state.segments, timestampMs, state.logStartOffset);
  }

  /** The record with the largest timestamp; of equal ones the first. */
  public Optional<TimestampOffset> offsetOfMaxTimestamp() {
    return LogSearch.ofLargestTimestamp(state.segments, state.logStartOffset);
  }

  /** Notes that a leader of this epoch appends from the log end on. An older epoch is ignored. */
  public void startEpoch(int epoch) {
    state.lock.lock();
    try {
      state.requireOnline();
      state.epochs.start(epoch, state.logEnd.offset());
    } catch (LogOfflineException e) {
      throw e;
    } catch (LogException e) {
      throw state.writeFailed(e);
    } finally {
      state.lock.unlock();
    }
  }

  /** Where {@code epoch} ends, as OffsetForLeaderEpoch asks. */
  public EpochEnd endOffsetForEpoch(int epoch) {
    return state.epochs.endOffset(epoch, state.logEnd.offset());
  }

  /** Latest leader epoch that the log knows. */
  public OptionalInt latestEpoch() {
    return state.epochs.latest();
  }

  /**
   * Puts everything appended so far on the disk; blocks, but not the writer. A closed log has
   * nothing left to flush.
   *
   * @return the offset below which everything is on the disk now
   * @throws LogException if the sync fails; the log is offline from then on
   */
  public long flush() {
    return state.flush();
  }

  /**
   * Cuts the log off so that it ends at {@code offset}, or at the start of the batch that holds it.
   * Blocks until that is on the disk.
   *
   * @throws LogException if a file can't be changed; the log is offline from then on
   */
  public void truncateTo(long offset) {
    state.lock.lock();
    try {
      state.requireOnline();
      if (offset >= state.logEnd.offset()) {
        return;
      }
      if (offset < state.logStartOffset) {
        state.startEmptyAt(offset, clock.millis());
        return;
      }
      state.truncateTo(offset, clock.millis());
    } catch (LogOfflineException e) {
      throw e;
    } catch (LogException e) {
      throw state.goOffline(e); // half of it may be done
    } finally {
      state.lock.unlock();
    }
  }

  /** Empties the log, which starts and ends at {@code offset} then. */
  public void truncateFullyAndStartAt(long offset) {
    state.lock.lock();
    try {
      state.requireOnline();
      state.startEmptyAt(offset, clock.millis());
    } catch (LogOfflineException e) {
      throw e;
    } catch (LogException e) {
      throw state.goOffline(e); // half of it may be done
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * Brings a log back that is offline since something could not be written to it, as where the disk
   * was full. One whose sync has failed stays offline until it is opened anew.
   *
   * @return whether the log was offline and is not any more
   * @throws LogException if its files still can't be written
   */
  public boolean comeBack() {
    state.lock.lock();
    try {
      boolean isBack = state.comeBack();
      if (isBack) {
        upkeep.history().retryAtOnce();
      }
      return isBack;
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * Deletes old segments by the retention settings, closes files whose time is over, and forgets
   * producers that have not written for long.
   *
   * @return number of segments deleted
   */
  public int deleteOldSegments(long nowMs) {
    return upkeep.deleteOldSegments(nowMs);
  }

  /**
   * Compacts the log if its settings say so and enough of it is dirty. Blocks for as long as that
   * takes, but no writer and no reader.
   *
   * @return what was done, if anything
   * @throws LogException if a segment cannot be read or written; the log goes on as it is, unless
   *     it failed while the new segments took the place of the old ones. It is left alone then for
   *     a minute, and after more failures in a row for longer, an hour at most
   * @throws LogOfflineException if an earlier failure took the log offline, or it is closed, also
   *     in the middle of the run, which has not failed then
   */
  public Optional<CompactionReport> compact(long nowMs) {
    return compact(nowMs, Compaction.KEYS_MAX);
  }

  /** The same, looking at no more than so many keys. */
  Optional<CompactionReport> compact(long nowMs, int keysMax) {
    return upkeep.compact(nowMs, keysMax);
  }

  /**
   * How compaction stands, by the same choice as {@link #compact} at that time; empty if the log is
   * closed.
   */
  public Optional<CompactionStatus> compactionStatus(long nowMs) {
    return upkeep.compactionStatus(nowMs);
  }

  CompactionHistory compactionHistory() {
    return upkeep.history();
  }

  /** Size of all segment files. */
  public long sizeBytes() {
    return state.segments.sizeBytes();
  }

  /** Number of segments. */
  public int segmentCount() {
    return state.segments.size();
  }

  /** Writes, without a sync, what recovery would have to read the log for. */
  void prepareForKill() {
    state.lock.lock();
    try {
      if (state.offline() == null && !state.closed) {
        state.prepareForKill();
      }
    } finally {
      state.lock.unlock();
    }
  }

  /** Flushes, writes what a clean start needs, and closes the files. */
  void close() {
    state.lock.lock();
    try {
      if (!state.closed) {
        state.closeCleanly();
      }
    } finally {
      state.lock.unlock();
    }
  }

  /** Closes the files as they are; what is missing is found at the next start. */
  void abandon() {
    state.lock.lock();
    try {
      state.closeFiles();
    } finally {
      state.lock.unlock();
    }
  }

  /** Segments, for tests. */
  List<LogSegment> segments() {
    return state.segments.all();
  }

  /** State, for tests. */
  LogState state() {
    return state;
  }

  @Override
  public String toString() {
    return state.toString();
  }
}
