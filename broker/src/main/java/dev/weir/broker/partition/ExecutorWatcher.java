package dev.weir.broker.partition;

import dev.weir.broker.timing.LoopTask;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a reader through its executor. Signals that come before the reader has taken notice of the
 * last one are one signal: it is told once, and looks for itself what has changed.
 */
final class ExecutorWatcher implements Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorWatcher.class);

  private final Executor executor;
  private final Runnable onProgress;
  private final AtomicBoolean signalled = new AtomicBoolean();

  ExecutorWatcher(Executor executor, Runnable onProgress) {
    this.executor = executor;
    this.onProgress = onProgress;
  }

  @Override
  public boolean note() {
    return !signalled.get() && signalled.compareAndSet(false, true);
  }

  @Override
  public void tell() {
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
