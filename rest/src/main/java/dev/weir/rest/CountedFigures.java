package dev.weir.rest;

import dev.weir.rest.CompactionView.State;
import dev.weir.search.vector.SegmentReport.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;

/**
 * What is counted of searches, caches and requests, in the one list that both the statistics in
 * JSON and the metrics are written from.
 */
final class CountedFigures {
  private static final String SEARCHES = "weir/searches/";
  private static final String VECTORS = "weir/vector_searches/";
  private static final String FILTER_CACHE = "weir/filter_cache/";
  private static final String REQUEST_CACHE = "request_cache/";
  private static final String COMPACTION = "weir/compaction/";
  private static final String FETCH_SESSIONS = "weir/fetch_sessions/";
  private static final String HTTP_REQUESTS = "weir/http_requests/";

  /** The place of what the statistics do not show. */
  private static final String NOWHERE = "";

  /** In the order in which they are written; what has a parent in common is not apart. */
  static final List<Counted> ALL = all();

  private CountedFigures() {}

  /** Whether a number only grows. */
  enum Kind {
    COUNTER,
    GAUGE
  }

  /**
   * What scrapers know a number by.
   *
   * @param label what tells numbers of one name apart, with its value; empty where there is one
   */
  record Metric(String name, String label, Kind kind, String help) {}

  /**
   * One number.
   *
   * @param place keys of the statistics that lead to it, with slashes between them; empty for none
   */
  record Counted(String place, Metric metric, ToLongFunction<NodeFigures> value) {}

  private static List<Counted> all() {
    List<Counted> all = new ArrayList<>();
    all.addAll(searches());
    all.addAll(vectors());
    all.addAll(filterCache());
    all.addAll(requestCache());
    all.addAll(compaction());
    all.addAll(compactedPartitions());
    all.addAll(fetchSessions());
    all.addAll(httpRequests());
    return List.copyOf(all);
  }

  private static List<Counted> searches() {
    return List.of(
        counter(
            SEARCHES + "total",
            "weir_searches_total",
            "Searches for hits.",
            figures -> figures.searches().requests().searches()),
        counter(
            SEARCHES + "failed",
            "weir_searches_failed_total",
            "Searches that were refused or failed.",
            figures -> figures.searches().requests().failed()),
        counter(
            SEARCHES + "abandoned",
            "weir_searches_abandoned_total",
            "Searches that ended since their clients had hung up.",
            figures -> figures.searches().requests().abandoned()),
        gauge(
            SEARCHES + "running",
            "weir_searches_running",
            "Searches that are not answered yet.",
            figures -> figures.searches().requests().running()),
        counter(
            SEARCHES + "hybrid",
            "weir_hybrid_searches_total",
            "Searches by a hybrid query.",
            figures -> figures.searches().requests().hybrid()),
        counter(
            SEARCHES + "filtered_hybrid",
            "weir_filtered_hybrid_searches_total",
            "Searches by a hybrid query with a common filter.",
            figures -> figures.searches().requests().filteredHybrid()),
        counter(
            SEARCHES + "profiled",
            "weir_profiled_searches_total",
            "Searches that asked for a profile.",
            figures -> figures.searches().requests().profiled()));
  }

  private static List<Counted> vectors() {
    List<Counted> vectors = new ArrayList<>();
    vectors.add(
        counter(
            VECTORS + "total",
            "weir_vector_searches_total",
            "Vector searches, each on one shard.",
            figures -> figures.searches().vectors().searches()));
    vectors.add(
        counter(
            VECTORS + "filtered",
            "weir_filtered_vector_searches_total",
            "Vector searches among the documents of a filter.",
            figures -> figures.searches().vectors().filtered()));
    vectors.add(
        counter(
            VECTORS + "distances",
            "weir_vector_distances_total",
            "Vectors compared with the target of a search.",
            figures -> figures.searches().vectors().distances()));
    for (Strategy strategy : Strategy.values()) {
      String name = strategy.name().toLowerCase(Locale.ROOT);
      vectors.add(
          new Counted(
              VECTORS + "segments/" + name,
              new Metric(
                  "weir_vector_segments_total",
                  label("strategy", name),
                  Kind.COUNTER,
                  "Segments searched for vectors, by the way in which that was done."),
              figures -> figures.searches().vectors().segments(strategy)));
    }
    return vectors;
  }

