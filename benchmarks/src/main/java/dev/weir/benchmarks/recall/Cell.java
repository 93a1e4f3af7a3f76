package dev.weir.benchmarks.recall;

import java.util.Locale;

/**
 * What was measured of one way to search, over all queries.
 *
 * @param selectivity part of the documents that the filter lets through
 * @param recall found ones among the ten that are really nearest; 1 where fewer exist and all were
 *     found
 * @param hitsMissing hits fewer than there should be, over all queries
 * @param distances vectors compared, a query
 * @param cpuUs CPU time of the searching thread, a query
 * @param p95Us time that 95 of 100 queries did not exceed
 * @param walks queries that walked over the graph
 */
record Cell(
    String collection,
    Correlation correlation,
    double selectivity,
    Way way,
    double recall,
    int hitsMissing,
    double distances,
    double cpuUs,
    double p95Us,
    int walks) {

  /** How the nearest among filtered documents are looked for. */
  enum Way {
    /** As Weir does, with default settings. */
    INSIDE,
    /** A hundred without the filter, of which those are kept that it lets through. */
    POST,
    /** Every accepted document is scored. */
    EXACT
  }

  /** As a line of JSON. */
  String json() {
    return String.format(
        Locale.ROOT,
        "{\"collection\":\"%s\",\"filter\":\"%s\",\"selectivity\":%s,\"way\":\"%s\","
            + "\"recall\":%.4f,\"hits_missing\":%d,\"distances\":%.0f,\"cpu_us\":%.1f,"
            + "\"p95_us\":%.1f,\"walks\":%d}",
        collection,
        correlation.name().toLowerCase(Locale.ROOT),
        selectivity,
        way.name().toLowerCase(Locale.ROOT),
        recall,
        hitsMissing,
        distances,
        cpuUs,
        p95Us,
        walks);
  }
}
