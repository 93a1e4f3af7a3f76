package dev.weir.rest;

import dev.weir.search.execute.SearchCounters;
import dev.weir.search.memory.AnswerMemory;
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
    text.shards(figures.searches());
    text.counted(figures);
    text.answers(figures.answers());
    text.compaction(figures.compaction());
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
  }

  private void shards(SearchCounters.Counts searches) {
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

  private void counted(NodeFigures figures) {
    String before = "";
    for (CountedFigures.Counted counted : CountedFigures.ALL) {
      CountedFigures.Metric metric = counted.metric();
      if (!metric.name().equals(before)) {
        head(metric.name(), metric.help(), metric.kind().name().toLowerCase(Locale.ROOT));
        before = metric.name();
      }
      out.append(metric.name()).append(metric.label()).append(' ');
      out.append(counted.value().applyAsLong(figures)).append('\n');
    }
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

  private void compaction(CompactionFigures compaction) {
    seconds(
        "weir_compaction_seconds_total",
        "Time of compacting logs.",
        "counter",
        compaction.totals().elapsedMs() / MS_IN_S);
    seconds(
        "weir_compaction_max_dirty_ratio",
        "Largest dirty part of what may be compacted, of all partitions.",
        "gauge",
        compaction.maxDirtyRatio());
    compaction
        .sinceRoundMs()
        .ifPresent(
            sinceMs ->
                seconds(
                    "weir_compaction_seconds_since_last_round",
                    "Time since all partitions had last had their turn.",
                    "gauge",
                    sinceMs / MS_IN_S));
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

  /** Seconds, or another number with a point. */
  private void seconds(String name, String help, String type, double value) {
    head(name, help, type);
    out.append(name).append(' ').append(value).append('\n');
  }

  private void head(String name, String help, String type) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }
}
