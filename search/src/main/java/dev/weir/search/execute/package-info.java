/**
 * Carrying out searches: queries become Lucene queries under a mapping, run on every shard of a
 * view, and the shards' answers become one. Knows neither HTTP nor logs; nothing here outlives the
 * request.
 */
package dev.weir.search.execute;
