package dev.weir.node;

import dev.weir.machine.Timers;
import java.time.InstantSource;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Timers on one thread of the platform. It sleeps while nothing is due, so an idle node costs
 * nothing. Thread-safe.
 */
final class PlatformTimers implements Timers, AutoCloseable {
  private final InstantSource clock;
  private final ScheduledThreadPoolExecutor thread;

  PlatformTimers(InstantSource clock) {
    this.clock = clock;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("weir-timers").daemon().factory());
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public Cancellable at(long deadlineMs, Runnable task) {
    long delayMs = Math.max(0, deadlineMs - clock.millis());
    ScheduledFuture<?> future = thread.schedule(task, delayMs, TimeUnit.MILLISECONDS);
    return () -> future.cancel(false);
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
