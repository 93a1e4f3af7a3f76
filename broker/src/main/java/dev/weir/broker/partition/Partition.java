package dev.weir.broker.partition;

import dev.weir.broker.timing.LoopTask;
import dev.weir.log.AppendOrigin;
import dev.weir.log.AppendOutcome;
import dev.weir.log.GroupFlush;
import dev.weir.log.LogConfig.SingleReplicaFlush;
import dev.weir.log.LogException;
import dev.weir.log.PartitionLog;
import dev.weir.log.ReadOutcome;
import dev.weir.log.ReadUpTo;
import dev.weir.log.TopicPartition;
import dev.weir.protocol.ErrorCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition that this broker leads: its log, and those who wait for it to move on.
 *
 * <p>With one replica a record is committed once it is as safe as the topic asks: on the disk,
 * through a flush that it shares with other appends ({@code weir.flush.single.replica=group}), or
 * in the page cache ({@code os}). The high watermark follows, and with it what consumers see and
 * what producers with {@code acks=all} wait for.
 *
 * <p>Any thread may call anything. The lock guards the lists of those who wait and nothing else: it
 * is held for pointer writes, never while the log is touched or anybody is called.
 */
public final class Partition {
  private static final Logger LOG = LoggerFactory.getLogger(Partition.class);

  private final PartitionLog log;
  private final GroupFlush flush;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile int leaderEpoch;

  /** Why nobody may use the partition any more; NONE while it is in use. Set once. */
  private volatile ErrorCode gone = ErrorCode.NONE;

  /**
   * A flush has failed, and none has succeeded since. While the log is offline as well nobody is
   * served: what is below its end may never be committed. It may come back.
   */
  private volatile boolean flushFailed;

  // Guarded by lock.
  private final AcknowledgementQueue acknowledgements = new AcknowledgementQueue();
  private final WatchList watches = new WatchList();

  /** Written under the lock, read without: for those who only want the number. */
  private volatile int watchCount;

  /**
   * @param flush its listener has to call {@link #flushed}
   */
  Partition(PartitionLog log, int leaderEpoch, GroupFlush flush) {
    this.log = log;
    this.leaderEpoch = leaderEpoch;
    this.flush = flush;
  }

  public TopicPartition topicPartition() {
    return log.topicPartition();
  }

  public UUID topicId() {
    return log.topicId();
  }

  /** The log, for what needs nobody to be told: reads, offsets, look-ups. */
  public PartitionLog log() {
    return log;
  }

  public int leaderEpoch() {
    return leaderEpoch;
  }

  /**
   * {@link ErrorCode#NONE}, or why the partition cannot be used: {@link
   * ErrorCode#KAFKA_STORAGE_ERROR} until its log is back, where it comes back, anything else for
   * good.
   */
  public ErrorCode unusable() {
    ErrorCode left = gone;
    return left == ErrorCode.NONE && flushFailed && log.isOffline()
        ? ErrorCode.KAFKA_STORAGE_ERROR
        : left;
  }

  /**
   * What to tell a client whose request met this failure of the log. A partition may go while a
   * request is in the middle of its log; then that is what failed, and no disk.
   */
  public ErrorCode errorOf(LogException failure) {
    ErrorCode left = unusable();
    if (left != ErrorCode.NONE) {
      LOG.debug("the partition cannot be used under a request: {}", this, failure);
      return left;
    }
    LOG.error("a request failed in the log: {}", this, failure);
    return ErrorCode.KAFKA_STORAGE_ERROR;
  }

  /**
   * Checks the leader epoch that a client believes in, where it names one.
   *
   * @param clientEpoch negative: the client does not say
   */
  public ErrorCode checkLeaderEpoch(int clientEpoch) {
    int epoch = leaderEpoch;
    if (clientEpoch < 0 || clientEpoch == epoch) {
      return ErrorCode.NONE;
    }
    return clientEpoch < epoch ? ErrorCode.FENCED_LEADER_EPOCH : ErrorCode.UNKNOWN_LEADER_EPOCH;
  }

