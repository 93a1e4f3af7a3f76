package dev.weir.log.producer;

import dev.weir.log.batch.RecordBatchView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * State of one producer in one log. Immutable.
 *
 * @param epoch its epoch, or {@link RecordBatchView#NO_PRODUCER_EPOCH} before its first batch
 * @param coordinatorEpoch epoch of the coordinator that wrote its last marker, or -1
 * @param lastTimestampMs timestamp of its last batch
 * @param transactionStart first offset of its open transaction
 * @param batches its latest batches of this epoch, oldest first
 */
record ProducerEntry(
    short epoch,
    int coordinatorEpoch,
    long lastTimestampMs,
    OptionalLong transactionStart,
    List<BatchMark> batches) {
  /**
   * Batches that are remembered. A client has at most five requests in flight, so a retry of the
   * oldest still finds its batch here.
   */
  static final int BATCHES_MAX = 5;

  static final ProducerEntry UNKNOWN =
      new ProducerEntry(
          RecordBatchView.NO_PRODUCER_EPOCH,
          -1,
          RecordBatchView.NO_TIMESTAMP,
          OptionalLong.empty(),
          List.of());

  /** The remembered batch with the same epoch and sequences. */
  Optional<BatchMark> duplicateOf(RecordBatchView batch) {
    if (batch.producerEpoch() == epoch) {
      int last = Sequences.plus(batch.baseSequence(), batch.lastOffsetDelta());
      for (BatchMark mark : batches) {
        if (mark.lastSequence() == last && mark.firstSequence() == batch.baseSequence()) {
          return Optional.of(mark);
        }
      }
    }
    return Optional.empty();
  }

  /** Whether {@code sequence} is what this producer has to send next. */
  boolean continuesWith(int sequence) {
    return !batches.isEmpty() && sequence == Sequences.plus(batches.getLast().lastSequence(), 1);
  }

  ProducerEntry withBatch(RecordBatchView batch, long baseOffset) {
    long lastOffset = baseOffset + batch.lastOffsetDelta();
    BatchMark mark =
        new BatchMark(
            Sequences.plus(batch.baseSequence(), batch.lastOffsetDelta()),
            lastOffset,
            batch.lastOffsetDelta(),
            batch.maxTimestamp());
    List<BatchMark> marks = new ArrayList<>(BATCHES_MAX + 1);
    if (batch.producerEpoch() == epoch) {
      marks.addAll(batches);
    }
    marks.add(mark);
    if (marks.size() > BATCHES_MAX) {
      marks.removeFirst();
    }
    OptionalLong start = transactionStart;
    if (batch.isTransactional() && start.isEmpty()) {
      start = OptionalLong.of(baseOffset);
    }
    return new ProducerEntry(
        batch.producerEpoch(), coordinatorEpoch, batch.maxTimestamp(), start, List.copyOf(marks));
  }

  ProducerEntry withMarker(short markerEpoch, int markerCoordinatorEpoch, long timestampMs) {
    return new ProducerEntry(
        markerEpoch,
        markerCoordinatorEpoch,
        timestampMs,
        OptionalLong.empty(),
        markerEpoch == epoch ? batches : List.of());
  }
}
