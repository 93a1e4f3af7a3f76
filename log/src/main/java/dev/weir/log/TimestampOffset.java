package dev.weir.log;

/**
 * A record found by time.
 *
 * @param timestampMs the record's timestamp
 * @param offset the record's offset
 * @param leaderEpoch leader epoch of its batch
 */
public record TimestampOffset(long timestampMs, long offset, int leaderEpoch) {}
