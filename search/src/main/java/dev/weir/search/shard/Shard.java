package dev.weir.search.shard;

import dev.weir.search.log.DocumentLog;
import dev.weir.search.log.DocumentLogException;
import dev.weir.search.log.Subscription;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One shard: its log, the tail that is not applied yet, and its index. Follows the log on a pool
 * thread when the log has advanced, one turn at a time; costs nothing while the log rests.
 *
 * <p>A log that cannot be read, as where the process has no descriptor left, is read again after a
 * while; until then the shard is not available, and whoever waits for it waits on. Any other
 * failure is final: what of a turn is in the index then nobody knows.
 *
 * <p>{@code appliedOffset <= log.endOffset()}; everything below it is in the index.
 */
final class Shard implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Shard.class);

  /** Pauses before a log that could not be read is read again; each is twice the one before. */
  private static final long RETRY_MIN_MS = 100;

  private static final long RETRY_MAX_MS = 10_000;

  /** What the owner does with an entry, before the shard moves on. */
  interface Applier {
    /** Entries applied before the pool thread looks at other shards. */
    int turnEntries();

    /**
     * What has to be done for entries before they can be applied, and may take long: the shard
     * leaves its thread meanwhile. Nobody else applies entries of the shard until then. Given up
     * when the shard stops.
     */
    CompletableFuture<List<TailEntry>> prepared(Shard shard, List<TailEntry> entries);

    void apply(Shard shard, TailEntry entry);

    /**
     * A step is over; the place for commits, which must not run beside {@code apply}, and for what
     * others have left to be done in a turn of this shard.
     */
    void turned(Shard shard);

    /** Wakes the shard after a delay. */
    void wakeLater(Shard shard, long delayMs);
  }

  private final String name;
  private final DocumentLog log;
  private final ShardIndex index;
  private final Tail tail;
  private final Executor pool;
  private final Applier applier;
  private final Waiters waiters;
  private final AtomicInteger wakeUps = new AtomicInteger(); // above 0: a turn is due or running
  private volatile Subscription subscription = () -> {}; // until it follows
  private final CompletableFuture<Void> stopping = new CompletableFuture<>();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private @Nullable Prepared prepared; // taken from the tail, not applied; touched by turns only
  private int appliedOfPrepared; // how many of them are in the index; touched by turns only
  private int failedReads; // in a row; touched by turns only
  private volatile boolean isInterrupted; // the last read of the log has failed
  private volatile long appliedOffset;
  private volatile boolean isClosed;
  private volatile @Nullable RuntimeException failure;

  Shard(
      String name,
      DocumentLog log,
      ShardIndex index,
      Tail tail,
      long appliedOffset,
      Executor pool,
      Applier applier) {
    this.name = name;
    this.log = log;
    this.index = index;
    this.tail = tail;
    this.appliedOffset = appliedOffset;
    this.pool = pool;
    this.applier = applier;
    this.waiters = new Waiters(appliedOffset);
  }

  /**
   * Begins to follow the log. Not before all shards of the index are there: what a record does
   * depends on what the others hold.
   */
  void follow() {
    subscription = log.onAdvance(this::wake);
    wake();
  }

  int number() {
    return log.partition();
  }

  DocumentLog log() {
    return log;
  }

  ShardIndex index() {
    return index;
  }

  Tail tail() {
    return tail;
  }

  /** Exclusive end of what is in the index. */
  long appliedOffset() {
    return appliedOffset;
  }

  /** Whether nothing is applied any more: it was stopped, or has stopped by itself. */
  boolean isOver() {
    return isClosed || failure != null;
  }

  /** Whether it has stopped by itself, since a record could not be applied. */
  boolean hasFailed() {
    return failure != null;
  }

  /** Whether it follows its log: it has not failed, and the log could be read when it last was. */
  boolean isFollowing() {
    return failure == null && !isInterrupted;
  }

  /** Completes when everything below the offset is in the index. */
  CompletableFuture<Void> whenApplied(long endOffset) {
    RuntimeException broken = failure;
    return broken == null ? waiters.await(endOffset) : CompletableFuture.failedFuture(broken);
  }

  /** Appends writes, see {@link Tail#write}. */
  WriteBatch write(List<Write> writes, Tail.RecordTime recordTimeMin) {
    return rewindIfLost(tail.write(writes, recordTimeMin));
  }

  /** Buries a hidden document, see {@link Tail#bury}; false if it has to be tried again. */
  boolean bury(String id, DocumentState hidden) {
    return switch (tail.bury(id, hidden)) {
      case Tail.Burial.Appended(WriteBatch batch) -> {
        var _ = rewindIfLost(batch);
        yield true;
      }
      case Tail.Burial.NotNeeded() -> true;
      case Tail.Burial.NotNow() -> false;
    };
  }

  private WriteBatch rewindIfLost(WriteBatch batch) {
    CompletableFuture<Void> committed =
        batch
            .committed()
            .whenComplete(
                (_, lost) -> {
                  if (lost != null) {
                    tail.rewindTo(log.endOffset());
                  }
                });
    return new WriteBatch(batch.shard(), batch.outcomes(), committed, batch.endOffset());
  }

  /** Looks at the log as soon as a thread of the pool is free. */
  void wake() {
    if (!isClosed && wakeUps.getAndIncrement() == 0) {
      submit();
    }
  }

  private void submit() {
    try {
      pool.execute(this::turn);
    } catch (RejectedExecutionException e) {
      // The pool is going down with the node; the log is read from the last commit at the next
      // start.
      LOG.debug("shard rests, pool is closed shard={} reason={}", name, e.getMessage());
      stopped.complete(null);
    }
  }

  /** Entries on their way into the index. */
  private record Prepared(CompletableFuture<List<TailEntry>> entries, long nextOffset) {}

  /** What is to be done after a step. */
  private enum Next {
    /** Another step. */
    MORE,
    /** Nothing, until the log advances. */
    REST,
    /** Another step, when entries are prepared. */
    WAIT
  }

  private void turn() {
    int seen = wakeUps.get();
    Next next = Next.REST;
    try {
      next = isOver() ? Next.REST : step();
      goOn();
    } catch (DocumentLogException e) {
      interrupt(e);
    } catch (RuntimeException e) {
      fail(e);
    }
    Prepared waiting = prepared;
    if (isClosed) {
      stopped.complete(null);
    } else if (next == Next.WAIT && waiting != null) {
      // The turn goes on later, on another thread: wakeUps stays above 0, so nobody begins one.
      var _ = CompletableFuture.anyOf(waiting.entries, stopping).whenComplete((_, _) -> resume());
    } else if (next == Next.MORE || wakeUps.addAndGet(-seen) != 0) {
      submit();
    }
  }

  /** Goes on after a wait; nobody touches the index while one lasts, so a stop may end with it. */
  private void resume() {
    if (isClosed) {
      stopped.complete(null);
    } else {
      submit();
    }
  }

  private Next step() {
    long end = log.endOffset();
    Prepared ready = prepared;
    if (ready == null && appliedOffset < end) {
      Tail.Taken taken = tail.take(end, applier.turnEntries());
      ready = new Prepared(applier.prepared(this, taken.entries()), taken.nextOffset());
      prepared = ready;
    }
    if (ready != null) {
      if (!ready.entries.isDone()) {
        applier.turned(this); // what was applied before may be due to be committed
        return Next.WAIT;
      }
      List<TailEntry> entries = ready.entries.join();
      // One that meets a log that cannot be read is applied once more, which changes nothing.
      for (; appliedOfPrepared < entries.size(); appliedOfPrepared++) {
        applier.apply(this, entries.get(appliedOfPrepared));
      }
      prepared = null;
      appliedOfPrepared = 0;
      tail.applied(ready.nextOffset);
      assert ready.nextOffset >= appliedOffset
          : "nextOffset=" + ready.nextOffset + " below appliedOffset=" + appliedOffset;
      appliedOffset = ready.nextOffset;
    }
    applier.turned(this);
    waiters.reached(appliedOffset);
    return appliedOffset < log.endOffset() ? Next.MORE : Next.REST;
  }

  /** The log could not be read: nothing is lost by that, and it may be readable soon. */
  private void interrupt(DocumentLogException reason) {
    if (isClosed) {
      return; // the log was closed under the last turn
    }
    long delayMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS << Math.min(failedReads, 10));
    if (failedReads == 0) {
      LOG.error(
          "log of a shard cannot be read, the shard is not available until it can: shard={}"
              + " appliedOffset={}",
          name,
          appliedOffset,
          reason);
    } else {
      LOG.debug("log of a shard cannot be read still: shard={}", name, reason);
    }
    failedReads++;
    isInterrupted = true;
    tail.waitForNobody();
    applier.wakeLater(this, delayMs);
  }

  private void goOn() {
    if (failedReads > 0) {
      LOG.info("shard goes on, its log can be read again: shard={}", name);
      failedReads = 0;
      isInterrupted = false;
      tail.waitForRoom();
    }
  }

  private void fail(RuntimeException reason) {
    if (isClosed) {
      return; // the log or the index was closed under the last turn
    }
    failure = reason;
    LOG.error("shard stopped shard={} appliedOffset={}", name, appliedOffset, reason);
    tail.close();
    waiters.fail(reason);
  }

  /** Stops following; completes when the last turn is over and nothing touches the index. */
  CompletableFuture<Void> stop() {
    subscription.close();
    isClosed = true;
    stopping.complete(null);
    tail.close();
    if (wakeUps.getAndIncrement() == 0) {
      stopped.complete(null);
    }
    waiters.fail(new DocumentLogException("shard=" + name + " is closed"));
    return stopped;
  }

  @Override
  public void close() {
    index.close();
    log.close();
  }

  @Override
  public String toString() {
    return "Shard(" + name + ", appliedOffset=" + appliedOffset + ")";
  }
}
