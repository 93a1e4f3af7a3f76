package dev.weir.log;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares flushes among appends: one thread syncs each log that asked since its last turn, once for
 * all appends so far. {@link #request} never blocks on the disk. While a sync runs, requests for
 * the next one gather; so under load one sync answers many appends, and a lone append waits for no
 * one.
 *
 * <p>A log whose sync failed is offline: it is reported once and never synced again, since after a
 * failed sync the kernel may drop the dirty pages and a second sync would report success. Where no
 * descriptor was left for the sync it was not begun: such a log comes back, and is synced again.
 */
public final class GroupFlush implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupFlush.class);

  /** Told on the flush thread; hands over and does not block. */
  public interface Listener {
    /** Everything below {@code flushedOffset} is on the disk. */
    void flushed(PartitionLog log, long flushedOffset);

    /** The sync failed; the log is offline, for good or until it comes back. */
    void failed(PartitionLog log, LogException cause);
  }

  private final Listener listener;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition requested = lock.newCondition();
  // Guarded by lock: end offset that was asked for by log. At most one entry a log.
  private final Map<PartitionLog, Long> endOffsetByLog = new HashMap<>();
  private boolean closing;

  /** Starts the thread. */
  public GroupFlush(Listener listener) {
    this.listener = listener;
    this.thread = Thread.ofPlatform().name("weir-group-flush").daemon(true).start(this::run);
  }

  /**
   * Asks that {@code log} be flushed up to {@code endOffset} at least; the listener hears of it,
   * also where this has happened already.
   */
  public void request(PartitionLog log, long endOffset) {
    lock.lock();
    try {
      if (closing) {
        throw new IllegalStateException("group flush is closed, log=" + log.topicPartition());
      }
      endOffsetByLog.merge(log, endOffset, Math::max);
      requested.signal();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    List<Map.Entry<PartitionLog, Long>> round = nextRound();
    while (!round.isEmpty()) {
      for (Map.Entry<PartitionLog, Long> request : round) {
        flush(request.getKey(), request.getValue());
      }
      round = nextRound();
    }
  }

  /** Waits for requests and takes them all; empty when closing and nothing is left. */
  private List<Map.Entry<PartitionLog, Long>> nextRound() {
    lock.lock();
    try {
      while (endOffsetByLog.isEmpty() && !closing) {
        requested.awaitUninterruptibly();
      }
      List<Map.Entry<PartitionLog, Long>> round = List.copyOf(endOffsetByLog.entrySet());
      endOffsetByLog.clear();
      return round;
    } finally {
      lock.unlock();
    }
  }

  private void flush(PartitionLog log, long endOffset) {
    try {
      long flushed = log.recoveryPoint();
      if (flushed < endOffset) {
        flushed = log.flush();
      }
      listener.flushed(log, flushed);
    } catch (LogException e) {
      LOG.error("flush failed, log is offline: log={}", log, e);
      listener.failed(log, e);
    }
  }

  /** Flushes what was asked for, and ends the thread. */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      requested.signal();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
