package dev.weir.broker.partition;

import dev.weir.broker.timing.LoopTask;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader's interest in the progress of one partition: in its high watermark, its last stable
 * offset, its end. It is its own list node, so that the interest ends by unlinking and leaves
 * nothing to purge.
 *
 * <p>Signals that come before the reader has taken notice of the last one are one signal: the
 * reader is told once through its executor, and looks for itself what has changed. The links are
 * guarded by the lock of the partition.
 */
public final class Watch {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private final Executor executor;
  private final Runnable onProgress;
  private final AtomicBoolean signalled = new AtomicBoolean();

  @Nullable Watch previous;
  @Nullable Watch next;
  boolean linked;

  /**
   * @param executor where {@code onProgress} runs; for a connection its event loop
   */
  public Watch(Executor executor, Runnable onProgress) {
    this.executor = executor;
    this.onProgress = onProgress;
  }

  /** True if this call is the one that has to {@link #tell} the reader. */
  boolean signal() {
    return !signalled.get() && signalled.compareAndSet(false, true);
  }

  /** Tells the reader. Called without a lock, after {@link #signal} has answered true. */
  void tell() {
    try {
      executor.execute(new LoopTask(this::notice));
    } catch (RejectedExecutionException e) {
      // Its event loop has ended, and the connection that watched with it.
      LOG.debug("nobody watches any more", e);
    }
  }

  private void notice() {
    // Cleared before the reader looks, so that what changes from here on is signalled again.
    signalled.set(false);
    onProgress.run();
  }
}
