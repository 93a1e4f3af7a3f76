package dev.weir.log;

/**
 * An aborted transaction in a range of offsets: records of the producer from {@code firstOffset} to
 * its next abort marker do not count.
 *
 * @param producerId whose
 * @param firstOffset first offset of the transaction
 */
public record AbortedRange(long producerId, long firstOffset) {}
