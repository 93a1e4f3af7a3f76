package dev.weir.broker.handler;

import dev.weir.controller.Controller;
import dev.weir.controller.ProducerIdBlock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives out producer ids from blocks that the controller has given to this broker. A new block is
 * asked for when the last one is used up; who needs an id meanwhile waits. Thread-safe.
 */
public final class ProducerIds {
  private final Supplier<CompletableFuture<ProducerIdBlock>> blocks;

  // Guarded by this object's monitor; no future is completed under it.
  private final Deque<CompletableFuture<Long>> waiting = new ArrayDeque<>();
  private long nextId;
  private long endId;
  private boolean asking;

  /**
   * @param blocks asks for a new block
   */
  ProducerIds(Supplier<CompletableFuture<ProducerIdBlock>> blocks) {
    this.blocks = blocks;
  }

  /** From the blocks that a controller gives to this registration of the broker. */
  public static ProducerIds from(
      Controller controller, int nodeId, CompletableFuture<Long> brokerEpoch) {
    return new ProducerIds(
        () -> brokerEpoch.thenCompose(epoch -> controller.allocateProducerIds(nodeId, epoch)));
  }

  /** An id that nobody had before; fails when the controller gives no block. */
  CompletableFuture<Long> next() {
    CompletableFuture<Long> later = new CompletableFuture<>();
    synchronized (this) {
      if (nextId < endId) {
        nextId++;
        return CompletableFuture.completedFuture(nextId - 1);
      }
      waiting.add(later);
      if (asking) {
        return later;
      }
      asking = true;
    }
    CompletableFuture<ProducerIdBlock> _ = blocks.get().whenComplete(this::onBlock);
    return later;
  }

  private void onBlock(@Nullable ProducerIdBlock block, @Nullable Throwable failure) {
    Deque<CompletableFuture<Long>> served = new ArrayDeque<>();
    long firstId;
    boolean askAgain;
    synchronized (this) {
      firstId = block == null ? 0 : block.first();
      long count = block == null ? waiting.size() : Math.min(waiting.size(), block.count());
      for (long i = 0; i < count; i++) {
        served.add(waiting.remove());
      }
      if (block != null) {
        nextId = firstId + count;
        endId = firstId + block.count();
      }
      askAgain = !waiting.isEmpty();
      asking = askAgain;
    }
    for (CompletableFuture<Long> waiter : served) {
      if (block == null) {
        waiter.completeExceptionally(
            failure == null ? new IllegalStateException("no block of producer ids") : failure);
      } else {
        waiter.complete(firstId);
        firstId++;
      }
    }
    if (askAgain) {
      CompletableFuture<ProducerIdBlock> _ = blocks.get().whenComplete(this::onBlock);
    }
  }
}
