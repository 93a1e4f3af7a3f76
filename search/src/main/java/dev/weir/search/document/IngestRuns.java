package dev.weir.search.document;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what takes documents through ingest pipelines. A pipeline may wait for a model, so each run
 * has a thread of its own that costs little while it waits, and none of those that search. What is
 * admitted is bounded, in number and in bytes; documents that are trees at the same time are
 * bounded too, and runs wait for each other there. Safe for use by any thread.
 */
public final class IngestRuns implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IngestRuns.class);

  /** Trees are counted in pieces of this size, which fit the numbers of a semaphore. */
  private static final int PIECE_BYTES = 1024;

  /**
   * How much there may be at a time. One run alone is admitted whatever its size, since the largest
   * body of a request is bounded elsewhere.
   *
   * @param runsMax runs, those that wait among them; more are refused with 429
   * @param bytesMax bytes of the requests of all runs; more are refused with 429
   * @param treeBytesMax bytes of documents that are trees; runs wait for that
   */
  public record Bounds(int runsMax, long bytesMax, long treeBytesMax) {

    /** As many as requests that wait for a thread elsewhere: more wait than can be served soon. */
    private static final int RUNS_MAX = 1000;

    /** Requests may take this part of the heap: they stand beside all else that it is for. */
    private static final int HEAP_PART = 8;

    /** A tree takes some ten times the bytes of its document, so trees get a smaller part. */
    private static final int TREE_HEAP_PART = 64;

    /** The bounds of a node with so much heap. */
    public static Bounds ofHeap(long heapBytes) {
      return new Bounds(RUNS_MAX, heapBytes / HEAP_PART, heapBytes / TREE_HEAP_PART);
    }
  }

  private final Executor threads;
  private final Bounds bounds;
  private final Duration closeMax;
  private final Semaphore treePieces;
  private final int treePiecesMax;
  private final Object lock = new Object();
  private int runs; // guarded by lock, as what follows
  private long bytes;
  private boolean isClosed;
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  /**
   * Runs on these threads.
   *
   * @param threads gives each run a thread, and refuses none
   * @param closeMax time that runs get at the end
   */
  public IngestRuns(Executor threads, Bounds bounds, Duration closeMax) {
    this.threads = threads;
    this.bounds = bounds;
    this.closeMax = closeMax;
    this.treePiecesMax = pieces(bounds.treeBytesMax(), Integer.MAX_VALUE);
    // Fair, since a large window would wait for ever behind small ones.
    this.treePieces = new Semaphore(treePiecesMax, /* fair= */ true);
  }

  /** Runs each on a virtual thread of its own. */
  public static IngestRuns onVirtualThreads(Bounds bounds, Duration closeMax) {
    var factory = Thread.ofVirtual().name("weir-ingest-", 0).factory();
    return new IngestRuns(task -> factory.newThread(task).start(), bounds, closeMax);
  }

  /**
   * Runs something, now or after others.
   *
   * @param requestBytes that are held until it is over
   * @return fails with a {@link SearchException} of status 429 where too much is under way, of 503
   *     at the end of the node
   */
  public <T> CompletableFuture<T> run(long requestBytes, Supplier<T> work) {
    synchronized (lock) {
      if (isClosed) {
        return CompletableFuture.failedFuture(
            new SearchException(ErrorType.UNAVAILABLE, "the node is stopping"));
      }
      if (runs >= bounds.runsMax() || (runs > 0 && bytes + requestBytes > bounds.bytesMax())) {
        return CompletableFuture.failedFuture(refusal());
      }
      runs++;
      bytes += requestBytes;
    }
    CompletableFuture<T> run;
    try {
      run = CompletableFuture.supplyAsync(work, threads);
    } catch (RuntimeException | Error notStarted) {
      ended(requestBytes); // it had no thread, so nobody else says so
      throw notStarted;
    }
    return run.whenComplete((_, _) -> ended(requestBytes));
  }

  /** Under the lock. */
  private SearchException refusal() {
    return new SearchException(
        ErrorType.REJECTED_EXECUTION,
        "too many requests go through ingest pipelines: "
            + runs
            + " of "
            + bounds.runsMax()
            + ", with "
            + bytes
            + " of "
            + bounds.bytesMax()
            + " bytes; send this one again later");
  }

  private void ended(long requestBytes) {
    synchronized (lock) {
      runs--;
      bytes -= requestBytes;
      if (isClosed && runs == 0) {
        over.complete(null);
      }
    }
  }

  /** Does something with documents that are trees meanwhile; waits while there are too many. */
  void withTrees(long documentBytes, Runnable work) {
    int needed = pieces(documentBytes, treePiecesMax);
    treePieces.acquireUninterruptibly(needed);
    try {
      work.run();
    } finally {
      treePieces.release(needed);
    }
  }

  private static int pieces(long sizeBytes, int most) {
    return Math.clamp(sizeBytes / PIECE_BYTES + 1, 1, most);
  }

  /** Refuses what comes from now on, and lets runs finish within a bound; none is interrupted. */
  @Override
  public void close() {
    synchronized (lock) {
      isClosed = true;
      if (runs == 0) {
        over.complete(null);
      }
    }
    try {
      over.get(closeMax.toMillis(), TimeUnit.MILLISECONDS);
      return;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException _) {
      // told below
    }
    int left;
    synchronized (lock) {
      left = runs;
    }
    LOG.warn(
        "requests still go through ingest pipelines at the end and are left to themselves"
            + " running={} waitedMs={}",
        left,
        closeMax.toMillis());
  }
}
