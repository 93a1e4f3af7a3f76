package dev.weir.log.producer;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A producer as a snapshot file has it.
 *
 * @param lastSequence sequence of its last record; empty if it has written none in this epoch
 * @param lastOffset offset of that record, or -1
 * @param offsetDelta last minus first offset of its last batch
 * @param coordinatorEpoch epoch of the coordinator that ended its last transaction, or -1
 * @param transactionStart first offset of its open transaction
 */
public record SnapshotProducer(
    long producerId,
    short epoch,
    OptionalInt lastSequence,
    long lastOffset,
    int offsetDelta,
    long timestampMs,
    int coordinatorEpoch,
    OptionalLong transactionStart) {

  static SnapshotProducer of(long producerId, ProducerEntry entry) {
    boolean wrote = !entry.batches().isEmpty();
    return new SnapshotProducer(
        producerId,
        entry.epoch(),
        wrote ? OptionalInt.of(entry.batches().getLast().lastSequence()) : OptionalInt.empty(),
        wrote ? entry.batches().getLast().lastOffset() : -1,
        wrote ? entry.batches().getLast().offsetDelta() : 0,
        entry.lastTimestampMs(),
        entry.coordinatorEpoch(),
        entry.transactionStart());
  }
}
