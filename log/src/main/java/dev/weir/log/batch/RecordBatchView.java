package dev.weir.log.batch;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * One record batch of magic 2, read and stamped in place. Big-endian; bytes from {@code start}:
 *
 * <pre>
 *  0  8 base offset             27  8 base timestamp, ms (or delete horizon, if its bit is set)
 *  8  4 bytes after this field  35  8 max timestamp, ms
 * 12  4 leader epoch            43  8 producer id
 * 16  1 magic (2)               51  2 producer epoch
 * 17  4 CRC-32C of bytes 21..   53  4 base sequence
 * 21  2 attributes              57  4 record count
 * 23  4 last offset delta       61    records, compressed as one block
 * </pre>
 *
 * <p>Attributes: bits 0 to 2 codec, 3 log-append time, 4 transactional, 5 control batch, 6 delete
 * horizon set. Base offset and leader epoch are outside the checksum: the log stamps them.
 *
 * <p>A view is valid while its buffer's bytes are. Not thread-safe where it writes.
 */
public final class RecordBatchView {
  /** Size of the header, before the records. */
  public static final int HEADER_BYTES = 61;

  /** Bytes before and including the length field. */
  public static final int PREFIX_BYTES = 12;

  /** The only message format that is stored. */
  public static final byte MAGIC = 2;

  /** Producer id of a batch that no idempotent producer wrote. */
  public static final long NO_PRODUCER_ID = -1;

  /** Producer epoch that goes with {@link #NO_PRODUCER_ID}. */
  public static final short NO_PRODUCER_EPOCH = -1;

  /** Base sequence of a batch without sequences. */
  public static final int NO_SEQUENCE = -1;

  /** Timestamp of a batch without one. */
  public static final long NO_TIMESTAMP = -1;

  /** Leader epoch of a batch that no leader has stamped. */
  public static final int NO_LEADER_EPOCH = -1;

  static final int LENGTH = 8;
  static final int LEADER_EPOCH = 12;
  static final int MAGIC_AT = 16;
  static final int CRC = 17;
  static final int ATTRIBUTES = 21;
  static final int LAST_OFFSET_DELTA = 23;
  static final int BASE_TIMESTAMP = 27;
  static final int MAX_TIMESTAMP = 35;
  static final int PRODUCER_ID = 43;
  static final int PRODUCER_EPOCH = 51;
  static final int BASE_SEQUENCE = 53;
  static final int RECORD_COUNT = 57;

  static final int CODEC_MASK = 0x07;
  static final int LOG_APPEND_TIME_BIT = 0x08;
  static final int TRANSACTIONAL_BIT = 0x10;
  static final int CONTROL_BIT = 0x20;
  static final int DELETE_HORIZON_BIT = 0x40;

  private final ByteBuffer buffer;
  private final int start;
  private final int size;

  private RecordBatchView(ByteBuffer buffer, int start, int size) {
    this.buffer = buffer;
    this.start = start;
    this.size = size;
  }

  /**
   * A view of the batch that starts at {@code start}. The checksum is not looked at.
   *
   * @throws CorruptBatchException if these are not the bytes of a whole batch of magic 2
   */
  public static RecordBatchView at(ByteBuffer buffer, int start) {
    long available = (long) buffer.limit() - start;
    if (available < HEADER_BYTES) {
      throw new CorruptBatchException(
          "batch has " + available + " bytes, expected at least " + HEADER_BYTES + place(start));
    }
    byte magic = buffer.get(start + MAGIC_AT);
    if (magic != MAGIC) {
      throw new CorruptBatchException(
          "batch has magic " + magic + ", expected " + MAGIC + place(start));
    }
    long size = PREFIX_BYTES + (long) buffer.getInt(start + LENGTH);
    if (size < HEADER_BYTES || size > available) {
      throw new CorruptBatchException(
          "batch size is " + size + ", expected " + HEADER_BYTES + ".." + available + place(start));
    }
    return new RecordBatchView(buffer, start, (int) size);
  }

  /**
   * A view of a header whose records are not in the buffer; {@link #records()} and {@link
   * #checksumMatches()} are not for it.
   *
   * @param position of the batch in its file, for errors
   * @throws CorruptBatchException if these are not the bytes of a header of magic 2
   */
  public static RecordBatchView headerAt(ByteBuffer buffer, int start, long position) {
    long size = PREFIX_BYTES + (long) buffer.getInt(start + LENGTH);
    byte magic = buffer.get(start + MAGIC_AT);
    if (magic != MAGIC || size < HEADER_BYTES || size > Integer.MAX_VALUE) {
      throw new CorruptBatchException(
          "batch has magic "
              + magic
              + " and size "
              + size
              + ", expected magic "
              + MAGIC
              + " and size of at least "
              + HEADER_BYTES
              + place(position));
    }
    return new RecordBatchView(buffer, start, (int) size);
  }

  /** Whether a whole batch may start here, judging by the length field alone. */
  static boolean wholeAt(ByteBuffer buffer, int start) {
    long available = (long) buffer.limit() - start;
    return available > PREFIX_BYTES
        && PREFIX_BYTES + (long) buffer.getInt(start + LENGTH) <= available;
  }

  private static String place(long position) {
    return ", at position=" + position;
  }

  /** Size of the whole batch. */
  public int sizeInBytes() {
    return size;
  }

  /** Offset of the first record that the batch had when it was written. */
  public long baseOffset() {
    return buffer.getLong(start);
  }

  /** Offset of the last record, inclusive. */
  public long lastOffset() {
    return baseOffset() + lastOffsetDelta();
  }

