package dev.weir.log;

/**
 * What a compaction did.
 *
 * @param startedMs when it began
 * @param elapsedMs how long it took
 * @param dirtyStartOffset first offset that no compaction had seen
 * @param cleanedUntil offset up to which the log is compacted now
 * @param keys number of keys in between
 * @param bytesRead bytes of segments that were read, some of them twice
 * @param bytesBefore size of the segments that were written anew
 * @param bytesAfter size of what was written
 * @param recordsBefore number of records in those segments, without the markers of transactions
 * @param recordsAfter number of them that are left
 * @param tombstonesExpired number of tombstones that went since {@code delete.retention.ms} is
 *     over; nothing is left of their keys in what was compacted, though newer records may lie
 *     behind it
 */
public record CompactionReport(
    long startedMs,
    long elapsedMs,
    long dirtyStartOffset,
    long cleanedUntil,
    int keys,
    long bytesRead,
    long bytesBefore,
    long bytesAfter,
    long recordsBefore,
    long recordsAfter,
    long tombstonesExpired) {}
