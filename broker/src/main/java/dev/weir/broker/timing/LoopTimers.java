package dev.weir.broker.timing;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time-outs of one event loop: a {@link TimingWheel} that is advanced by at most one task
 * scheduled on the loop, the one for the wheel's next wake-up. Every method must be called on the
 * loop. With nothing pending nothing is scheduled, so that an idle loop sleeps.
 */
public final class LoopTimers {
  private static final int PATIENCE_PARTS = 16;

  private final EventExecutor loop;
  private final TimingWheel wheel;
  private long scheduledWakeMs = TimingWheel.NEVER;
  private @Nullable Future<?> scheduledWake;

  public LoopTimers(EventExecutor loop) {
    this.loop = loop;
    this.wheel = new TimingWheel(nowMs());
  }

  /** Runs {@code task} on the loop after {@code delayMs}, which may be zero or less: soon. */
  public Timeout after(long delayMs, Runnable task) {
    assert loop.inEventLoop() : "timers of " + loop + " used from " + Thread.currentThread();
    long nowMs = nowMs();
    if (wheel.size() == 0) {
      wheel.advanceTo(nowMs); // nothing runs: only brings an idle wheel's clock up to date
    }
    long delayWithinReachMs = Math.min(Math.max(delayMs, 0), TimeUnit.DAYS.toMillis(365));
    Timeout timeout = wheel.schedule(nowMs + delayWithinReachMs, task);
    scheduleWake(nowMs);
    return timeout;
  }

  /**
   * Runs {@code task} on the loop when a patience of {@code delayMs} has ended, or up to a
   * sixteenth of it later, together with the others that end about then: a loop on which many wait
   * wakes once for several of them.
   */
  public Timeout afterPatience(long delayMs, Runnable task) {
    long grainMs = Long.highestOneBit(Math.max(delayMs / PATIENCE_PARTS, 1));
    long endMs = nowMs() + Math.max(delayMs, 0);
    long overMs = Math.floorMod(endMs, grainMs);
    return after(delayMs + (overMs == 0 ? 0 : grainMs - overMs), task);
  }

  /** The number of pending time-outs. */
  public int size() {
    return wheel.size();
  }

  private void wake() {
    scheduledWakeMs = TimingWheel.NEVER;
    scheduledWake = null;
    try {
      wheel.advanceTo(nowMs());
    } finally {
      scheduleWake(nowMs());
    }
  }

  private void scheduleWake(long nowMs) {
    long wakeMs = wheel.nextWakeMs();
    if (wakeMs >= scheduledWakeMs) {
      return; // an earlier wake-up is on its way, and will schedule the next one
    }
    Future<?> earlier = scheduledWake;
    if (earlier != null) {
      earlier.cancel(false);
    }
    scheduledWakeMs = wakeMs;
    scheduledWake = loop.schedule(new LoopTask(this::wake), wakeMs - nowMs, TimeUnit.MILLISECONDS);
  }

  private long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(loop.ticker().nanoTime());
  }
}
