package dev.weir.rest;

import dev.weir.search.SearchEngine;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.execute.SearchCounters;
import dev.weir.search.index.IndexPattern;
import dev.weir.search.index.IndexStats;
import dev.weir.search.index.Indices;
import dev.weir.search.memory.AnswerMemory;
import dev.weir.search.memory.CacheStats;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/**
 * What is counted and measured of a node, at one moment.
 *
 * @param indexes what is held of indexes that are open
 * @param searches what searches have done
 * @param filterCache what filters matched, kept from request to request
 * @param requestCache answers without hits, kept from request to request
 * @param answers the memory of answers
 * @param compaction what is told of the compaction of logs
 * @param fetchSessions what is told of the fetch sessions of consumers
 * @param http what the HTTP face has done
 * @param jvm the Java process
 */
record NodeFigures(
    IndexStats indexes,
    SearchCounters.Counts searches,
    CacheStats filterCache,
    CacheStats requestCache,
    AnswerMemory.Figures answers,
    CompactionFigures compaction,
    FetchSessionCounts fetchSessions,
    HttpCounters.Counts http,
    Jvm jvm) {

  /**
   * The Java process.
   *
   * @param upMs since it was started
   * @param heapMaxBytes -1 where there is no bound
   * @param collections of garbage, by all collectors
   * @param collectingMs time that these took
   */
  record Jvm(
      long upMs,
      long heapUsedBytes,
      long heapCommittedBytes,
      long heapMaxBytes,
      int threads,
      long collections,
      long collectingMs) {
    static Jvm now() {
      MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
      long collections = 0;
      long collectingMs = 0;
      for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
        collections += Math.max(0, each.getCollectionCount());
        collectingMs += Math.max(0, each.getCollectionTime());
      }
      return new Jvm(
          ManagementFactory.getRuntimeMXBean().getUptime(),
          heap.getUsed(),
          heap.getCommitted(),
          heap.getMax(),
          ManagementFactory.getThreadMXBean().getThreadCount(),
          collections,
          collectingMs);
    }
  }

  static NodeFigures of(RestServices services, HttpCounters http, CompactionFigures compaction) {
    SearchEngine engine = services.engine();
    return new NodeFigures(
        stats(engine.indices()),
        engine.searchCounters().counts(),
        engine.filterCache().stats(),
        engine.requestCache().stats(),
        engine.answerMemory().figures(),
        compaction,
        services.fetchSessions().get(),
        http.counts(),
        Jvm.now());
  }

  private static IndexStats stats(Indices indices) {
    long documents = 0;
    long deleted = 0;
    long sizeBytes = 0;
    for (IndexDefinition index : indices.resolve("*,.*", IndexPattern.DEFAULT)) {
      if (indices.isOpen(index)) {
        IndexStats stats = indices.stats(index);
        documents += stats.documents();
        deleted += stats.deleted();
        sizeBytes += stats.sizeBytes();
      }
    }
    return new IndexStats(documents, deleted, sizeBytes);
  }
}
