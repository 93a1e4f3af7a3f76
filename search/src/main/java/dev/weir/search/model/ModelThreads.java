package dev.weir.search.model;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The threads that models run on. The runtime itself is told to use the thread that calls it, so
 * these are all the processors that models ever take. They end when they have been idle for a
 * while.
 *
 * <p>Somebody waits for an answer to a search, and a document waits to be indexed: between two
 * items of an ingest call a thread does what queries ask for, and ingest leaves them room to wait
 * in. So a query waits for one item at most, and ingest that is starved is refused and tries again.
 */
final class ModelThreads implements AutoCloseable {

  private static final long IDLE_SECONDS = 30;

  /** What a call is for. */
  enum Purpose {
    /** A search, or an administrator, waits for it. */
    QUERY,
    /** Documents are to be indexed. */
    INGEST
  }

  private final ThreadPoolExecutor pool;
  // Those that are waited for; each has had a place in the pool's queue, which bounds them.
  private final Queue<Call<?>> queries = new ConcurrentLinkedQueue<>();
  private final ModelBounds bounds;

  ModelThreads(ModelBounds bounds) {
    this.bounds = bounds;
    // One call of many texts takes a place for each thread that could help it.
    this.pool =
        new ThreadPoolExecutor(
            bounds.threads(),
            bounds.threads(),
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(bounds.callsMax()),
            Thread.ofPlatform().name("weir-model-", 0).daemon().factory());
    pool.allowCoreThreadTimeOut(true);
  }

  /** Work on one item. */
  @FunctionalInterface
  interface Work<T> {
    T on(int item, ModelCall call);
  }

  /**
   * Does the work on items 0 to {@code count}, exclusive, and waits for the results.
   *
   * @throws SearchException 429 if too many wait, 503 if nothing got done for the time-out
   */
  <T> List<T> run(Purpose purpose, int count, Work<T> work) {
    Call<T> call = new Call<>(count, work);
    Runnable place =
        switch (purpose) {
          case QUERY -> call;
          case INGEST -> () -> givingWay(call);
        };
    int helpers = Math.min(count, bounds.threads());
    for (int i = 0; i < helpers; i++) {
      try {
        requireRoom(purpose);
        pool.execute(place);
      } catch (RejectedExecutionException e) {
        if (i == 0) {
          throw new SearchException(
              ErrorType.REJECTED_EXECUTION,
              pool.isShutdown()
                  ? "the node stops"
                  : bounds.callsMax()
                      + " calls wait for a model already; ask fewer at a time, or again later");
        }
        break; // those who were taken do it all
      }
    }
    if (purpose == Purpose.QUERY) {
      queries.add(call);
    }
    try {
      return await(call);
    } finally {
      queries.remove(call);
      while (pool.remove(place)) {} // places that others' threads have made needless
    }
  }

  /** Ingest takes half of the places, so that a query always finds one. */
  private void requireRoom(Purpose purpose) {
    int waiting = pool.getQueue().size();
    if (purpose == Purpose.INGEST && waiting >= Math.max(1, bounds.callsMax() / 2)) {
      throw new RejectedExecutionException("waiting=" + waiting);
    }
  }

  /** Does items of an ingest call, and before each one all that queries ask for. */
  private void givingWay(Call<?> call) {
    do {
      for (Call<?> query : queries) {
        query.run();
      }
    } while (call.runOne());
  }

  private <T> List<T> await(Call<T> call) {
    while (true) {
      int done = call.done.get();
      try {
        call.finished.get(bounds.timeoutMs(), TimeUnit.MILLISECONDS);
        return call.results();
      } catch (TimeoutException _) {
        if (call.done.get() == done) {
          call.stop();
          throw new SearchException(
              ErrorType.MODEL,
              "the model did not answer within "
                  + bounds.timeoutMs()
                  + " ms; it is slow, still loading, or busy with other calls: ask again later, or"
                  + " raise weir.models.timeout.ms");
        }
      } catch (InterruptedException _) {
        call.stop();
        Thread.currentThread().interrupt();
        throw new SearchException(ErrorType.MODEL, "the node stops");
      } catch (ExecutionException e) {
        call.stop();
        switch (e.getCause()) {
          case SearchException refused -> throw refused;
          case ModelFailure failure -> throw failure;
          case Error error -> throw error;
          case null, default ->
              throw SearchException.unexpected("running a model failed: " + e.getCause(), e);
        }
      }
    }
  }

  /** One call: every thread that runs it takes the next item until there is none. */
  private static final class Call<T> implements Runnable {
    private final int count;
    private final Work<T> work;
    private final ModelCall call = new ModelCall();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger(); // 0 <= done <= count
    private final AtomicReferenceArray<T> results;
    private final CompletableFuture<Void> finished = new CompletableFuture<>();

    private Call(int count, Work<T> work) {
      this.count = count;
      this.work = work;
      this.results = new AtomicReferenceArray<>(count);
    }

    @Override
    public void run() {
      while (runOne()) {}
    }

    /** Does the next item; false if there is none. */
    @SuppressWarnings("CatchingUnchecked") // whatever it is, the waiting caller must learn of it
    private boolean runOne() {
      int item = isOver() ? count : next.getAndIncrement();
      if (item >= count) {
        return false;
      }
      try {
        results.set(item, work.on(item, call));
        if (done.incrementAndGet() == count) {
          finished.complete(null);
        }
      } catch (RuntimeException | Error e) {
        finished.completeExceptionally(e);
      }
      return true;
    }

    private boolean isOver() {
      return call.isStopped() || finished.isDone();
    }

    private void stop() {
      call.stop();
    }

    private List<T> results() {
      List<T> all = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        all.add(results.get(i));
      }
      return all;
    }
  }

  @Override
  public void close() {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(bounds.timeoutMs(), TimeUnit.MILLISECONDS)) {
        pool.shutdownNow();
      }
    } catch (InterruptedException _) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
