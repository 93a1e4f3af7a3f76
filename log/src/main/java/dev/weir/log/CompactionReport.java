package dev.weir.log;

/**
 * What a compaction did.
 *
 * @param dirtyStartOffset first offset that no compaction had seen
 * @param cleanedUntil offset up to which the log is compacted now
 * @param keys number of keys in between
 * @param bytesBefore size of the segments that were written anew
 * @param bytesAfter size of what was written
 */
public record CompactionReport(
    long dirtyStartOffset, long cleanedUntil, int keys, long bytesBefore, long bytesAfter) {}
