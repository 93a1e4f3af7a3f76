package dev.weir.raft;

import dev.weir.log.CorruptFileException;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.protocol.metadata.BeginTransactionRecord;
import dev.weir.protocol.metadata.EndTransactionRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Batches of metadata records, for the log and its snapshots. */
final class MetadataBatches {
  /** Kafka's bound on a batch of the metadata log: readers size their buffers by it. */
  static final int BATCH_BYTES_MAX = 8 << 20;

  /** Where records are spread over several batches, one is ended at this size. */
  private static final int SPREAD_BATCH_BYTES = 1 << 20;

  /** What a record takes in a batch besides its value, at most. */
  private static final int RECORD_OVERHEAD_BYTES = 64;

  private MetadataBatches() {}

  static RecordBatchBuilder single(List<MetadataRecord> records, long nowMs) {
    RecordBatchBuilder batch = RecordBatchBuilder.data(Compression.NONE);
    for (MetadataRecord record : records) {
      batch.add(nowMs, null, MetadataValues.encode(record));
    }
    return batch;
  }

  /**
   * The records as one batch or, where that would be too large, as a metadata transaction of
   * several, KIP-868: readers see all of it or nothing. A batch may still be above the bound, with
   * one record that is.
   */
  static List<RecordBatchBuilder> atomic(List<MetadataRecord> records, long nowMs) {
    RecordBatchBuilder whole = single(records, nowMs);
    if (whole.sizeInBytes() <= BATCH_BYTES_MAX) {
      return List.of(whole);
    }
    List<RecordBatchBuilder> batches = new ArrayList<>();
    Spread spread =
        new Spread(() -> RecordBatchBuilder.data(Compression.NONE), nowMs, batches::add);
    spread.add(BeginTransactionRecord.DEFAULT.withName("large command"));
    records.forEach(spread::add);
    spread.add(EndTransactionRecord.DEFAULT);
    spread.end();
    return batches;
  }

  /** Spreads records over batches, so that none need be built that holds them all. One thread. */
  static final class Spread {
    /** Makes an empty batch. */
    interface Batches {
      RecordBatchBuilder next();
    }

    private final Batches batches;
    private final long timestampMs;
    private final Consumer<RecordBatchBuilder> full;
    private RecordBatchBuilder batch;

    Spread(Batches batches, long timestampMs, Consumer<RecordBatchBuilder> full) {
      this.batches = batches;
      this.timestampMs = timestampMs;
      this.full = full;
      this.batch = batches.next();
    }

    void add(MetadataRecord record) {
      ByteBuffer value = MetadataValues.encode(record);
      if (batch.count() > 0
          && batch.sizeInBytes() + value.remaining() + RECORD_OVERHEAD_BYTES > SPREAD_BATCH_BYTES) {
        end();
        batch = batches.next();
      }
      batch.add(timestampMs, null, value);
    }

    /** Hands the last batch over, if there is anything in it. */
    void end() {
      if (batch.count() > 0) {
        full.accept(batch);
      }
    }
  }

  static void decode(RecordBatchView batch, Consumer<MetadataRecord> into) {
    batch.forEachRecord(
        record -> {
          ByteBuffer value = record.value();
          if (value == null) {
            throw new CorruptFileException(
                "metadata record without a value: offset=" + record.offset());
          }
          into.accept(MetadataValues.decode(value));
        });
  }
}
