/** Queries, filter push-down, mappings, shard indexes and hybrid scoring over a log. */
package dev.weir.search;