  private static List<Counted> filterCache() {
    return List.of(
        counter(
            FILTER_CACHE + "hits",
            "weir_filter_cache_hits_total",
            "Filters that need not be evaluated.",
            figures -> figures.filterCache().hits()),
        counter(
            FILTER_CACHE + "misses",
            "weir_filter_cache_misses_total",
            "Filters that had to be.",
            figures -> figures.filterCache().misses()),
        counter(
            FILTER_CACHE + "evictions",
            "weir_filter_cache_evictions_total",
            "Bit sets of filters that made room for others.",
            figures -> figures.filterCache().evictions()),
        gauge(
            FILTER_CACHE + "entries",
            "weir_filter_cache_entries",
            "Bit sets of filters that are held.",
            figures -> figures.filterCache().entries()),
        gauge(
            FILTER_CACHE + "size_in_bytes",
            "weir_filter_cache_bytes",
            "Heap that these take.",
            figures -> figures.filterCache().bytes()));
  }

  /** Under the names that other servers have for them. */
  private static List<Counted> requestCache() {
    return List.of(
        gauge(
            REQUEST_CACHE + "memory_size_in_bytes",
            "weir_request_cache_bytes",
            "Heap that kept answers take.",
            figures -> figures.requestCache().bytes()),
        counter(
            REQUEST_CACHE + "evictions",
            "weir_request_cache_evictions_total",
            "Kept answers that made room for others.",
            figures -> figures.requestCache().evictions()),
        counter(
            REQUEST_CACHE + "hit_count",
            "weir_request_cache_hits_total",
            "Searches answered by a kept answer.",
            figures -> figures.requestCache().hits()),
        counter(
            REQUEST_CACHE + "miss_count",
            "weir_request_cache_misses_total",
            "Searches that might have been, and had to be carried out.",
            figures -> figures.requestCache().misses()),
        gauge(
            NOWHERE,
            "weir_request_cache_entries",
            "Answers that are kept.",
            figures -> figures.requestCache().entries()));
  }

  private static List<Counted> compaction() {
    List<Counted> compaction = new ArrayList<>();
    compaction.add(
        counter(
            COMPACTION + "runs",
            "weir_compaction_runs_total",
            "Runs of compaction that came to their end, each over one partition.",
            figures -> figures.compaction().totals().runs()));
    compaction.add(
        counter(
            COMPACTION + "failures",
            "weir_compaction_failures_total",
            "Runs of compaction that failed.",
            figures -> figures.compaction().totals().failures()));
    compaction.add(
        counter(
            COMPACTION + "read_in_bytes",
            "weir_compaction_read_bytes_total",
            "Bytes of segments that compaction read, some of them twice.",
            figures -> figures.compaction().totals().bytesRead()));
    compaction.add(
        counter(
            COMPACTION + "before_in_bytes",
            "weir_compaction_before_bytes_total",
            "Bytes of the segments that compaction wrote anew.",
            figures -> figures.compaction().totals().bytesBefore()));
    compaction.add(
        counter(
            COMPACTION + "after_in_bytes",
            "weir_compaction_written_bytes_total",
            "Bytes that compaction wrote.",
            figures -> figures.compaction().totals().bytesAfter()));
    compaction.add(
        counter(
            COMPACTION + "records_before",
            "weir_compaction_records_read_total",
            "Records in the segments that compaction wrote anew.",
            figures -> figures.compaction().totals().recordsBefore()));
    compaction.add(
        counter(
            COMPACTION + "records_removed",
            "weir_compaction_records_removed_total",
            "Records that compaction left out.",
            figures ->
                figures.compaction().totals().recordsBefore()
                    - figures.compaction().totals().recordsAfter()));
    compaction.add(
        counter(
            COMPACTION + "tombstones_expired",
            "weir_compaction_tombstones_expired_total",
            "Tombstones that went, as older than delete.retention.ms.",
            figures -> figures.compaction().totals().tombstonesExpired()));
    return compaction;
  }

  private static List<Counted> compactedPartitions() {
    List<Counted> compaction = new ArrayList<>();
    compaction.add(
        gauge(
            COMPACTION + "uncleanable_partitions",
            "weir_compaction_uncleanable_partitions",
            "Compacted partitions that are offline, or whose last run failed; until one succeeds.",
            figures -> figures.compaction().troubled()));
    compaction.add(
        gauge(
            COMPACTION + "uncleanable_in_bytes",
            "weir_compaction_uncleanable_bytes",
            "What is dirty in those.",
            figures -> figures.compaction().troubledBytes()));
    for (State state : State.values()) {
      String name = CompactionRoutes.name(state);
      compaction.add(
          new Counted(
              COMPACTION + "partitions/" + name,
              new Metric(
                  "weir_compaction_partitions",
                  label("state", name),
                  Kind.GAUGE,
                  "Partitions by what compaction does with them, or why it does nothing."),
              figures -> figures.compaction().partitions(state)));
    }
    return compaction;
  }

