package dev.weir.search.execute;

import dev.weir.search.shard.IndexView;

/**
 * One shard among all those of a request.
 *
 * @param ordinal its place among them, from 0: indexes by name, then shards by number
 */
record ShardRef(int ordinal, SearchableIndex index, IndexView.ShardView shard) {}
