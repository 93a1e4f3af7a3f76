/**
 * What aggregations found: parts of shards and segments as values, the pure functions that merge
 * them and make an answer of them, and how it is written. Knows neither Lucene nor threads.
 */
package dev.weir.search.aggregation.result;
