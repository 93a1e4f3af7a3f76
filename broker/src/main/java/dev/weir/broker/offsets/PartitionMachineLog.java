package dev.weir.broker.offsets;

import dev.weir.broker.partition.Acknowledgement;
import dev.weir.broker.partition.Partition;
import dev.weir.coordinator.KeyValue;
import dev.weir.log.AppendOrigin;
import dev.weir.log.AppendOutcome;
import dev.weir.log.CorruptFileException;
import dev.weir.log.LogSlice;
import dev.weir.log.PartitionLog;
import dev.weir.log.ReadOutcome;
import dev.weir.log.ReadUpTo;
import dev.weir.log.Refusal;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.machine.BatchTooLargeException;
import dev.weir.machine.MachineLog;
import dev.weir.machine.NotLeaderException;
import dev.weir.protocol.ErrorCode;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A partition of this broker as the log of one machine. Owned by the machine's runner. */
final class PartitionMachineLog implements MachineLog<KeyValue> {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionMachineLog.class);

  /** How much is read at once in a replay. */
  private static final int REPLAY_BYTES = 1 << 20;

  private final Partition partition;
  private final Compression compression;
  private final InstantSource clock;
  private final Consumer<String> onLost;

  /**
   * @param onLost told, with the reason, when what was appended will never be committed
   */
  PartitionMachineLog(
      Partition partition, Compression compression, InstantSource clock, Consumer<String> onLost) {
    this.partition = partition;
    this.compression = compression;
    this.clock = clock;
    this.onLost = onLost;
  }

  @Override
  public long append(List<KeyValue> records) {
    if (partition.unusable() != ErrorCode.NONE) {
      throw new NotLeaderException(partition + " is not led any more");
    }
    RecordBatchBuilder batch = RecordBatchBuilder.data(compression);
    long nowMs = clock.millis();
    for (KeyValue record : records) {
      batch.add(nowMs, record.key(), record.value());
    }
    AppendOutcome outcome = partition.append(batch.build(), AppendOrigin.COORDINATOR);
    return switch (outcome) {
      case AppendOutcome.Appended appended -> appended.lastOffset() + 1;
      case AppendOutcome.Refused refused -> throw refusal(refused);
      case AppendOutcome.Duplicate _, AppendOutcome.EndOffsetMoved _ ->
          throw new IllegalStateException("plain append answered " + outcome);
    };
  }

  @Override
  public void whenCommitted(long endOffset, Runnable done) {
    partition.await(
        new Acknowledgement(
            endOffset,
            Runnable::run, // a machine's "done" only posts to its mailbox
            outcome -> {
              if (outcome == ErrorCode.NONE) {
                done.run();
              } else {
                onLost.accept(partition + " is lost: " + outcome);
              }
            }));
  }

  @Override
  public void replay(Consumer<KeyValue> into) {
    PartitionLog log = partition.log();
    long offset = log.logStartOffset();
    long endOffset = log.highWatermark();
    if (endOffset < log.logEndOffset()) {
      // What is not committed yet belongs to no state, and what is decided next follows on it.
      throw new NotLeaderException(partition + " is not committed to its end");
    }
    while (offset < endOffset) {
      ReadOutcome outcome = log.read(offset, REPLAY_BYTES, ReadUpTo.HIGH_WATERMARK);
      switch (outcome) {
        case ReadOutcome.OutOfRange range -> {
          // Compaction or DeleteRecords has moved the start meanwhile.
          LOG.info("replay goes on at the new start: log={} range={}", log, range);
          offset = range.logStartOffset();
        }
        case LogSlice slice ->
            // Nothing is left where compaction has removed the last records below the end.
            offset = slice.sizeBytes() == 0 ? endOffset : replay(slice, offset, into);
      }
    }
  }

  private static long replay(LogSlice slice, long fromOffset, Consumer<KeyValue> into) {
    long offset = fromOffset;
    for (RecordBatchView batch : slice.batches()) {
      if (!batch.checksumMatches()) {
        throw new CorruptFileException("checksum does not match: " + batch + " in " + slice);
      }
      if (!batch.isControl()) {
        batch.forEachRecord(record -> pass(record, fromOffset, into));
      }
      offset = batch.nextOffset();
    }
    if (offset == fromOffset) {
      throw new IllegalStateException("no whole batch at offset=" + fromOffset + " in " + slice);
    }
    return offset;
  }

  private static void pass(LogRecord record, long fromOffset, Consumer<KeyValue> into) {
    if (record.offset() >= fromOffset && record.key() != null) {
      into.accept(new KeyValue(record.key(), record.value()));
    }
  }

  private RuntimeException refusal(AppendOutcome.Refused refused) {
    String message = refused.reason() + " by " + partition + ": " + refused.message();
    return refused.reason() == Refusal.RECORD_TOO_LARGE
            || refused.reason() == Refusal.BATCHES_TOO_LARGE
        ? new BatchTooLargeException(message)
        : new IllegalStateException(message);
  }
}
