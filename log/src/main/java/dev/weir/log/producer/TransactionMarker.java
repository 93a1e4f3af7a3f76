package dev.weir.log.producer;

import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordReader;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The end of a transaction. The value of its control record is version (int16, 0) and coordinator
 * epoch (int32).
 *
 * @param type {@link ControlType#ABORT} or {@link ControlType#COMMIT}
 * @param coordinatorEpoch epoch of the transaction coordinator
 */
public record TransactionMarker(ControlType type, int coordinatorEpoch) {
  private static final int VALUE_BYTES = 6;

  /**
   * Reads the marker of a control batch; empty if the batch is of another kind.
   *
   * @throws CorruptBatchException if its record cannot be decoded
   */
  public static Optional<TransactionMarker> of(RecordBatchView batch) {
    try (RecordReader records = batch.records()) {
      if (!records.hasNext()) {
        return Optional.empty(); // compaction has removed the marker
      }
      LogRecord record = records.next();
      ByteBuffer key = record.key();
      ByteBuffer value = record.value();
      Optional<ControlType> type = key == null ? Optional.empty() : ControlType.ofKey(key);
      if (type.isEmpty() || (type.get() != ControlType.ABORT && type.get() != ControlType.COMMIT)) {
        return Optional.empty();
      }
      if (value == null || value.remaining() < VALUE_BYTES) {
        throw new CorruptBatchException("transaction marker has no coordinator epoch: " + batch);
      }
      return Optional.of(new TransactionMarker(type.get(), value.getInt(value.position() + 2)));
    }
  }
}
