package dev.weir.search.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Runs the parts of one request side by side. The calling thread takes part, and waits only for
 * parts that another thread has begun; so it makes progress whatever the executor does, even where
 * caller and parts share a pool that is full.
 */
final class ShardTasks {
  /** More helpers than processors would only crowd the executor's queue. */
  private static final int HELPERS_MAX =
      Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

  private ShardTasks() {}

  /** The results, in the order of the tasks. A task that throws fails the whole. */
  static <T> List<T> run(Executor executor, List<Supplier<T>> tasks) {
    List<CompletableFuture<T>> results = new ArrayList<>();
    tasks.forEach(_ -> results.add(new CompletableFuture<>()));
    AtomicInteger next = new AtomicInteger();
    Runnable worker =
        () -> {
          for (int i = next.getAndIncrement(); i < tasks.size(); i = next.getAndIncrement()) {
            complete(results.get(i), tasks.get(i));
          }
        };
    int helpers = Math.min(HELPERS_MAX, tasks.size() - 1);
    for (int i = 0; i < helpers; i++) {
      try {
        executor.execute(worker);
      } catch (RejectedExecutionException _) {
        break; // the pool is busy; this thread does the work
      }
    }
    worker.run();
    return results.stream().map(ShardTasks::joined).toList();
  }

  /**
   * An error, as a false assertion or no memory, comes as what it is: it is no failure of a task.
   */
  private static <T> T joined(CompletableFuture<T> result) {
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  private static <T> void complete(CompletableFuture<T> result, Supplier<T> task) {
    try {
      result.complete(task.get());
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e); // thrown again by whoever waits
    }
  }
}
