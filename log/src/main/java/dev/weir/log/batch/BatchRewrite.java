package dev.weir.log.batch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Writing existing batches anew: under another codec, or with some of their records only. */
public final class BatchRewrite {
  private BatchRewrite() {}

  /**
   * Whether each record has a key.
   *
   * @throws CorruptBatchException if a record cannot be decoded
   * @throws InflatedTooLargeException if the records inflate to more than this
   */
  public static boolean allRecordsHaveKeys(RecordBatchView batch, long inflatedBytesMax) {
    try (RecordReader records = batch.records(inflatedBytesMax)) {
      while (records.hasNext()) {
        if (!records.nextHasKey()) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * The same batches with the records under another codec.
   *
   * @param inflatedBytesMax bound of the records of one batch: all of them are in memory at once
   * @throws CorruptBatchException if a record cannot be decoded
   * @throws InflatedTooLargeException if the records of a batch inflate to more than that
   */
  public static ByteBuffer recompress(
      List<RecordBatchView> batches, Compression compression, long inflatedBytesMax) {
    List<ByteBuffer> parts = new ArrayList<>(batches.size());
    int size = 0;
    for (RecordBatchView batch : batches) {
      RecordBatchBuilder builder = RecordBatchBuilder.like(batch, compression);
      try (RecordReader records = batch.records(inflatedBytesMax)) {
        records.forEachRemaining(builder::addAt);
      }
      ByteBuffer part = builder.build();
      size = Math.addExact(size, part.remaining());
      parts.add(part);
    }
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    ByteBuffer all = ByteBuffer.allocate(size);
    parts.forEach(all::put);
    return all.flip();
  }

  /** Views of the batches in a buffer. */
  public static List<RecordBatchView> views(ByteBuffer batches) {
    List<RecordBatchView> views = new ArrayList<>();
    RecordBatches.of(batches).forEach(views::add);
    return views;
  }

  /**
   * The batch with those of its records that are kept; empty if none is. Offsets, producer and
   * epoch stay, also the last offset, so that sequences and offsets of later batches follow on.
   *
   * @param deleteHorizonMs time from which its tombstones may go, to be stamped
   */
  public static Optional<ByteBuffer> filter(
      RecordBatchView batch, Predicate<LogRecord> keep, OptionalLong deleteHorizonMs) {
    RecordBatchBuilder builder = RecordBatchBuilder.like(batch, batch.compression());
    deleteHorizonMs.ifPresent(builder::deleteHorizon);
    batch.forEachRecord(
        record -> {
          if (keep.test(record)) {
            builder.addAt(record);
          }
        });
    return builder.count() == 0 ? Optional.empty() : Optional.of(builder.build());
  }

  /** The batch without records: its header keeps the producer's last sequence. */
  public static ByteBuffer emptied(RecordBatchView batch) {
    return RecordBatchBuilder.like(batch, batch.compression()).build();
  }
}
