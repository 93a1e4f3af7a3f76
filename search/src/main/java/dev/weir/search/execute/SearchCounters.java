package dev.weir.search.execute;

import dev.weir.search.time.MonotonicClock;
import dev.weir.search.vector.SegmentReport;
import dev.weir.search.vector.SegmentReport.Strategy;
import dev.weir.search.vector.VectorListener;
import dev.weir.search.vector.VectorReport;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** What the searches of a node have done since it was started. Safe for use by any thread. */
public final class SearchCounters implements VectorListener {
  private final LongAdder searches = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder abandoned = new LongAdder();
  private final LongAdder hybrid = new LongAdder();
  private final LongAdder filteredHybrid = new LongAdder();
  private final LongAdder profiled = new LongAdder();
  private final LongAdder running = new LongAdder();
  private final Phase query = new Phase(new LongAdder(), new LongAdder());
  private final Phase fetch = new Phase(new LongAdder(), new LongAdder());
  private final LongAdder vectorSearches = new LongAdder();
  private final LongAdder filteredVectorSearches = new LongAdder();
  private final LongAdder distances = new LongAdder();
  private final Map<Strategy, LongAdder> segmentsByStrategy = new EnumMap<>(Strategy.class);

  private record Phase(LongAdder count, LongAdder elapsedNs) {
    void add(long startNs) {
      count.increment();
      elapsedNs.add(MonotonicClock.nowNs() - startNs);
    }

    Work work() {
      return new Work(count.sum(), elapsedNs.sum());
    }
  }

  /** All at zero. */
  public SearchCounters() {
    for (Strategy strategy : Strategy.values()) {
      segmentsByStrategy.put(strategy, new LongAdder());
    }
  }

  /**
   * How often something was done, and how long that took.
   *
   * @param elapsedNs the sum over all threads
   */
  public record Work(long count, long elapsedNs) {}

  /**
   * Requests.
   *
   * @param searches those for hits, those of a multi-search one by one
   * @param failed those of them that were refused or failed
   * @param abandoned those that ended since their clients had hung up, which are no failures
   * @param hybrid those of them whose query is a {@code hybrid}
   * @param filteredHybrid those of them that have a common filter
   * @param profiled those that asked for a profile
   * @param running those that are not answered yet
   */
  public record Requests(
      long searches,
      long failed,
      long abandoned,
      long hybrid,
      long filteredHybrid,
      long profiled,
      long running) {}

  /**
   * Vector searches, each on one shard.
   *
   * @param filtered those of them that chose among the documents of a filter
   * @param distances vectors that were compared with a target
   * @param segmentsByStrategy segments that they searched, by the way in which it was done
   */
  public record Vectors(
      long searches, long filtered, long distances, Map<Strategy, Long> segmentsByStrategy) {
    /** Copies the map. */
    public Vectors {
      segmentsByStrategy = Map.copyOf(segmentsByStrategy);
    }

    /** Segments that were searched in this way. */
    public long segments(Strategy strategy) {
      return segmentsByStrategy.getOrDefault(strategy, 0L);
    }
  }

  /**
   * All counts.
   *
   * @param query looking for hits, once on each shard of a request
   * @param fetch reading the documents of a page, once for each request
   */
  public record Counts(Requests requests, Work query, Work fetch, Vectors vectors) {}

  /** The counts by now. Each is exact; while searches run they are not of one moment. */
  public Counts counts() {
    Map<Strategy, Long> segments = new EnumMap<>(Strategy.class);
    segmentsByStrategy.forEach((strategy, count) -> segments.put(strategy, count.sum()));
    return new Counts(
        new Requests(
            searches.sum(),
            failed.sum(),
            abandoned.sum(),
            hybrid.sum(),
            filteredHybrid.sum(),
            profiled.sum(),
            running.sum()),
        query.work(),
        fetch.work(),
        new Vectors(vectorSearches.sum(), filteredVectorSearches.sum(), distances.sum(), segments));
  }

  /** A kind of request. */
  enum Trait {
    HYBRID,
    FILTERED_HYBRID,
    PROFILED
  }

  void began() {
    searches.increment();
    running.increment();
  }

  void is(Trait trait) {
    switch (trait) {
      case HYBRID -> hybrid.increment();
      case FILTERED_HYBRID -> filteredHybrid.increment();
      case PROFILED -> profiled.increment();
    }
  }

  void ended() {
    running.decrement();
  }

  void failed() {
    failed.increment();
  }

  void abandoned() {
    abandoned.increment();
  }

  /** A shard was searched since then. */
  void queried(long startNs) {
    query.add(startNs);
  }

  /** A page was fetched since then. */
  void fetched(long startNs) {
    fetch.add(startNs);
  }

  @Override
  public void searched(VectorReport report) {
    vectorSearches.increment();
    boolean isFiltered = false;
    for (SegmentReport segment : report.segments()) {
      isFiltered |= segment.filter() != null;
      Objects.requireNonNull(segmentsByStrategy.get(segment.strategy())).increment();
    }
    if (isFiltered) {
      filteredVectorSearches.increment();
    }
    distances.add(report.distances());
  }

  @Override
  public String toString() {
    return "SearchCounters(" + counts() + ")";
  }
}
