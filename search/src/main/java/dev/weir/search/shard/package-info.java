/**
 * The index of a shard as a view of its log: following, deciding writes, refreshing, and the view
 * over all shards of an index that searches use.
 */
package dev.weir.search.shard;
