package dev.weir.log.compaction;

/**
 * The part of a log that a run compacts.
 *
 * @param startOffset first offset that no compaction has seen
 * @param endOffset offset before which it stops: segments from there on stay as they are
 * @param cleanBytes size of the segments before it
 * @param dirtyBytes size of its segments
 */
public record DirtyRange(long startOffset, long endOffset, long cleanBytes, long dirtyBytes) {}
