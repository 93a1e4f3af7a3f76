package dev.weir.machine;

/** Runs tasks at times. Thread-safe. Tasks are short: a machine's only posts to its mailbox. */
public interface Timers {

  /**
   * Runs a task once its time has come, unless it is cancelled before.
   *
   * @param deadlineMs milliseconds since the epoch; a past one runs the task as soon as possible,
   *     but not within this call
   */
  Cancellable at(long deadlineMs, Runnable task);

  /** A task that has not run yet, or has. Cancelling is idempotent. */
  interface Cancellable {
    void cancel();
  }
}
