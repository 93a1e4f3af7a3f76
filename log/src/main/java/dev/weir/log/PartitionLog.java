package dev.weir.log;

import dev.weir.log.BatchCheck.Sound;
import dev.weir.log.BatchCheck.Unsound;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.checkpoint.LeaderEpochs;
import dev.weir.log.producer.ProducerStates;
import dev.weir.log.producer.ProducerStates.Check;
import dev.weir.log.producer.SnapshotFiles;
import dev.weir.log.segment.AbortedTransaction;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.LogSegment.SyncScope;
import dev.weir.log.segment.SegmentList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger LOG = LoggerFactory.getLogger(PartitionLog.class);

  /** Apache Kafka's default of {@code producer.id.expiration.ms}. */
  private static final long PRODUCER_EXPIRATION_MS = 86_400_000L;

  /** Ends of the latest appends, among which a high watermark mostly finds its position. */
  private static final int RECENT_ENDS = 64;

  private static final long ANY_OFFSET = -1;

  private final TopicPartition topicPartition;
  private final UUID topicId;
  private final Path directory;
  private final InstantSource clock;
  private final Executor background;
  private final SnapshotFiles snapshots;
  private final LeaderEpochs epochs;

  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by lock, from here on.
  private final ProducerStates producers;
  private final long endOffsetAtOpen;
  private final DeletedSegments deleted;
  private final LogOffset[] recentEnds = new LogOffset[RECENT_ENDS];
  private int recentNext;
  private long snapshotOffset; // of the newest snapshot that is known to be there, or -1
  private long unflushedRecords;
  private LogSync.Names fileNames = LogSync.Names.CHANGED;
  private int truncations;
  // Written under lock, read by all.
  private volatile LogConfig config;
  private volatile SegmentList segments;
  private volatile long logStartOffset;
  private volatile LogOffset logEnd;
  private volatile LogOffset highWatermark;
  private volatile LogOffset lastStable;
  private volatile long recoveryPoint;
  private volatile @Nullable LogException offline;
  private volatile boolean closed;

  PartitionLog(
      TopicPartition topicPartition,
      UUID topicId,
      Path directory,
      LogConfig config,
      InstantSource clock,
      Executor background,
      LogLoader.Loaded loaded) {
    this.topicPartition = topicPartition;
    this.topicId = topicId;
    this.directory = directory;
    this.config = config;
    this.clock = clock;
    this.background = background;
    this.snapshots = new SnapshotFiles(directory);
    this.deleted = new DeletedSegments(snapshots);
    this.epochs = loaded.epochs();
    this.producers = loaded.producers();
    this.segments = loaded.segments();
    this.logStartOffset = loaded.logStartOffset();
    LogSegment active = segments.active();
    this.logEnd = new LogOffset(loaded.endOffset(), active.baseOffset(), active.sizeBytes());
    this.highWatermark = logEnd;
    this.lastStable = logEnd;
    this.recoveryPoint = loaded.recoveryPoint();
    this.endOffsetAtOpen = loaded.endOffset();
    this.snapshotOffset =
        Files.exists(snapshots.file(loaded.endOffset())) ? loaded.endOffset() : -1;
    this.highWatermark = locate(loaded.highWatermark());
    this.lastStable = stableOffset();
  }

  /** Name of the partition. */
  public TopicPartition topicPartition() {
    return topicPartition;
  }

  /** Id of the topic, as {@code partition.metadata} has it. */
  public UUID topicId() {
    return topicId;
  }

  /** Directory of the partition's files. */
  public Path directory() {
    return directory;
  }

  /** Settings in force. */
  public LogConfig config() {
    return config;
  }

  /** Puts new settings in force for what happens from now on. */
  public void updateConfig(LogConfig newConfig) {
    config = newConfig;
  }

  /**
   * Appends the whole batches between position and limit, all or none, as one write. Base offsets
   * and leader epochs (and, where the topic says so, the time) are stamped into {@code batches};
   * with {@link AppendOrigin#REPLICATION} the batches keep their own. A trailing batch that is not
   * whole is left out. Returns when the bytes are in the page cache; does not sync, unless {@code
   * flush.messages} says so. The position and limit of {@code batches} stay, and the log keeps no
   * reference to it.
   *
   * @throws LogOfflineException if an earlier failure took the log offline
   * @throws LogException if the write fails; the log is offline from then on
   */
  public AppendOutcome append(ByteBuffer batches, int leaderEpoch, AppendOrigin origin) {
    return append(batches, leaderEpoch, origin, ANY_OFFSET);
  }

  /**
   * Appends as a {@link AppendOrigin#COORDINATOR} if the log still ends at {@code
   * expectedEndOffset}; otherwise answers {@link AppendOutcome.EndOffsetMoved} and writes nothing.
   * What the caller has decided from everything below that offset then still holds.
   */
  public AppendOutcome appendIf(ByteBuffer batches, int leaderEpoch, long expectedEndOffset) {
    return append(batches, leaderEpoch, AppendOrigin.COORDINATOR, expectedEndOffset);
  }

  private AppendOutcome append(
      ByteBuffer batches, int leaderEpoch, AppendOrigin origin, long expectedEndOffset) {
    return switch (BatchCheck.of(batches, config, origin, clock.millis())) {
      case Unsound(AppendOutcome.Refused refused) -> refused;
      case Sound sound -> {
        lock.lock();
        try {
          requireOnline();
          if (expectedEndOffset != ANY_OFFSET && logEnd.offset() != expectedEndOffset) {
            yield new AppendOutcome.EndOffsetMoved(logEnd.offset());
          }
          yield appendSound(sound, leaderEpoch, origin);
        } finally {
          lock.unlock();
        }
      }
    };
  }

  private AppendOutcome appendSound(Sound sound, int leaderEpoch, AppendOrigin origin) {
    boolean replica = origin == AppendOrigin.REPLICATION;
    long first = replica ? sound.first().baseOffset() : logEnd.offset();
    ProducerStates.Staged staged = producers.stage(origin);
    long next = logEnd.offset();
    for (RecordBatchView batch : sound.batches()) {
      long base = replica ? batch.baseOffset() : next;
      if (base < next) {
        return new AppendOutcome.Refused(
            Refusal.OFFSET_GAP,
            "base offset is " + base + ", expected at least " + next + ", log=" + topicPartition);
      }
      Optional<AppendOutcome> refused = stage(staged, batch, base);
      if (refused.isPresent()) {
        return refused.get();
      }
      next = base + batch.lastOffsetDelta() + 1;
    }
    makeRoom(sound, first, next - 1);
    if (!replica) {
      stamp(sound.batches(), leaderEpoch);
    }
    write(sound);
    publish(sound, staged, next);
    return new AppendOutcome.Appended(first, next - 1, sound.logAppendTimeMs(), logStartOffset);
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
          Optional.of(new AppendOutcome.Refused(reason, message + ", partition=" + topicPartition));
      case Check.Repeated(long firstOffset, long lastOffset, long timestampMs) ->
          Optional.of(
              new AppendOutcome.Duplicate(
                  firstOffset,
                  lastOffset,
                  config.timestampSource() == LogConfig.TimestampSource.LOG_APPEND_TIME
                      ? timestampMs
                      : AppendOutcome.NO_TIMESTAMP,
                  logStartOffset));
    };
  }

  private void stamp(List<RecordBatchView> batches, int leaderEpoch) {
    long next = logEnd.offset();
    for (RecordBatchView batch : batches) {
      batch.stamp(next, leaderEpoch);
      next = batch.nextOffset();
    }
  }

  /** Rolls where the active segment has no room for the batches. */
  private void makeRoom(Sound sound, long firstOffset, long lastOffset) {
    LogSegment active = segments.active();
    LogConfig now = config;
    boolean full = active.sizeBytes() > (long) now.segmentBytes() - sound.sizeBytes();
    boolean old = false;
    OptionalLong oldest = active.firstTimestamp();
    if (oldest.isPresent() && sound.maxTimestamp() >= 0) {
      old = sound.maxTimestamp() - oldest.getAsLong() > now.segmentMs();
    }
    boolean used = active.sizeBytes() > 0;
    if ((used && (full || old || active.indexIsFull(now.segmentIndexBytes())))
        || !active.reaches(lastOffset)) {
      roll(active.reaches(firstOffset) ? logEnd.offset() : firstOffset);
    }
  }

  private void roll(long baseOffset) {
    LogSegment old = segments.active();
    try {
      old.seal();
      writeSnapshot(baseOffset);
      segments = segments.with(LogSegment.create(directory, baseOffset));
    } catch (LogException e) {
      throw goOffline(e);
    }
    LogOffset before = logEnd;
    logEnd = new LogOffset(before.offset(), baseOffset, 0);
    highWatermark = highWatermark.offset() == before.offset() ? logEnd : highWatermark;
    lastStable = lastStable.offset() == before.offset() ? logEnd : lastStable;
    fileNames = LogSync.Names.CHANGED;
    background.execute(this::flushRolled);
  }

  private void flushRolled() {
    try {
      flush();
    } catch (LogException e) {
      LOG.error("flush of a finished segment failed, log is offline: log={}", this, e);
    }
  }

  private void writeSnapshot(long offset) {
    if (snapshotOffset != offset) {
      producers.write(snapshots.file(offset));
      snapshotOffset = offset;
    }
  }

  private void write(Sound sound) {
    LogSegment active = segments.active();
    try {
      active.append(sound.bytes().duplicate(), sound.batches(), config.indexIntervalBytes());
    } catch (IOException e) {
      throw goOffline(
          new LogException(
              "cannot write "
                  + sound.sizeBytes()
                  + " bytes at position="
                  + active.sizeBytes()
                  + " of file="
                  + active.file(),
              e));
    }
  }

  private void publish(Sound sound, ProducerStates.Staged staged, long endOffset) {
    LogSegment active = segments.active();
    unflushedRecords += endOffset - logEnd.offset();
    logEnd = new LogOffset(endOffset, active.baseOffset(), active.sizeBytes());
    recentEnds[recentNext] = logEnd;
    recentNext = (recentNext + 1) % RECENT_ENDS;
    // From here on the batches are in the log: what fails below leaves files that recovery mends.
    List<AbortedTransaction> aborted = producers.apply(staged);
    try {
      aborted.forEach(active.transactionIndex()::append);
      for (RecordBatchView batch : sound.batches()) {
        epochs.start(batch.leaderEpoch(), batch.baseOffset());
      }
    } catch (LogException e) {
      throw goOffline(e);
    }
    lastStable = stableOffset();
    if (unflushedRecords >= config.flushMessages()) {
      flush();
    }
  }

  private LogException goOffline(LogException cause) {
    if (offline == null) {
      offline = cause;
    }
    return cause;
  }

  private void requireOnline() {
    LogException cause = offline;
    if (cause != null) {
      throw new LogOfflineException("log is offline: " + this, cause);
    }
    if (closed) {
      throw new LogOfflineException("log is closed: " + this, new IllegalStateException("closed"));
    }
  }

  /** Whether a failure took the log offline. */
  public boolean isOffline() {
    return offline != null;
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
          case HIGH_WATERMARK -> highWatermark;
          case LAST_STABLE -> lastStable;
          case LOG_END -> logEnd;
        };
    long start = logStartOffset;
    if (offset < start || offset > logEnd.offset()) {
      return new ReadOutcome.OutOfRange(start, logEnd.offset());
    }
    return LogSearch.read(segments, offset, maxBytes, end, least);
  }

  /** First offset of the log. */
  public long logStartOffset() {
    return logStartOffset;
  }

  /** Offset after the last committed record. */
  public long highWatermark() {
    return highWatermark.offset();
  }

  /** Offset of the first record of the first undecided transaction, or the high watermark. */
  public long lastStableOffset() {
    return lastStable.offset();
  }

  /** Offset after the last record. */
  public long logEndOffset() {
    return logEnd.offset();
  }

  /** Offset below which everything is on the disk. */
  public long recoveryPoint() {
    return recoveryPoint;
  }

  /**
   * Raises the high watermark to {@code offset}, at most to the log end. A lower value changes
   * nothing.
   *
   * @return whether it moved
   */
  public boolean advanceHighWatermark(long offset) {
    if (offset <= highWatermark.offset()) {
      return false; // it never goes back but by truncation, so a stale view is right to say no
    }
    lock.lock();
    try {
      long target = Math.min(offset, logEnd.offset());
      if (target <= highWatermark.offset()) {
        return false;
      }
      highWatermark = locate(target);
      producers.highWatermarkIs(target);
      lastStable = stableOffset();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private LogOffset locate(long offset) {
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

  private LogOffset stableOffset() {
    OptionalLong unstable = producers.firstUnstableOffset();
    LogOffset committed = highWatermark;
    if (unstable.isEmpty() || unstable.getAsLong() >= committed.offset()) {
      return committed;
    }
    long offset = Math.max(unstable.getAsLong(), logStartOffset);
    return offset == lastStable.offset() ? lastStable : locate(offset);
  }

  /**
   * The aborted transactions that touch the offsets from {@code startOffset} to {@code endOffset}
   * (exclusive), for a read-committed reader of that range.
   */
  public List<AbortedRange> abortedTransactions(long startOffset, long endOffset) {
    List<AbortedRange> found = new ArrayList<>();
    SegmentList now = segments;
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
    lock.lock();
    try {
      requireOnline();
      if (offset > highWatermark.offset()) {
        return false;
      }
      if (offset > logStartOffset) {
        startAt(offset);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void startAt(long offset) {
    logStartOffset = offset;
    epochs.truncateFromStart(offset);
    lastStable = stableOffset();
  }

  /** The first record, committed or not, whose timestamp is not earlier. */
  public Optional<TimestampOffset> offsetForTimestamp(long timestampMs) {
    return LogSearch.firstNotBefore(segments, timestampMs, logStartOffset);
  }

  /** The record with the largest timestamp; of equal ones the first. */
  public Optional<TimestampOffset> offsetOfMaxTimestamp() {
    return LogSearch.ofLargestTimestamp(segments, logStartOffset);
  }

  /** Notes that a leader of this epoch appends from the log end on. An older epoch is ignored. */
  public void startEpoch(int epoch) {
    lock.lock();
    try {
      requireOnline();
      epochs.start(epoch, logEnd.offset());
    } catch (LogOfflineException e) {
      throw e;
    } catch (LogException e) {
      throw goOffline(e);
    } finally {
      lock.unlock();
    }
  }

  /** Where {@code epoch} ends, as OffsetForLeaderEpoch asks. */
  public EpochEnd endOffsetForEpoch(int epoch) {
    return epochs.endOffset(epoch, logEnd.offset());
  }

  /** Latest leader epoch that the log knows. */
  public OptionalInt latestEpoch() {
    return epochs.latest();
  }

  /**
   * Puts everything appended so far on the disk; blocks, but not the writer. A closed log has
   * nothing left to flush.
   *
   * @return the offset below which everything is on the disk now
   * @throws LogException if the sync fails; the log is offline from then on
   */
  public long flush() {
    LogOffset end;
    SegmentList now;
    LogSync.Names names;
    int before;
    lock.lock();
    try {
      if (closed) {
        return recoveryPoint;
      }
      requireOnline();
      end = logEnd;
      now = segments;
      names = fileNames;
      fileNames = LogSync.Names.SYNCED;
      before = truncations;
      unflushedRecords = 0;
    } finally {
      lock.unlock();
    }
    try {
      LogSync.sync(now, recoveryPoint, directory, names);
    } catch (LogException e) {
      throw goOffline(e);
    }
    lock.lock();
    try {
      if (before == truncations) {
        recoveryPoint = Math.max(recoveryPoint, end.offset());
      }
      return recoveryPoint;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Cuts the log off so that it ends at {@code offset}, or at the start of the batch that holds it.
   */
  public void truncateTo(long offset) {
    lock.lock();
    try {
      requireOnline();
      if (offset >= logEnd.offset()) {
        return;
      }
      if (offset < logStartOffset) {
        startEmptyAt(offset);
        return;
      }
      SegmentList now = segments;
      int keep = now.floor(offset);
      segments = now.until(keep + 1);
      for (int i = keep + 1; i < now.size(); i++) {
        removeNow(now.get(i));
      }
      endsAt(segments.active().truncateTo(offset));
    } finally {
      lock.unlock();
    }
  }

  /** Empties the log, which starts and ends at {@code offset} then. */
  public void truncateFullyAndStartAt(long offset) {
    lock.lock();
    try {
      requireOnline();
      startEmptyAt(offset);
    } finally {
      lock.unlock();
    }
  }

  private void startEmptyAt(long offset) {
    SegmentList before = segments;
    before.all().forEach(this::removeNow);
    segments = SegmentList.of(List.of(LogSegment.create(directory, offset)));
    logStartOffset = offset;
    recoveryPoint = Math.min(recoveryPoint, offset);
    snapshots.deleteIf(_ -> true);
    epochs.clear();
    endsAt(offset);
    fileNames = LogSync.Names.CHANGED;
  }

  private void endsAt(long offset) {
    truncations++;
    LogSegment active = segments.active();
    logEnd = new LogOffset(offset, active.baseOffset(), active.sizeBytes());
    Arrays.fill(recentEnds, null);
    recoveryPoint = Math.min(recoveryPoint, offset);
    logStartOffset = Math.min(logStartOffset, offset); // it may lie inside a batch that has gone
    epochs.truncateFromEnd(offset);
    snapshots.deleteIf(snapshot -> snapshot > offset);
    snapshotOffset = -1;
    long from = LogLoader.restore(snapshots, producers, offset);
    LogLoader.replay(segments, producers, epochs, from, offset);
    if (highWatermark.offset() >= offset) {
      highWatermark = logEnd;
    }
    producers.highWatermarkIs(highWatermark.offset());
    lastStable = stableOffset();
  }

  /**
   * Deletes old segments by the retention settings, closes files whose time is over, and forgets
   * producers that have not written for long.
   *
   * @return number of segments deleted
   */
  public int deleteOldSegments(long nowMs) {
    lock.lock();
    try {
      requireOnline();
      deleted.closeDue(nowMs);
      producers.expire(nowMs - PRODUCER_EXPIRATION_MS);
      int count = deletable(nowMs);
      if (count == segments.size()) {
        if (segments.active().sizeBytes() == 0) {
          count--;
        } else {
          roll(logEnd.offset());
        }
      }
      SegmentList before = segments;
      segments = before.from(count);
      if (segments.first().baseOffset() > logStartOffset) {
        startAt(segments.first().baseOffset());
      }
      for (int i = 0; i < count; i++) {
        remove(before.get(i), nowMs);
      }
      return count;
    } finally {
      lock.unlock();
    }
  }

  private int deletable(long nowMs) {
    SegmentList now = segments;
    List<Retention.Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      LogSegment segment = now.get(i);
      OptionalLong newest = segment.largestTimestamp();
      candidates.add(
          new Retention.Candidate(
              now.endOffset(i, logEnd.offset()),
              segment.sizeBytes(),
              newest,
              newest.isPresent() ? 0 : segment.lastModifiedMs()));
    }
    return Retention.deletable(
        candidates, config, new Retention.Bounds(logStartOffset, highWatermark.offset()), nowMs);
  }

  private void removeNow(LogSegment segment) {
    remove(segment, clock.millis());
  }

  private void remove(LogSegment segment, long nowMs) {
    deleted.delete(segment, nowMs + config.fileDeleteDelayMs());
  }

  /** Size of all segment files. */
  public long sizeBytes() {
    return segments.sizeBytes();
  }

  /** Number of segments. */
  public int segmentCount() {
    return segments.size();
  }

  /** Brings the index files up to date, without a sync, so that recovery has less to read. */
  void writeIndexes() {
    lock.lock();
    try {
      if (offline == null && !closed) {
        segments.active().writeIndexes();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Flushes, writes what a clean start needs, and closes the files. */
  void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (offline == null) {
        if (recoveryPoint < logEnd.offset() || fileNames == LogSync.Names.CHANGED) {
          flush();
        }
        closeCleanly();
      }
      closeFiles();
    } finally {
      lock.unlock();
    }
  }

  private void closeCleanly() {
    LogSegment active = segments.active();
    active.seal();
    if (logEnd.offset() > 0) {
      writeSnapshot(logEnd.offset());
    }
    if (logEnd.offset() != endOffsetAtOpen) {
      try {
        active.sync(SyncScope.WITH_INDEXES); // a clean start trusts them
      } catch (IOException e) {
        throw goOffline(new LogException("cannot sync the indexes of file=" + active.file(), e));
      }
    }
  }

  /** Closes the files as they are; what is missing is found at the next start. */
  void abandon() {
    lock.lock();
    try {
      closeFiles();
    } finally {
      lock.unlock();
    }
  }

  private void closeFiles() {
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
