package dev.weir.machine.simulated;

import dev.weir.machine.Timers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock that stands still until {@link #advanceTo}, and the timers on it. Single-threaded. */
public final class SimulatedTime implements InstantSource, Timers {
  private record Task(long deadlineMs, long order, Runnable task) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(
          Comparator.comparingLong(Task::deadlineMs).thenComparingLong(Task::order));
  private long nowMs;
  private long nextOrder;

  public SimulatedTime(long nowMs) {
    this.nowMs = nowMs;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(nowMs);
  }

  @Override
  public Cancellable at(long deadlineMs, Runnable task) {
    Task added = new Task(deadlineMs, nextOrder++, task);
    tasks.add(added);
    return () -> tasks.remove(added);
  }

  /** Runs, in order of their deadlines, the tasks due until then. */
  public void advanceTo(long timeMs) {
    for (Task next = tasks.peek();
        next != null && next.deadlineMs() <= timeMs;
        next = tasks.peek()) {
      tasks.remove();
      nowMs = Math.max(nowMs, next.deadlineMs());
      next.task().run();
    }
    nowMs = Math.max(nowMs, timeMs);
  }

  public void advanceBy(long millis) {
    advanceTo(nowMs + millis);
  }

  /** Tasks that wait for their time. */
  public int waiting() {
    return tasks.size();
  }
}
