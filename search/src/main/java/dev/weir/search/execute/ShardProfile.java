package dev.weir.search.execute;

import dev.weir.search.profile.QueryTimes;
import dev.weir.search.profile.TimedCollectors;
import dev.weir.search.profile.TimedSearcher;
import dev.weir.search.query.FilterOrigin;
import dev.weir.search.query.FilterOrigins;
import dev.weir.search.query.Query;
import dev.weir.search.query.VectorLeg;
import dev.weir.search.query.VectorLeg.Restriction;
import dev.weir.search.query.VectorSearch.Knn;
import dev.weir.search.time.MonotonicClock;
import dev.weir.search.vector.VectorListener;
import dev.weir.search.vector.VectorReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.TopDocs;
import org.jspecify.annotations.Nullable;

/**
 * Notes what a request does on one shard while it is done. Used by one thread at a time; what it
 * has noted by then is taken out as a value.
 */
final class ShardProfile {
  /** Beside the queries of the request: rescoring, aggregations, and whatever else searches. */
  private static final int NO_PART = -1;

  private final String id;
  private final TimedSearcher searcher;
  private final VectorListener counters;
  private final FilterOrigins origins;
  private final @Nullable Query postFilter;
  private final IdentityHashMap<Query, VectorLeg> legBySearch = new IdentityHashMap<>();
  private final List<Part> parts = new ArrayList<>();
  private final List<ShardReport.Leg> legs = new ArrayList<>();
  private int current = NO_PART; // the part that is being translated
  private long aggregationsNs;

  /** What was measured of one query. */
  private static final class Part {
    private final List<QueryTimes> times = new ArrayList<>();
    private long rewriteNs;
    private String collector = "";
    private String reason = "search_top_hits";
    private long collectNs;
    private long elapsedNs;
    private TotalHits total = TotalHits.NONE;
    private int kept;
  }

  private ShardProfile(
      String id,
      TimedSearcher searcher,
      VectorListener counters,
      FilterOrigins origins,
      Query tree,
      @Nullable Query postFilter) {
    this.id = id;
    this.searcher = searcher;
    this.counters = counters;
    this.origins = origins;
    this.postFilter = postFilter;
    for (VectorLeg leg : origins.legs(tree)) {
      legBySearch.putIfAbsent(leg.search(), leg);
    }
  }

  /**
   * A profile of a request on a shard, with nothing in it; null where none is asked for.
   *
   * @param tree the query as the shard carries it out
   */
  static @Nullable ShardProfile of(ShardRef ref, SearchPlan plan, Query tree) {
    FilterOrigins origins = plan.tracing().origins();
    if (origins == null) {
      return null;
    }
    TimedSearcher timed = new TimedSearcher(ref.shard().searcher(), plan.deadline());
    Query alias = ref.index().filter();
    return new ShardProfile(
        "["
            + plan.tracing().nodeId()
            + "]["
            + ref.index().view().index()
            + "]["
            + ref.shard().shard()
            + "]",
        timed,
        plan.tracing().counters(),
        origins.and(FilterOrigin.ALIAS, alias == null ? List.of() : List.of(alias)),
        tree,
        plan.request().postFilter());
  }

  /** Something that is timed. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  /** Translates the next query of the request, or rewrites it once more. */
  <T> T preparing(int part, Work<T> work) throws IOException {
    while (parts.size() <= part) {
      parts.add(new Part());
    }
    int outer = current;
    current = part;
    long startNs = MonotonicClock.nowNs();
    try {
      return work.run();
    } finally {
      parts.get(part).rewriteNs += MonotonicClock.nowNs() - startNs;
      current = outer;
    }
  }

  /** Searches by a query of the request. */
  <C extends Collector, T extends TopDocs> T searching(
      int part, CollectorManager<C, T> manager, Search<C, T> search) throws IOException {
    Part measured = parts.get(part);
    String name = manager.getClass().getSimpleName().replace("Manager", "");
    TimedCollectors<C, T> timed =
        new TimedCollectors<>(manager, name.isEmpty() ? "Collector" : name);
    long startNs = MonotonicClock.nowNs();
    T found = searcher.measured(measured.times, () -> search.with(timed));
    measured.elapsedNs += MonotonicClock.nowNs() - startNs;
    measured.collector = timed.name();
    measured.collectNs += timed.elapsedNs();
    measured.total = TotalHits.of(found.totalHits);
    measured.kept = found.scoreDocs.length;
    return found;
  }

  /** Counts what the one query of the request matches. */
  TotalHits counting(Work<TotalHits> work) throws IOException {
    Part measured = parts.getFirst();
    long startNs = MonotonicClock.nowNs();
    measured.total = searcher.measured(measured.times, work::run);
    measured.elapsedNs += MonotonicClock.nowNs() - startNs;
    measured.collector = "TotalHitCountCollector";
    measured.reason = "search_count";
    measured.collectNs += measured.elapsedNs; // it is all that was done
    return measured.total;
  }

  /** A search by collectors that are timed. */
  @FunctionalInterface
  interface Search<C extends Collector, T> {
    T with(TimedCollectors<C, T> collectors) throws IOException;
  }

  /** Aggregates. */
  <T> T aggregating(Work<T> work) throws IOException {
    long startNs = MonotonicClock.nowNs();
    try {
      return work.run();
    } finally {
      aggregationsNs += MonotonicClock.nowNs() - startNs;
    }
  }

  /** Who is told of a vector search of the part that is being translated. */
  VectorListener listener(Knn knn) {
    int part = current;
    return report -> {
      counters.searched(report);
      note(part, knn, report);
    };
  }

  private void note(int part, Knn knn, VectorReport report) {
    VectorLeg known = legBySearch.get(knn);
    VectorLeg leg = known == null ? origins.alone(knn) : known;
    Query filter = postFilter;
    if (part != NO_PART && filter != null) {
      List<Restriction> after = new ArrayList<>(leg.after());
      after.add(Restriction.of(FilterOrigin.POST_FILTER, filter));
      leg = new VectorLeg(leg.search(), leg.path(), leg.inside(), after);
    }
    legs.add(new ShardReport.Leg(part == NO_PART ? null : part, leg, knn.extent(), report));
  }

  TimedSearcher searcher() {
    return searcher;
  }

  /** All that was noted so far. */
  ShardReport report() {
    List<ShardReport.Part> searched = new ArrayList<>();
    for (Part part : parts) {
      searched.add(
          new ShardReport.Part(
              part.times,
              part.rewriteNs,
              new ShardReport.Collecting(part.collector, part.reason, part.collectNs),
              part.elapsedNs,
              part.total,
              part.kept));
    }
    return new ShardReport(id, searched, legs, aggregationsNs);
  }
}
