package dev.weir.rest;

import dev.weir.search.execute.SearchCounters;
import dev.weir.search.memory.AnswerMemory;
import dev.weir.search.vector.SegmentReport.Strategy;
import java.util.Locale;

/**
 * Writes figures in the text format of Prometheus, version 0.0.4: for each metric a line of help, a
 * line of its type, and a line for each of its values.
 */
final class MetricsText {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final double NS_IN_S = 1e9;
  private static final double MS_IN_S = 1e3;

  private final StringBuilder out = new StringBuilder(4096);

  private MetricsText() {}

  static String of(NodeFigures figures) {
    MetricsText text = new MetricsText();
    text.jvm(figures.jvm());
    text.http(figures.http());
    text.searches(figures.searches());
    text.vectors(figures.searches().vectors());
    text.caches(figures);
    text.answers(figures.answers());
    text.indexes(figures);
    return text.out.toString();
  }

  private void jvm(NodeFigures.Jvm process) {
    seconds(
        "weir_uptime_seconds",
        "Time since the process was started.",
        "gauge",
        process.upMs() / MS_IN_S);
    gauge("weir_heap_used_bytes", "Heap in use, garbage included.", process.heapUsedBytes());
    gauge(
        "weir_heap_committed_bytes",
        "Heap that the process has of the system.",
        process.heapCommittedBytes());
    if (process.heapMaxBytes() >= 0) {
      gauge("weir_heap_max_bytes", "Most heap that it may have.", process.heapMaxBytes());
    }
    gauge("weir_threads", "Platform threads that live.", process.threads());
    counter("weir_gc_collections_total", "Collections of garbage.", process.collections());
    seconds(
        "weir_gc_seconds_total",
        "Time of collections of garbage.",
        "counter",
        process.collectingMs() / MS_IN_S);
  }

  private void http(HttpCounters.Counts http) {
    gauge("weir_http_connections", "HTTP connections that are open.", http.connectionsOpen());
    counter(
        "weir_http_connections_opened_total",
        "HTTP connections that were opened.",
        http.connectionsOpened());
    head("weir_http_requests_total", "HTTP requests that were answered.", "counter");
    value("weir_http_requests_total", "result", "ok", http.fine());
    value("weir_http_requests_total", "result", "refused", http.refused());
    value("weir_http_requests_total", "result", "failed", http.failed());
  }

  private void searches(SearchCounters.Counts searches) {
    SearchCounters.Requests requests = searches.requests();
    gauge("weir_searches_running", "Searches that are not answered yet.", requests.running());
    counter("weir_searches_total", "Searches for hits.", requests.searches());
    counter(
        "weir_searches_failed_total", "Searches that were refused or failed.", requests.failed());
    counter("weir_hybrid_searches_total", "Searches by a hybrid query.", requests.hybrid());
    counter(
        "weir_filtered_hybrid_searches_total",
        "Searches by a hybrid query with a common filter.",
        requests.filteredHybrid());
    counter(
        "weir_profiled_searches_total", "Searches that asked for a profile.", requests.profiled());
    counter("weir_shard_queries_total", "Shards searched.", searches.query().count());
    seconds(
        "weir_shard_query_seconds_total",
        "Time of searching shards, the sum over threads.",
        "counter",
        searches.query().elapsedNs() / NS_IN_S);
    counter("weir_fetches_total", "Pages of hits read.", searches.fetch().count());
    seconds(
        "weir_fetch_seconds_total",
        "Time of reading pages of hits.",
        "counter",
        searches.fetch().elapsedNs() / NS_IN_S);
  }

  private void vectors(SearchCounters.Vectors vectors) {
    counter(
        "weir_vector_searches_total", "Vector searches, each on one shard.", vectors.searches());
    counter(
        "weir_filtered_vector_searches_total",
        "Vector searches among the documents of a filter.",
        vectors.filtered());
    counter(
        "weir_vector_distances_total",
        "Vectors compared with the target of a search.",
        vectors.distances());
    head(
        "weir_vector_segments_total",
        "Segments searched for vectors, by the way in which that was done.",
        "counter");
    for (Strategy strategy : Strategy.values()) {
      value(
          "weir_vector_segments_total",
          "strategy",
          strategy.name().toLowerCase(Locale.ROOT),
          vectors.segments(strategy));
    }
  }

  private void caches(NodeFigures figures) {
    var cache = figures.filterCache();
    counter("weir_filter_cache_hits_total", "Filters that need not be evaluated.", cache.hits());
    counter("weir_filter_cache_misses_total", "Filters that had to be.", cache.misses());
    counter(
        "weir_filter_cache_evictions_total",
        "Bit sets of filters that made room for others.",
        cache.evictions());
    gauge("weir_filter_cache_entries", "Bit sets of filters that are held.", cache.entries());
    gauge("weir_filter_cache_bytes", "Heap that these take.", cache.bytes());
    var answers = figures.requestCache();
    counter("weir_request_cache_hits_total", "Searches answered by a kept answer.", answers.hits());
    counter(
        "weir_request_cache_misses_total",
        "Searches that might have been, and had to be carried out.",
        answers.misses());
    counter(
        "weir_request_cache_evictions_total",
        "Kept answers that made room for others.",
        answers.evictions());
    gauge("weir_request_cache_entries", "Answers that are kept.", answers.entries());
    gauge("weir_request_cache_bytes", "Heap that these take.", answers.bytes());
  }

  private void answers(AnswerMemory.Figures answers) {
    gauge(
        "weir_answer_memory_bytes",
        "Memory of answers that are being made or sent.",
        answers.heldBytes());
    gauge("weir_answer_memory_max_bytes", "Most that it may be.", answers.limitBytes());
    counter(
        "weir_answer_memory_refused_total",
        "Answers that were refused for want of it.",
        answers.tripped());
  }

  private void indexes(NodeFigures figures) {
    gauge("weir_documents", "Documents that can be searched.", figures.indexes().documents());
    gauge("weir_index_bytes", "Size of the indexes on disk.", figures.indexes().sizeBytes());
  }

  private void gauge(String name, String help, long value) {
    head(name, help, "gauge");
    out.append(name).append(' ').append(value).append('\n');
  }

  private void counter(String name, String help, long value) {
    head(name, help, "counter");
    out.append(name).append(' ').append(value).append('\n');
  }

  private void seconds(String name, String help, String type, double value) {
    head(name, help, type);
    out.append(name).append(' ').append(value).append('\n');
  }

  private void head(String name, String help, String type) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void value(String name, String label, String labelValue, long value) {
    out.append(name).append('{').append(label).append("=\"").append(labelValue).append("\"} ");
    out.append(value).append('\n');
  }
}
