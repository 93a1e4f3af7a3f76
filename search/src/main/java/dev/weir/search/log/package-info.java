/**
 * The doors through which the search engine sees the log: one {@link
 * dev.weir.search.log.DocumentLog} for each shard and {@link dev.weir.search.log.LogTopics} for the
 * topics behind the indexes. This package knows neither Lucene nor the broker.
 */
package dev.weir.search.log;
