package dev.weir.log.batch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the records of one batch, one at a time. A record: length (varint), attributes (int8),
 * timestamp delta (varlong), offset delta (varint), key and value (varint length, -1 for null,
 * bytes), header count (varint), headers (key length, key, value length or -1, value).
 *
 * <p>Memory for a record is taken as its bytes arrive, never by a length that is only claimed. One
 * thread; {@code next} throws {@link CorruptBatchException} where the bytes are no record.
 */
public final class RecordReader implements Iterator<LogRecord>, AutoCloseable {
  /** Bound of one decoded record, against data that inflates without end. */
  public static final int RECORD_BYTES_MAX = 256 << 20;

  /** A record has at least attributes, two deltas, two lengths and a header count. */
  private static final int RECORD_BYTES_MIN = 6;

  private final RecordBatchView batch;
  private final @Nullable InputStream compressed;
  private final ByteBuffer plain;
  private final long baseOffset;
  private final long baseTimestamp;
  private final long logAppendTime; // NO_TIMESTAMP: the records have their own
  private final long inflatedBytesMax;
  private long inflatedBytes; // <= inflatedBytesMax
  private int rest;

  private RecordReader(
      RecordBatchView batch,
      @Nullable InputStream compressed,
      ByteBuffer plain,
      long inflatedBytesMax) {
    this.batch = batch;
    this.inflatedBytesMax = inflatedBytesMax;
    this.compressed = compressed;
    this.plain = plain;
    this.baseOffset = batch.baseOffset();
    this.baseTimestamp = batch.baseTimestamp();
    this.logAppendTime =
        batch.isLogAppendTime() ? batch.maxTimestamp() : RecordBatchView.NO_TIMESTAMP;
    this.rest = batch.recordCount();
    if (rest < 0) {
      throw new CorruptBatchException("record count is " + rest + ", expected 0 or more: " + batch);
    }
  }

  static RecordReader open(RecordBatchView batch, long inflatedBytesMax) {
    Compression compression = batch.compression();
    ByteBuffer bytes = batch.recordBytes();
    if (compression == Compression.NONE) {
      return new RecordReader(batch, null, bytes, inflatedBytesMax);
    }
    if (batch.recordCount() == 0) {
      return new RecordReader(
          batch, null, bytes, inflatedBytesMax); // compaction leaves empty batches without data
    }
    try {
      return new RecordReader(batch, Codec.decompress(compression, bytes), bytes, inflatedBytesMax);
    } catch (CorruptBatchException e) {
      throw e;
    } catch (IOException | RuntimeException e) { // the codecs have their own unchecked exceptions
      throw undecodable(batch, e);
    }
  }

  @Override
  public boolean hasNext() {
    return rest > 0;
  }

  @Override
  public LogRecord next() {
    if (rest <= 0) {
      throw new NoSuchElementException("no more records: " + batch);
    }
    rest--;
    return parse(nextBody());
  }

  /** Whether the next record has a key; takes the record without keeping it. */
  boolean nextHasKey() {
    if (rest <= 0) {
      throw new NoSuchElementException("no more records: " + batch);
    }
    rest--;
    ByteBuffer body = nextBody();
    body.get();
    Varint.readLong(body);
    Varint.readInt(body);
    return Varint.readInt(body) >= 0;
  }

  private ByteBuffer nextBody() {
    if (compressed == null) {
      int size = checkSize(Varint.readInt(plain), plain.remaining());
      ByteBuffer body = plain.slice(plain.position(), size);
      plain.position(plain.position() + size);
      return body;
    }
    try {
      int size = checkSize(Varint.readInt(compressed), RECORD_BYTES_MAX);
      inflatedBytes += size;
      if (inflatedBytes > inflatedBytesMax) {
        throw new InflatedTooLargeException(
            "records inflate to "
                + inflatedBytes
                + " bytes or more, expected at most "
                + inflatedBytesMax
                + ": "
                + batch);
      }
      byte[] body = compressed.readNBytes(size);
      if (body.length != size) {
        throw new CorruptBatchException(
            "record has " + body.length + " bytes, expected " + size + ": " + batch);
      }
      return ByteBuffer.wrap(body).asReadOnlyBuffer();
    } catch (CorruptBatchException | InflatedTooLargeException e) {
      throw e;
    } catch (IOException | RuntimeException e) { // the codecs have their own unchecked exceptions
      throw undecodable(batch, e);
    }
  }

  private int checkSize(int size, int sizeMax) {
    if (size < RECORD_BYTES_MIN || size > sizeMax) {
      throw new CorruptBatchException(
          "record has "
              + size
              + " bytes, expected "
              + RECORD_BYTES_MIN
              + ".."
              + sizeMax
              + ": "
              + batch);
    }
    return size;
  }

  private LogRecord parse(ByteBuffer body) {
    body.get(); // attributes: no bit has a meaning yet
    long timestampDelta = Varint.readLong(body);
    int offsetDelta = Varint.readInt(body);
    ByteBuffer key = bytes(body);
    ByteBuffer value = bytes(body);
    int headerCount = Varint.readInt(body);
    if (headerCount < 0 || headerCount > body.remaining()) {
      throw new CorruptBatchException(
          "record has " + headerCount + " headers in " + body.remaining() + " bytes: " + batch);
    }
    List<RecordHeader> headers = List.of();
    if (headerCount > 0) {
      headers = new ArrayList<>(headerCount);
      for (int i = 0; i < headerCount; i++) {
        ByteBuffer name = bytes(body);
        if (name == null) {
          throw new CorruptBatchException("record has a header without a key: " + batch);
        }
        headers.add(new RecordHeader(StandardCharsets.UTF_8.decode(name).toString(), bytes(body)));
      }
      headers = List.copyOf(headers);
    }
    if (body.hasRemaining()) {
      throw new CorruptBatchException(
          "record has " + body.remaining() + " bytes after its headers: " + batch);
    }
    long timestamp = baseTimestamp + timestampDelta;
    return new LogRecord(
        baseOffset + offsetDelta,
        logAppendTime == RecordBatchView.NO_TIMESTAMP ? timestamp : logAppendTime,
        key,
        value,
        headers);
  }

  private @Nullable ByteBuffer bytes(ByteBuffer body) {
    int size = Varint.readInt(body);
    if (size < 0) {
      return null;
    }
    if (size > body.remaining()) {
      throw new CorruptBatchException(
          "field has " + size + " bytes, expected at most " + body.remaining() + ": " + batch);
    }
    ByteBuffer field = body.slice(body.position(), size);
    body.position(body.position() + size);
    return field;
  }

  private static CorruptBatchException undecodable(RecordBatchView batch, Exception cause) {
    return new CorruptBatchException("records cannot be decompressed: " + batch, cause);
  }

  @Override
  public void close() {
    if (compressed != null) {
      try {
        compressed.close();
      } catch (IOException e) {
        throw undecodable(batch, e);
      }
    }
  }
}
