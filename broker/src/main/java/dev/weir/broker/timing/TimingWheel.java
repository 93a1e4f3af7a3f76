package dev.weir.broker.timing;

import org.jspecify.annotations.Nullable;

/**
 * A hierarchical timing wheel with a resolution of one millisecond: schedule and cancel cost a few
 * pointer writes however many time-outs there are, which matters since nearly all of them are
 * cancelled before they are due.
 *
 * <p>Each of the {@value #LEVELS} levels has {@value #SLOTS} slots; a slot of level <i>k</i> covers
 * 64<sup>k</sup> ms. A time-out lies in the finest level whose span still reaches its deadline, and
 * moves to a finer one when the wheel arrives at its slot. One bit a slot says which slots are
 * occupied, so that the wheel jumps from one occupied slot to the next rather than ticking, and an
 * empty wheel needs no wake-up at all. Deadlines beyond the span of the coarsest level (12 days) go
 * round again.
 *
 * <p>Pure: time comes in as an argument and need only be monotonic. Owned by one thread.
 */
public final class TimingWheel {
  /** What {@link #nextWakeMs()} answers when nothing is scheduled. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final int LEVELS = 5;
  private static final int SLOT_BITS = 6;
  private static final int SLOTS = 1 << SLOT_BITS;
  private static final int SLOT_MASK = SLOTS - 1;
  private static final long SPAN_MS = 1L << (SLOT_BITS * LEVELS);

  /** Heads of the slots' lists, level by level. */
  private final @Nullable Timeout[] heads = new Timeout[LEVELS * SLOTS];

  /** Bit <i>s</i> of level <i>k</i> is set exactly when slot <i>s</i> of that level has a head. */
  private final long[] occupied = new long[LEVELS];

  private long nowMs;
  private int size;

  public TimingWheel(long nowMs) {
    this.nowMs = nowMs;
  }

  /** The number of pending time-outs. */
  public int size() {
    return size;
  }

  /**
   * Runs {@code task} in the first {@link #advanceTo} that reaches {@code deadlineMs}; never inside
   * this call, also when the deadline has passed.
   */
  public Timeout schedule(long deadlineMs, Runnable task) {
    Timeout timeout = new Timeout(this, Math.max(deadlineMs, nowMs + 1), task);
    place(timeout);
    size++;
    return timeout;
  }

  /**
   * The time at which the wheel has to be advanced next: when the next time-out is due, or earlier,
   * when one has to move to a finer level. {@link #NEVER} when nothing is pending.
   */
  public long nextWakeMs() {
    long wake = NEVER;
    for (int level = 0; level < LEVELS; level++) {
      if (occupied[level] != 0) {
        int shift = SLOT_BITS * level;
        long position = nowMs >> shift;
        // The slot the wheel stands in was emptied on arrival, so an entry in it is a full turn
        // away: look from the slot after it, and find itself last.
        int from = (int) (position + 1) & SLOT_MASK;
        int distance = Long.numberOfTrailingZeros(Long.rotateRight(occupied[level], from)) + 1;
        wake = Math.min(wake, (position + distance) << shift);
      }
    }
    return wake;
  }

  /** Moves time on to {@code targetMs} and runs everything that is due, in order of slots. */
  public void advanceTo(long targetMs) {
    while (true) {
      long wake = nextWakeMs();
      if (wake > targetMs) {
        nowMs = Math.max(nowMs, targetMs);
        return;
      }
      nowMs = wake;
      for (int level = LEVELS - 1; level > 0; level--) {
        int shift = SLOT_BITS * level;
        if ((nowMs & ((1L << shift) - 1)) == 0) {
          cascade(level * SLOTS + ((int) (nowMs >> shift) & SLOT_MASK));
        }
      }
      expire((int) nowMs & SLOT_MASK);
    }
  }

  void unlink(Timeout timeout) {
    if (timeout.slot != Timeout.UNLINKED) {
      remove(timeout);
      size--;
    }
  }

  private void cascade(int slot) {
    Timeout timeout = takeAll(slot);
    while (timeout != null) {
      Timeout next = timeout.next;
      place(timeout);
      timeout = next;
    }
  }

  private void expire(int slot) {
    // One at a time from the head: a task may cancel its neighbours.
    for (Timeout timeout = heads[slot]; timeout != null; timeout = heads[slot]) {
      remove(timeout);
      if (timeout.deadlineMs > nowMs) {
        place(timeout);
      } else {
        size--;
        timeout.task.run();
      }
    }
  }

  private void place(Timeout timeout) {
    long distance = Math.min(timeout.deadlineMs - nowMs, SPAN_MS - 1);
    long deadlineMs = nowMs + distance;
    int level = 0;
    while (distance >= SLOTS) {
      distance >>= SLOT_BITS;
      level++;
    }
    link(timeout, level * SLOTS + ((int) (deadlineMs >> (SLOT_BITS * level)) & SLOT_MASK));
  }

  private void link(Timeout timeout, int slot) {
    Timeout head = heads[slot];
    timeout.slot = slot;
    timeout.previous = null;
    timeout.next = head;
    if (head != null) {
      head.previous = timeout;
    }
    heads[slot] = timeout;
    occupied[slot >> SLOT_BITS] |= 1L << (slot & SLOT_MASK);
  }

  private void remove(Timeout timeout) {
    Timeout previous = timeout.previous;
    Timeout next = timeout.next;
    if (next != null) {
      next.previous = previous;
    }
    if (previous != null) {
      previous.next = next;
    } else {
      heads[timeout.slot] = next;
      if (next == null) {
        occupied[timeout.slot >> SLOT_BITS] &= ~(1L << (timeout.slot & SLOT_MASK));
      }
    }
    timeout.slot = Timeout.UNLINKED;
    timeout.previous = null;
    timeout.next = null;
  }

  private @Nullable Timeout takeAll(int slot) {
    Timeout head = heads[slot];
    heads[slot] = null;
    occupied[slot >> SLOT_BITS] &= ~(1L << (slot & SLOT_MASK));
    return head;
  }

  @Override
  public String toString() {
    return "TimingWheel[nowMs=" + nowMs + ", size=" + size + "]";
  }
}
