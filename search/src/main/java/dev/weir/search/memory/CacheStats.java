package dev.weir.search.memory;

/**
 * What became of a cache so far.
 *
 * @param hits times that work was spared
 * @param misses times that it had to be done, and what came of it might have been there
 * @param evictions entries that made room for others
 * @param entries that are held
 * @param bytes that they take
 */
public record CacheStats(long hits, long misses, long evictions, int entries, long bytes) {}
