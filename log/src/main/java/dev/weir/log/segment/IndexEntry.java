package dev.weir.log.segment;

/**
 * One entry of a sparse index.
 *
 * @param key offset index: offset minus the segment's base offset; time index: timestamp, ms
 * @param value offset index: byte position in the segment; time index: offset minus base offset
 */
public record IndexEntry(long key, int value) {}