  /** Offset after the last record. */
  public long nextOffset() {
    return lastOffset() + 1;
  }

  /** Last offset minus base offset. */
  public int lastOffsetDelta() {
    return buffer.getInt(start + LAST_OFFSET_DELTA);
  }

  /** Epoch of the leader that appended the batch. */
  public int leaderEpoch() {
    return buffer.getInt(start + LEADER_EPOCH);
  }

  /** Checksum that the header holds, as an unsigned number. */
  public long checksum() {
    return buffer.getInt(start + CRC) & 0xffff_ffffL;
  }

  /** Whether the stored checksum is that of the bytes. */
  public boolean checksumMatches() {
    return checksum() == computeChecksum();
  }

  /** CRC-32C of the bytes from the attributes to the end. */
  public long computeChecksum() {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().position(start + ATTRIBUTES).limit(start + size));
    return crc.getValue();
  }

  /** All attribute bits. */
  public short attributes() {
    return buffer.getShort(start + ATTRIBUTES);
  }

  /**
   * Codec of the records.
   *
   * @throws CorruptBatchException if there is no codec of that number
   */
  public Compression compression() {
    int id = attributes() & CODEC_MASK;
    return Compression.ofId(id)
        .orElseThrow(
            () -> new CorruptBatchException("codec is " + id + ", expected 0..4" + place(start)));
  }

  /** Whether the timestamps are the log's and not the producer's. */
  public boolean isLogAppendTime() {
    return (attributes() & LOG_APPEND_TIME_BIT) != 0;
  }

  /** Whether the batch belongs to a transaction. */
  public boolean isTransactional() {
    return (attributes() & TRANSACTIONAL_BIT) != 0;
  }

  /** Whether the batch holds a control record and no user data. */
  public boolean isControl() {
    return (attributes() & CONTROL_BIT) != 0;
  }

  /** Whether the base timestamp is the time from which tombstones may go. */
  public boolean hasDeleteHorizon() {
    return (attributes() & DELETE_HORIZON_BIT) != 0;
  }

  /** Base timestamp, in ms; the records' timestamps are relative to it. */
  public long baseTimestamp() {
    return buffer.getLong(start + BASE_TIMESTAMP);
  }

  /** Largest timestamp, in ms. */
  public long maxTimestamp() {
    return buffer.getLong(start + MAX_TIMESTAMP);
  }

  /** Producer id, or {@link #NO_PRODUCER_ID}. */
  public long producerId() {
    return buffer.getLong(start + PRODUCER_ID);
  }

  /** Whether a producer id is set. */
  public boolean hasProducerId() {
    return producerId() > NO_PRODUCER_ID;
  }

  /** Producer epoch. */
  public short producerEpoch() {
    return buffer.getShort(start + PRODUCER_EPOCH);
  }

  /** Sequence number of the first record, or {@link #NO_SEQUENCE}. */
  public int baseSequence() {
    return buffer.getInt(start + BASE_SEQUENCE);
  }

  /** Number of records; compaction can make it less than the offsets that the batch spans. */
  public int recordCount() {
    return buffer.getInt(start + RECORD_COUNT);
  }

  /** The batch's bytes, read-only and not copied. */
  public ByteBuffer bytes() {
    return buffer.slice(start, size).asReadOnlyBuffer();
  }

  /** The records' bytes, still compressed. */
  ByteBuffer recordBytes() {
    return buffer.slice(start + HEADER_BYTES, size - HEADER_BYTES).asReadOnlyBuffer();
  }

  /**
   * Opens a reader over the records. Close it where the batch is compressed.
   *
   * @throws CorruptBatchException if the codec is unknown or its stream does not start
   */
  public RecordReader records() {
    return RecordReader.open(this, Long.MAX_VALUE);
  }

  /**
   * The same, for a batch from outside: {@code next} throws {@link InflatedTooLargeException}
   * before the records take more than {@code inflatedBytesMax} bytes together.
   */
  public RecordReader records(long inflatedBytesMax) {
    return RecordReader.open(this, inflatedBytesMax);
  }

  /**
   * Decodes all records in order.
   *
   * @throws CorruptBatchException at the first that cannot be decoded
   */
  public void forEachRecord(Consumer<? super LogRecord> action) {
    try (RecordReader reader = records()) {
      reader.forEachRemaining(action);
    }
  }

  /** Stamps what the checksum does not cover. */
  public void stamp(long baseOffset, int leaderEpoch) {
    buffer.putLong(start, baseOffset);
    buffer.putInt(start + LEADER_EPOCH, leaderEpoch);
  }

  /** Makes {@code timeMs} the time of all records, and computes the checksum anew. */
  public void stampLogAppendTime(long timeMs) {
    buffer.putShort(start + ATTRIBUTES, (short) (attributes() | LOG_APPEND_TIME_BIT));
    buffer.putLong(start + MAX_TIMESTAMP, timeMs);
    buffer.putInt(start + CRC, (int) computeChecksum());
  }

  @Override
  public String toString() {
    return "RecordBatchView[baseOffset="
        + baseOffset()
        + ", lastOffset="
        + lastOffset()
        + ", leaderEpoch="
        + leaderEpoch()
        + ", attributes="
        + attributes()
        + ", producerId="
        + producerId()
        + ", producerEpoch="
        + producerEpoch()
        + ", baseSequence="
        + baseSequence()
        + ", recordCount="
        + recordCount()
        + ", sizeBytes="
        + size
        + ", position="
        + start
        + "]";
  }
}
