package dev.weir.broker.partition;

import dev.weir.protocol.ErrorCode;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who waits until everything below an offset of one partition is committed. It is its own
 * list node: the wait costs this object and nothing else. Its outcome, {@link ErrorCode#NONE} or
 * why the wait ended, is given once, through the executor of the one who waits.
 *
 * <p>The links and {@code state} are guarded by the lock of the partition that it waits on.
 */
public final class Acknowledgement {
  enum State {
    NEW,
    WAITING,
    ENDED
  }

  final long requiredOffset;
  final Executor executor;
  final Consumer<ErrorCode> listener;
  State state = State.NEW;
  @Nullable Acknowledgement previous;
  @Nullable Acknowledgement next;

  /**
   * @param requiredOffset the high watermark that is waited for: one above the last offset needed
   * @param executor where {@code listener} is called; for a connection its event loop
   */
  public Acknowledgement(long requiredOffset, Executor executor, Consumer<ErrorCode> listener) {
    this.requiredOffset = requiredOffset;
    this.executor = executor;
    this.listener = listener;
  }

  @Override
  public String toString() {
    return "Acknowledgement[requiredOffset=" + requiredOffset + ", state=" + state + "]";
  }
}
