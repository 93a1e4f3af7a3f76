/** Aggregations over the segments of one shard, through Lucene's doc values. */
package dev.weir.search.aggregation.collect;
