package dev.weir.broker.timing;

import org.jspecify.annotations.Nullable;

/**
 * A task that runs once its deadline has passed, unless it is cancelled before. It is its own list
 * node, so that cancelling unlinks two pointers and leaves nothing behind. Owned by the thread of
 * its wheel; not thread-safe.
 */
public final class Timeout {
  final long deadlineMs;
  final Runnable task;
  @Nullable Timeout previous;
  @Nullable Timeout next;
  int slot = UNLINKED;

  static final int UNLINKED = -1;

  private final TimingWheel wheel;

  Timeout(TimingWheel wheel, long deadlineMs, Runnable task) {
    this.wheel = wheel;
    this.deadlineMs = deadlineMs;
    this.task = task;
  }

  /** Takes the task back. Does nothing once it has run or was cancelled. */
  public void cancel() {
    wheel.unlink(this);
  }

  /** True while the task is still to run. */
  public boolean isPending() {
    return slot != UNLINKED;
  }

  @Override
  public String toString() {
    return "Timeout[deadlineMs=" + deadlineMs + ", pending=" + isPending() + "]";
  }
}
