package dev.weir.broker.network;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Warnings that a client can provoke: at most one a second is written, the others are counted and
 * the count goes with the next one that is written. Thread-safe.
 */
public final class OccasionalLog {
  private static final long INTERVAL_NS = 1_000_000_000L;

  private final Logger logger;
  private final LongSupplier nanoTime;
  private final AtomicLong nextNs;
  private final AtomicLong suppressed = new AtomicLong();

  /**
   * @param nanoTime a monotonic clock in nanoseconds
   */
  public OccasionalLog(Logger logger, LongSupplier nanoTime) {
    this.logger = logger;
    this.nanoTime = nanoTime;
    this.nextNs = new AtomicLong(nanoTime.getAsLong());
  }

  /** Writes {@code message} as a warning, unless another was written within the last second. */
  public void warn(String message) {
    long nowNs = nanoTime.getAsLong();
    long dueNs = nextNs.get();
    if (nowNs - dueNs < 0 || !nextNs.compareAndSet(dueNs, nowNs + INTERVAL_NS)) {
      suppressed.incrementAndGet();
      return;
    }
    long left = suppressed.getAndSet(0);
    if (left == 0) {
      logger.warn("{}", message);
    } else {
      logger.warn("{}; {} more of this kind since the last such line", message, left);
    }
  }

  /** The number of warnings not written since the last one that was. */
  long suppressed() {
    return suppressed.get();
  }
}
