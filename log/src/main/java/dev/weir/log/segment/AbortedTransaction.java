package dev.weir.log.segment;

/**
 * An aborted transaction in a log segment; with the last stable offset that bounds a search.
 *
 * @param producerId whose
 * @param firstOffset first offset of the transaction
 * @param lastOffset offset of its abort marker
 * @param lastStableOffset last stable offset after the abort
 */
public record AbortedTransaction(
    long producerId, long firstOffset, long lastOffset, long lastStableOffset) {}