  private static List<Counted> fetchSessions() {
    return List.of(
        gauge(
            FETCH_SESSIONS + "current",
            "weir_fetch_sessions",
            "Fetch sessions that are kept for consumers.",
            figures -> figures.fetchSessions().sessions()),
        gauge(
            FETCH_SESSIONS + "partitions",
            "weir_fetch_session_partitions",
            "Partitions of all fetch sessions.",
            figures -> figures.fetchSessions().partitions()),
        gauge(
            FETCH_SESSIONS + "size_in_bytes",
            "weir_fetch_session_bytes",
            "Memory that fetch sessions are held to cost.",
            figures -> figures.fetchSessions().bytes()),
        gauge(
            FETCH_SESSIONS + "limit_size_in_bytes",
            "weir_fetch_session_max_bytes",
            "Most that those of consumers may cost together.",
            figures -> figures.fetchSessions().bytesMax()),
        counter(
            FETCH_SESSIONS + "begun",
            "weir_fetch_sessions_begun_total",
            "Fetch sessions that were begun.",
            figures -> figures.fetchSessions().begun()),
        counter(
            FETCH_SESSIONS + "incremental_fetches",
            "weir_fetch_session_incremental_fetches_total",
            "Fetches that went on with a session.",
            figures -> figures.fetchSessions().incremental()),
        counter(
            FETCH_SESSIONS + "looks",
            "weir_fetch_session_looks_total",
            "Looks at partitions for fetch sessions.",
            figures -> figures.fetchSessions().looks()),
        counter(
            FETCH_SESSIONS + "evicted",
            "weir_fetch_sessions_evicted_total",
            "Idle fetch sessions that were ended for others.",
            figures -> figures.fetchSessions().evicted()),
        counter(
            FETCH_SESSIONS + "refused",
            "weir_fetch_sessions_refused_total",
            "Fetches that found no memory for a session, or for more of one.",
            figures -> figures.fetchSessions().refused()));
  }

  private static List<Counted> httpRequests() {
    return List.of(
        httpRequests("ok", figures -> figures.http().fine()),
        httpRequests("refused", figures -> figures.http().refused()),
        httpRequests("failed", figures -> figures.http().failed()),
        httpRequests("abandoned", figures -> figures.http().abandoned()));
  }

  private static Counted httpRequests(String result, ToLongFunction<NodeFigures> value) {
    return new Counted(
        HTTP_REQUESTS + result,
        new Metric(
            "weir_http_requests_total",
            label("result", result),
            Kind.COUNTER,
            "HTTP requests by what became of them."),
        value);
  }

  private static Counted counter(
      String place, String name, String help, ToLongFunction<NodeFigures> value) {
    return new Counted(place, new Metric(name, "", Kind.COUNTER, help), value);
  }

  private static Counted gauge(
      String place, String name, String help, ToLongFunction<NodeFigures> value) {
    return new Counted(place, new Metric(name, "", Kind.GAUGE, help), value);
  }

  private static String label(String name, String value) {
    return "{" + name + "=\"" + value + "\"}";
  }

  /** Writes the properties of one object of the statistics, those in it too. */
  static void write(JsonGenerator json, String object, NodeFigures figures) {
    List<String> open = List.of(object);
    for (Counted counted : ALL) {
      List<String> keys = List.of(counted.place().split("/", -1));
      if (!keys.getFirst().equals(object)) {
        continue;
      }
      List<String> parents = keys.subList(0, keys.size() - 1);
      int shared = shared(open, parents);
      for (int i = shared; i < open.size(); i++) {
        json.writeEndObject();
      }
      for (String parent : parents.subList(shared, parents.size())) {
        json.writeName(parent);
        json.writeStartObject();
      }
      json.writeNumberProperty(keys.getLast(), counted.value().applyAsLong(figures));
      open = parents;
    }
    for (int i = 1; i < open.size(); i++) {
      json.writeEndObject();
    }
  }

  private static int shared(List<String> one, List<String> other) {
    int shared = 0;
    while (shared < Math.min(one.size(), other.size())
        && one.get(shared).equals(other.get(shared))) {
      shared++;
    }
    return shared;
  }
}
