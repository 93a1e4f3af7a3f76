package dev.weir.search;

import dev.weir.search.shard.ShardEnvironment.Later;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of the search engine: platform threads, since Lucene keeps state for each of them.
 * They end when they have been idle for a while.
 */
final class EngineThreads implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EngineThreads.class);

  /** Requests that wait for a thread; more are refused with 429. */
  private static final int REQUESTS_WAITING_MAX = 1000;

  /** Opening and deleting is bound by the disk: more at a time would not be faster. */
  private static final int OPENING_THREADS = 2;

  /** These only wait for models, which have threads of their own. */
  private static final int EMBEDDING_THREADS = 2;

  /** Merges that are asked for wait for Lucene's own threads, which share the disk. */
  private static final int MERGE_THREADS = 2;

  /** Merges that wait; more are refused with 429: each is minutes of work for the disk. */
  private static final int MERGES_WAITING_MAX = 100;

  private static final long IDLE_SECONDS = 30;

  /** Time that the running tasks of a pool get at the end. */
  static final Duration CLOSE_MAX = Duration.ofSeconds(10);

  private final ThreadPoolExecutor applying;
  private final ThreadPoolExecutor requests;
  private final ThreadPoolExecutor opening;
  private final ThreadPoolExecutor embedding;
  private final ThreadPoolExecutor merging;
  private final ScheduledThreadPoolExecutor timer;
  private final Duration closeMax;

  EngineThreads(int threads) {
    this(threads, CLOSE_MAX);
  }

  EngineThreads(int threads, Duration closeMax) {
    this.closeMax = closeMax;
    // Each shard has one turn queued at most, and each waiting request one refresh.
    applying = pool("weir-apply-", threads, new LinkedBlockingQueue<>());
    requests = pool("weir-search-", threads, new ArrayBlockingQueue<>(REQUESTS_WAITING_MAX));
    opening = pool("weir-open-", OPENING_THREADS, new LinkedBlockingQueue<>());
    // Each shard waits for one batch at most.
    embedding = pool("weir-embed-", EMBEDDING_THREADS, new LinkedBlockingQueue<>());
    merging = pool("weir-merge-", MERGE_THREADS, new ArrayBlockingQueue<>(MERGES_WAITING_MAX));
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("weir-search-timer").daemon().factory());
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static ThreadPoolExecutor pool(
      String name, int threads, BlockingQueue<Runnable> waiting) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            waiting,
            Thread.ofPlatform().name(name, 0).daemon().factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Applies records and refreshes. */
  Executor applying() {
    return applying;
  }

  /** Carries out requests; refuses with {@link RejectedExecutionException} when too many wait. */
  Executor requests() {
    return requests;
  }

  /** Waits for models on behalf of shards. */
  Executor embedding() {
    return embedding;
  }

  /**
   * Takes part in requests while threads are free, and refuses else. Who asks for help goes on
   * without, so a part that waited would be done before its turn, and the queue is for requests.
   */
  Executor helping() {
    return task -> {
      if (requests.getActiveCount() + requests.getQueue().size() >= requests.getMaximumPoolSize()) {
        throw new RejectedExecutionException("no thread is free to help");
      }
      requests.execute(task);
    };
  }

  /** Opens and deletes files. */
  Executor opening() {
    return opening;
  }

  /** Merges that are asked for; refuses with {@link RejectedExecutionException}. */
  Executor merging() {
    return merging;
  }

  /** Runs short tasks after a delay. */
  Later later() {
    return (delayMs, task) -> {
      try {
        var _ = timer.schedule(task, delayMs, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        // The node goes down, and closing an index does what the task would have asked for.
        LOG.debug("task dropped at the end reason={}", e.getMessage());
      }
    };
  }

  /** Ends requests; to be called before the indexes are closed. */
  void closeRequests() {
    end(requests, "requests");
  }

  /** Lets running tasks finish within a bound, and says which do not; what waits is dropped. */
  @Override
  public void close() {
    timer.shutdown();
    end(requests, "requests");
    end(opening, "opening");
    end(embedding, "embedding");
    end(merging, "merging");
    end(applying, "applying");
  }

  /** No thread is interrupted: one inside a file channel would close it, and its log with it. */
  private void end(ThreadPoolExecutor pool, String name) {
    pool.shutdown();
    try {
      if (pool.awaitTermination(closeMax.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    int waiting = pool.getQueue().size();
    pool.getQueue().clear();
    LOG.warn(
        "threads still run at the end and are left to themselves pool={} running={} dropped={}"
            + " waitedMs={}",
        name,
        pool.getActiveCount(),
        waiting,
        closeMax.toMillis());
  }
}
