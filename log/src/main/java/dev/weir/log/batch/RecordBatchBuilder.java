package dev.weir.log.batch;

import static dev.weir.log.batch.RecordBatchView.HEADER_BYTES;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds one record batch of magic 2. Settings first, then records, then {@link #build()}. One
 * thread; the builder is used once.
 */
public final class RecordBatchBuilder {
  private static final int INITIAL_BYTES = 512;

  private final Compression compression;
  private final GrowingBytes records = new GrowingBytes(INITIAL_BYTES);
  private final GrowingBytes body = new GrowingBytes(INITIAL_BYTES);
  private int attributes;
  private long baseOffset;
  private int leaderEpoch = RecordBatchView.NO_LEADER_EPOCH;
  private long producerId = RecordBatchView.NO_PRODUCER_ID;
  private short producerEpoch = RecordBatchView.NO_PRODUCER_EPOCH;
  private int baseSequence = RecordBatchView.NO_SEQUENCE;
  private long baseTimestamp = RecordBatchView.NO_TIMESTAMP;
  private boolean baseTimestampSet;
  private long maxTimestamp = RecordBatchView.NO_TIMESTAMP;
  private int lastOffsetDelta = -1;
  private int count;

  private RecordBatchBuilder(Compression compression) {
    this.compression = compression;
    this.attributes = compression.id();
  }

  /** A batch of records. */
  public static RecordBatchBuilder data(Compression compression) {
    return new RecordBatchBuilder(compression);
  }

  /** A control batch; add to it with {@link #addControl}. */
  public static RecordBatchBuilder control() {
    RecordBatchBuilder builder = new RecordBatchBuilder(Compression.NONE);
    builder.attributes |= RecordBatchView.CONTROL_BIT;
    return builder;
  }

  /**
   * A batch with the header of {@code original}, to which some of its records are added again with
   * {@link #addAt}; its last offset stays.
   */
  static RecordBatchBuilder like(RecordBatchView original, Compression compression) {
    RecordBatchBuilder builder = new RecordBatchBuilder(compression);
    builder.attributes = (original.attributes() & ~RecordBatchView.CODEC_MASK) | compression.id();
    builder.baseOffset = original.baseOffset();
    builder.leaderEpoch = original.leaderEpoch();
    builder.producerId = original.producerId();
    builder.producerEpoch = original.producerEpoch();
    builder.baseSequence = original.baseSequence();
    builder.lastOffsetDelta = original.lastOffsetDelta();
    builder.baseTimestamp = original.baseTimestamp();
    builder.baseTimestampSet = true;
    if (original.isLogAppendTime()) {
      builder.maxTimestamp = original.maxTimestamp();
    }
    return builder;
  }

  /** Offset of the first record; 0 unless set. A log that appends the batch assigns its own. */
  public RecordBatchBuilder baseOffset(long offset) {
    baseOffset = offset;
    return this;
  }

  /** Leader epoch; {@link RecordBatchView#NO_LEADER_EPOCH} unless set. */
  public RecordBatchBuilder leaderEpoch(int epoch) {
    leaderEpoch = epoch;
    return this;
  }

  /** Makes the batch an idempotent producer's. */
  public RecordBatchBuilder producer(long id, short epoch, int firstSequence) {
    producerId = id;
    producerEpoch = epoch;
    baseSequence = firstSequence;
    return this;
  }

  /** Makes the batch part of a transaction. */
  public RecordBatchBuilder transactional() {
    attributes |= RecordBatchView.TRANSACTIONAL_BIT;
    return this;
  }

  /** Makes {@code timeMs} the log-append time of all records. */
  public RecordBatchBuilder logAppendTime(long timeMs) {
    attributes |= RecordBatchView.LOG_APPEND_TIME_BIT;
    maxTimestamp = timeMs;
    return this;
  }

  /** Sets the time from which the tombstones in the batch may go. */
  RecordBatchBuilder deleteHorizon(long horizonMs) {
    attributes |= RecordBatchView.DELETE_HORIZON_BIT;
    baseTimestamp = horizonMs;
    baseTimestampSet = true;
    return this;
  }

  /** Adds a record without headers at the next offset. */
  public RecordBatchBuilder add(
      long timestampMs, @Nullable ByteBuffer key, @Nullable ByteBuffer value) {
    return add(timestampMs, key, value, List.of());
  }

  /** Adds a record at the next offset; the buffers are copied, their positions stay. */
  public RecordBatchBuilder add(
      long timestampMs,
      @Nullable ByteBuffer key,
      @Nullable ByteBuffer value,
      List<RecordHeader> headers) {
    lastOffsetDelta++;
    return write(lastOffsetDelta, timestampMs, key, value, headers);
  }

  /** Adds a control record at the next offset. */
  public RecordBatchBuilder addControl(long timestampMs, ControlType type, ByteBuffer value) {
    return add(timestampMs, type.key(), value, List.of());
  }

  /** Adds a record of {@link #like}'s original at its own offset. */
  RecordBatchBuilder addAt(LogRecord record) {
    int delta = Math.toIntExact(record.offset() - baseOffset);
    return write(delta, record.timestampMs(), record.key(), record.value(), record.headers());
  }

  private RecordBatchBuilder write(
      int offsetDelta,
      long timestampMs,
      @Nullable ByteBuffer key,
      @Nullable ByteBuffer value,
      List<RecordHeader> headers) {
    if (!baseTimestampSet) {
      baseTimestamp = timestampMs;
      baseTimestampSet = true;
    }
    if (timestampMs > maxTimestamp && (attributes & RecordBatchView.LOG_APPEND_TIME_BIT) == 0) {
      maxTimestamp = timestampMs;
    }
    body.clear();
    body.write(0);
    body.putVarlong(timestampMs - baseTimestamp);
    body.putVarint(offsetDelta);
    putBytes(key);
    putBytes(value);
    body.putVarint(headers.size());
    for (RecordHeader header : headers) {
      putBytes(ByteBuffer.wrap(header.key().getBytes(StandardCharsets.UTF_8)));
      putBytes(header.value());
    }
    records.putVarint(body.size());
    records.put(body, 0);
    count++;
    return this;
  }

  private void putBytes(@Nullable ByteBuffer bytes) {
    if (bytes == null) {
      body.putVarint(-1);
    } else {
      body.putVarint(bytes.remaining());
      body.put(bytes);
    }
  }

  /** Number of records added. */
  public int count() {
    return count;
  }

  /** Size of the batch before compression. */
  public int sizeInBytes() {
    return HEADER_BYTES + records.size();
  }

  /** The batch: a heap buffer from position 0. A batch without records is legal. */
  public ByteBuffer build() {
    GrowingBytes out = new GrowingBytes(HEADER_BYTES + records.size());
    out.skip(HEADER_BYTES);
    if (compression == Compression.NONE || count == 0) {
      out.put(records, 0);
    } else {
      try (OutputStream stream = Codec.compress(compression, out)) {
        records.writeTo(stream);
      } catch (IOException e) {
        throw new UncheckedIOException("compressing into memory failed", e);
      }
    }
    ByteBuffer batch = out.buffer();
    batch.putLong(0, baseOffset);
    batch.putInt(RecordBatchView.LENGTH, batch.limit() - RecordBatchView.PREFIX_BYTES);
    batch.putInt(RecordBatchView.LEADER_EPOCH, leaderEpoch);
    batch.put(RecordBatchView.MAGIC_AT, RecordBatchView.MAGIC);
    batch.putShort(RecordBatchView.ATTRIBUTES, (short) attributes);
    batch.putInt(RecordBatchView.LAST_OFFSET_DELTA, lastOffsetDelta);
    batch.putLong(RecordBatchView.BASE_TIMESTAMP, baseTimestamp);
    batch.putLong(RecordBatchView.MAX_TIMESTAMP, maxTimestamp);
    batch.putLong(RecordBatchView.PRODUCER_ID, producerId);
    batch.putShort(RecordBatchView.PRODUCER_EPOCH, producerEpoch);
    batch.putInt(RecordBatchView.BASE_SEQUENCE, baseSequence);
    batch.putInt(RecordBatchView.RECORD_COUNT, count);
    RecordBatchView view = RecordBatchView.at(batch, 0);
    batch.putInt(RecordBatchView.CRC, (int) view.computeChecksum());
    return batch;
  }
}
