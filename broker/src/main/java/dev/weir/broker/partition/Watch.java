package dev.weir.broker.partition;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A reader's interest in the progress of one partition: in its high watermark, its last stable
 * offset, its first offset, its leader epoch, its end. It is its own list node, so that the
 * interest ends by unlinking and leaves nothing to purge. The links are guarded by the lock of the
 * partition.
 */
public final class Watch {
  private final Watcher watcher;

  @Nullable Watch previous;
  @Nullable Watch next;
  boolean linked;

  public Watch(Watcher watcher) {
    this.watcher = watcher;
  }

  /**
   * @param executor where {@code onProgress} runs; for a connection its event loop
   */
  public Watch(Executor executor, Runnable onProgress) {
    this(new ExecutorWatcher(executor, onProgress));
  }

  /** True if this call is the one that has to {@link #tell} the reader. */
  boolean signal() {
    return watcher.note();
  }

  /** Tells the reader. Called without a lock, after {@link #signal} has answered true. */
  void tell() {
    watcher.tell();
  }
}