  /**
   * Appends; see {@link PartitionLog#append}. What was appended counts as acknowledged by this
   * node, not as committed: that is what {@link #await} is for.
   */
  public AppendOutcome append(ByteBuffer batches, AppendOrigin origin) {
    AppendOutcome outcome = log.append(batches, leaderEpoch, origin);
    settle(outcome);
    return outcome;
  }

  /** Appends if the log still ends at an offset; see {@link PartitionLog#appendIf}. */
  public AppendOutcome appendIf(ByteBuffer batches, long expectedEndOffset) {
    AppendOutcome outcome = log.appendIf(batches, leaderEpoch, expectedEndOffset);
    settle(outcome);
    return outcome;
  }

  public ReadOutcome read(long offset, int maxBytes, ReadUpTo bound) {
    return log.read(offset, maxBytes, bound);
  }

  /**
   * Has a wait end when the high watermark reaches what it needs, or the partition goes. It may end
   * at once; the waiter is told through its executor in either case.
   */
  public void await(Acknowledgement waiter) {
    ErrorCode outcome;
    lock.lock();
    try {
      // The high watermark moves before the lock is taken to complete waits: either it is seen
      // here, or the wait is seen there.
      outcome = unusable();
      if (outcome == ErrorCode.NONE && log.highWatermark() < waiter.requiredOffset) {
        acknowledgements.add(waiter);
        return;
      }
      waiter.state = Acknowledgement.State.ENDED;
    } finally {
      lock.unlock();
    }
    tell(waiter, outcome);
  }

