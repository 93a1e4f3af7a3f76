package dev.weir.search.shard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Futures that wait for an offset to be applied. Safe for use by any thread. */
final class Waiters {

  private record Waiter(long endOffset, CompletableFuture<Void> done) {}

  private final PriorityQueue<Waiter> waiters =
      new PriorityQueue<>(Comparator.comparingLong(Waiter::endOffset)); // guarded by this
  private long reached; // guarded by this
  private @Nullable RuntimeException failure; // guarded by this; once set, nothing comes any more

  Waiters(long reached) {
    this.reached = reached;
  }

  /** Completes when everything below the offset is applied. */
  CompletableFuture<Void> await(long endOffset) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    synchronized (this) {
      if (endOffset > reached && failure == null) {
        waiters.add(new Waiter(endOffset, done));
        return done;
      }
      if (endOffset > reached) {
        return CompletableFuture.failedFuture(failure);
      }
    }
    done.complete(null);
    return done;
  }

  /** Completes those that wait for no more than this, outside of the lock. */
  void reached(long endOffset) {
    List<Waiter> ready = new ArrayList<>();
    synchronized (this) {
      reached = Math.max(reached, endOffset);
      while (!waiters.isEmpty() && waiters.element().endOffset <= reached) {
        ready.add(waiters.remove());
      }
    }
    ready.forEach(waiter -> waiter.done.complete(null));
  }

  /** Fails those that still wait, and those that come later. */
  void fail(RuntimeException reason) {
    List<Waiter> left;
    synchronized (this) {
      failure = reason;
      left = List.copyOf(waiters);
      waiters.clear();
    }
    left.forEach(waiter -> waiter.done.completeExceptionally(reason));
  }
}
