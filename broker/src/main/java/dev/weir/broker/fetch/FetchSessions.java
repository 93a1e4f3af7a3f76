package dev.weir.broker.fetch;

import dev.weir.broker.fetch.FetchSession.Owner;
import dev.weir.broker.network.Exchange;
import dev.weir.broker.timing.LoopTask;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the fetch sessions of a node have in common: their ids, the bound of their memory, and what
 * is counted of them. The sessions themselves belong to their connections. Thread-safe.
 */
public final class FetchSessions {
  /** Without a bound that is given, sessions may take one part in so many of the heap. */
  private static final int HEAP_PART = 16;

  private static final long COMPUTED = -1;

  /**
   * Other loops are asked to end idle sessions once in so long: they cannot have new ones sooner.
   */
  private static final long ASK_EVERY_NS = TimeUnit.SECONDS.toNanos(1);

  private final SessionMemory memory;
  private final AtomicInteger lastId = new AtomicInteger();
  private final Map<EventLoop, LoopSessions> sessionsByLoop = new ConcurrentHashMap<>();
  private final AtomicLong lastAskedNs = new AtomicLong(Long.MIN_VALUE);

  private final LongAdder sessions = new LongAdder();
  private final LongAdder partitions = new LongAdder();
  private final LongAdder begun = new LongAdder();
  private final LongAdder incremental = new LongAdder();
  private final LongAdder looks = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  private final LongAdder refused = new LongAdder();

  /**
   * @param bytesMax memory that sessions of consumers may take together; -1: a part of the heap
   */
  public FetchSessions(long bytesMax) {
    this.memory =
        new SessionMemory(
            bytesMax == COMPUTED ? Runtime.getRuntime().maxMemory() / HEAP_PART : bytesMax);
  }

  /** Sessions that are kept. */
  public long sessions() {
    return sessions.sum();
  }

  /** Partitions of all sessions. */
  public long partitions() {
    return partitions.sum();
  }

  /** What all sessions are held to cost. */
  public long bytes() {
    return memory.usedBytes();
  }

  /** What those of consumers may cost together. */
  public long bytesMax() {
    return memory.bytesMax();
  }

  /** Sessions that were begun. */
  public long begun() {
    return begun.sum();
  }

  /** Requests that went on with a session. */
  public long incremental() {
    return incremental.sum();
  }

  /** Looks at partitions, for sessions. */
  public long looks() {
    return looks.sum();
  }

  /** Sessions that were ended for the sake of others. */
  public long evicted() {
    return evicted.sum();
  }

  /** Requests that asked for a session, or for more of one, and found no memory. */
  public long refused() {
    return refused.sum();
  }

  /** The sessions of the connection that a request came by. */
  ConnectionSessions of(Exchange exchange) {
    EventLoop loop = exchange.loop();
    return exchange.connectionState(
        ConnectionSessions.class,
        () ->
            new ConnectionSessions(
                this,
                sessionsByLoop.computeIfAbsent(loop, _ -> new LoopSessions()),
                loop,
                loop.ticker()::nanoTime));
  }

  /** Unlike any other that is in use: a client that comes back must not meet another's session. */
  int nextId() {
    return lastId.updateAndGet(id -> id == Integer.MAX_VALUE ? 1 : id + 1);
  }

  /**
   * Takes memory for a session, ending idle ones where there is none. Those of other loops are
   * ended later, and whoever asks again finds what they had.
   */
  boolean takeMemory(long bytes, Owner owner, LoopSessions mine, long nowNs) {
    while (!memory.take(bytes, owner)) {
      if (!mine.endOneIdle(nowNs)) {
        refused.increment();
        askOthers(bytes, mine, nowNs);
        return false;
      }
    }
    return true;
  }

  void giveMemory(long bytes) {
    memory.give(bytes);
  }

  private void askOthers(long bytes, LoopSessions mine, long nowNs) {
    long asked = lastAskedNs.get();
    boolean isDue = asked == Long.MIN_VALUE || nowNs - asked >= ASK_EVERY_NS;
    if (!isDue || !lastAskedNs.compareAndSet(asked, nowNs)) {
      return;
    }
    sessionsByLoop.forEach(
        (loop, others) -> {
          if (others != mine && !loop.isShuttingDown()) {
            loop.execute(new LoopTask(() -> makeRoom(bytes, others, loop.ticker().nanoTime())));
          }
        });
  }

  private void makeRoom(long bytes, LoopSessions sessionsOfLoop, long nowNs) {
    while (memory.usedBytes() + bytes > memory.bytesMax()) {
      if (!sessionsOfLoop.endOneIdle(nowNs)) {
        return;
      }
    }
  }

  LongAdder countOfLooks() {
    return looks;
  }

  void hasBegun() {
    sessions.increment();
    begun.increment();
  }

  void hasEnded() {
    sessions.decrement();
  }

  void hasGoneOn() {
    incremental.increment();
  }

  void hasEvicted() {
    evicted.increment();
  }

  void countPartitions(int more) {
    partitions.add(more);
  }
}