  /** Takes a wait back, as on a time-out; false when it has ended already. */
  public boolean cancel(Acknowledgement waiter) {
    lock.lock();
    try {
      return acknowledgements.remove(waiter);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Moves the first offset up, as DeleteRecords does; see {@link
   * PartitionLog#advanceLogStartOffset}.
   *
   * @throws LogException if the log is offline
   */
  public boolean advanceLogStartOffset(long offset) {
    long before = log.logStartOffset();
    boolean isDeleted = log.advanceLogStartOffset(offset);
    if (log.logStartOffset() != before) {
      signalWatches();
    }
    return isDeleted;
  }

  /**
   * Begins to signal a reader whenever the high watermark, the first offset or the leader epoch has
   * moved or the partition goes. All of these move before they are signalled: who begins to watch
   * and then looks misses nothing.
   */
  public void watch(Watch watch) {
    lock.lock();
    try {
      watches.add(watch);
      watchCount = watches.size();
    } finally {
      lock.unlock();
    }
  }

  /** Ends a reader's interest. */
  public void unwatch(Watch watch) {
    lock.lock();
    try {
      watches.remove(watch);
      watchCount = watches.size();
    } finally {
      lock.unlock();
    }
  }

  /** The number of those who wait for an acknowledgement. */
  public int waiting() {
    lock.lock();
    try {
      return acknowledgements.size();
    } finally {
      lock.unlock();
    }
  }

  /** The number of watches. */
  public int watching() {
    return watchCount;
  }

  /**
   * Begins to lead. Everything that the log holds is on the only replica there is, so it counts as
   * committed as soon as it is as safe as the topic asks. May sync.
   */
  void begin() {
    log.startEpoch(leaderEpoch);
    long endOffset = log.logEndOffset();
    switch (log.config().singleReplicaFlush()) {
      case GROUP ->
          log.advanceHighWatermark(log.recoveryPoint() < endOffset ? log.flush() : endOffset);
      case OS -> log.advanceHighWatermark(endOffset);
    }
  }

  /** A new epoch of the same leader begins: what is appended from now on carries it. */
  void lead(int newLeaderEpoch) {
    if (newLeaderEpoch > leaderEpoch) {
      log.startEpoch(newLeaderEpoch);
      leaderEpoch = newLeaderEpoch;
      signalWatches();
    }
  }

  /** Retention has moved the first offset of the log. */
  void logStartMoved() {
    signalWatches();
  }

  /** Everything below {@code offset} is on the disk. Called on the flush thread. */
  void flushed(long offset) {
    flushFailed = false;
    commitUpTo(offset);
  }

  /**
   * A flush has failed, and the log is offline, or was: whoever waits for a commit is told, and so
   * is whoever comes later, until the log is back. Called on the flush thread.
   */
  void flushFailed() {
    List<Acknowledgement> waiters;
    List<Watch> toTell;
    lock.lock();
    try {
      flushFailed = true;
      waiters = acknowledgements.takeUpTo(Long.MAX_VALUE);
      toTell = watches.signalAll();
    } finally {
      lock.unlock();
    }
    waiters.forEach(waiter -> tell(waiter, ErrorCode.KAFKA_STORAGE_ERROR));
    toTell.forEach(Watch::tell);
  }

  /**
   * The log takes appends again. What it holds beyond the high watermark was refused to whoever
   * wrote it, and stays: a producer that repeats it is answered by the commit of the first time. So
   * it is committed without waiting for another append.
   */
  void logIsBack() {
    if (log.highWatermark() < log.logEndOffset()) {
      switch (log.config().singleReplicaFlush()) {
        case GROUP -> flush.request(log, log.logEndOffset());
        case OS -> commitUpTo(log.logEndOffset());
      }
    }
    signalWatches(); // readers who were told of the failure look again
  }

  /** Ends the partition: whoever waits is told {@code why}, and so is whoever comes later. */
  void end(ErrorCode why) {
    List<Acknowledgement> waiters;
    List<Watch> toTell;
    lock.lock();
    try {
      if (gone != ErrorCode.NONE) {
        return;
      }
      gone = why;
      waiters = acknowledgements.takeUpTo(Long.MAX_VALUE);
      toTell = watches.signalAll();
    } finally {
      lock.unlock();
    }
    waiters.forEach(waiter -> tell(waiter, why));
    toTell.forEach(Watch::tell);
  }

  private void settle(AppendOutcome outcome) {
    if (outcome instanceof AppendOutcome.Appended appended) {
      long endOffset = appended.lastOffset() + 1;
      SingleReplicaFlush policy = log.config().singleReplicaFlush();
      switch (policy) {
        case GROUP -> flush.request(log, endOffset);
        case OS -> commitUpTo(endOffset);
      }
    }
  }

  private void commitUpTo(long offset) {
    if (!log.advanceHighWatermark(offset)) {
      return;
    }
    List<Acknowledgement> waiters;
    List<Watch> toTell = List.of();
    lock.lock();
    try {
      waiters = acknowledgements.takeUpTo(log.highWatermark());
      if (watchCount > 0) {
        toTell = watches.signalAll();
      }
    } finally {
      lock.unlock();
    }
    for (Acknowledgement waiter : waiters) {
      tell(waiter, ErrorCode.NONE);
    }
    toTell.forEach(Watch::tell);
  }

  private void signalWatches() {
    if (watchCount == 0) {
      return; // who begins to watch now looks after what has moved
    }
    List<Watch> toTell;
    lock.lock();
    try {
      toTell = watches.signalAll();
    } finally {
      lock.unlock();
    }
    toTell.forEach(Watch::tell);
  }

  private void tell(Acknowledgement waiter, ErrorCode outcome) {
    assert !lock.isHeldByCurrentThread() : "a waiter would be called under the lock of " + this;
    try {
      waiter.executor.execute(new LoopTask(() -> waiter.listener.accept(outcome)));
    } catch (RejectedExecutionException e) {
      // Its event loop has ended, and the connection that waited with it.
      LOG.debug("nobody waits any more: {}", waiter, e);
    }
  }

  @Override
  public String toString() {
    return "Partition["
        + topicPartition()
        + ", leaderEpoch="
        + leaderEpoch
        + ", unusable="
        + unusable()
        + "]";
  }
}
