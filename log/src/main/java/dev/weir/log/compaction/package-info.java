/**
 * Compaction: which part of a log is worth it, and writing segments anew with the newest record of
 * each key. Swapping the segments in is the log's own part.
 */
package dev.weir.log.compaction;
