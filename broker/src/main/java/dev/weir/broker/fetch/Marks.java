package dev.weir.broker.fetch;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of one session that have moved and that its event loop has not taken yet: a stack
 * without a lock, of nodes that are in it at most once. Any thread adds; the loop takes all.
 */
final class Marks {
  private final AtomicReference<@Nullable SessionPartition> newest = new AtomicReference<>();

  /** The loop waits for a mark and has to be told of the next one, once. */
  private final AtomicBoolean awaited = new AtomicBoolean();

  /**
   * Adds a partition that is not in.
   *
   * @return whether the loop has to be told
   */
  boolean add(SessionPartition partition) {
    SessionPartition before;
    do {
      before = newest.get();
      partition.nextMarked = before;
    } while (!newest.compareAndSet(before, partition));
    // Added first and asked then, while the loop says first that it waits and looks then: one of
    // the two sees the other.
    return awaited.get() && awaited.compareAndSet(true, false);
  }

  /**
   * Takes all out, the oldest first; the links lead to the next. They are good until a mark is
   * taken back, for then the partition may be marked anew.
   */
  @Nullable SessionPartition takeAll() {
    SessionPartition next = newest.get() == null ? null : newest.getAndSet(null);
    SessionPartition oldest = null;
    while (next != null) {
      SessionPartition before = next.nextMarked;
      next.nextMarked = oldest;
      oldest = next;
      next = before;
    }
    return oldest;
  }

  /**
   * Has the loop be told of the next mark.
   *
   * @return false if there is one already, of which it may not be told
   */
  boolean await() {
    awaited.set(true);
    return newest.get() == null;
  }

  /** The loop waits no longer. */
  void stopWaiting() {
    awaited.set(false);
  }
}
