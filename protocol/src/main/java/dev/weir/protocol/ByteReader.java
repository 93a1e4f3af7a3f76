package dev.weir.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the primitive types of the protocol from a frame, big-endian, front to back.
 *
 * <p>Every length is checked against the bytes that are left before anything is allocated by it, so
 * what a frame makes us allocate is bounded by its size. Numbers are left to the check that the
 * buffer makes anyway: in a tagged field they may go beyond its end, which {@link
 * #leaveTaggedField} then refuses. All methods throw {@link MalformedMessageException} where the
 * bytes don't fit. Byte fields are read-only slices of the frame, records are slices: they are
 * valid as long as the frame's memory is. Not thread-safe.
 */
public final class ByteReader {
  private static final int VARINT_BITS = 7;
  private static final int VARINT_MORE = 0x80;
  private static final int VARINT_PAYLOAD = 0x7f;
  private static final int VARINT_LAST_SHIFT = 28;
  private static final int VARLONG_LAST_SHIFT = 63;

  /** The most that a length of two bytes can say; the flexible versions keep the bound. */
  static final int STRING_BYTES_MAX = Short.MAX_VALUE;

  private final ByteBuffer buffer;
  private @Nullable ByteBuffer readOnly; // the same bytes, once a slice of them is handed out
  private int position; // 0 <= position <= buffer.limit()
  private int limit; // end of the frame or of the tagged field at hand, <= buffer.limit()

  /** Reads from the buffer's position to its limit and leaves both as they are. */
  public ByteReader(ByteBuffer buffer) {
    this.buffer = buffer.order() == ByteOrder.BIG_ENDIAN ? buffer : buffer.duplicate();
    this.position = buffer.position();
    this.limit = buffer.limit();
  }

  /** The bytes that are left. */
  public int remaining() {
    return limit - position;
  }

  public boolean readBool() {
    return readInt8() != 0;
  }

  public byte readInt8() {
    int at = position;
    position = at + Byte.BYTES;
    try {
      return buffer.get(at);
    } catch (IndexOutOfBoundsException e) {
      throw truncated(at, Byte.BYTES);
    }
  }

  public short readInt16() {
    int at = position;
    position = at + Short.BYTES;
    try {
      return buffer.getShort(at);
    } catch (IndexOutOfBoundsException e) {
      throw truncated(at, Short.BYTES);
    }
  }

  public int readUint16() {
    return Short.toUnsignedInt(readInt16());
  }

  public int readInt32() {
    int at = position;
    position = at + Integer.BYTES;
    try {
      return buffer.getInt(at);
    } catch (IndexOutOfBoundsException e) {
      throw truncated(at, Integer.BYTES);
    }
  }

  public long readUint32() {
    return Integer.toUnsignedLong(readInt32());
  }

  public long readInt64() {
    int at = position;
    position = at + Long.BYTES;
    try {
      return buffer.getLong(at);
    } catch (IndexOutOfBoundsException e) {
      throw truncated(at, Long.BYTES);
    }
  }

  public double readFloat64() {
    return Double.longBitsToDouble(readInt64());
  }

  /** Reads an id; the zero id is always the same object. */
  public UUID readUuid() {
    long high = readInt64();
    long low = readInt64();
    return (high | low) == 0 ? Uuids.ZERO : new UUID(high, low);
  }

  /** Reads seven bits a byte, lowest first, at most five bytes. */
  public int readUnsignedVarint() {
    int value = 0;
    for (int shift = 0; shift <= VARINT_LAST_SHIFT; shift += VARINT_BITS) {
      int next = readInt8();
      value |= (next & VARINT_PAYLOAD) << shift;
      if ((next & VARINT_MORE) == 0) {
        return value;
      }
    }
    throw malformed("a varint goes on after 5 bytes");
  }

  /** Reads a zigzag varint: 0, -1, 1, -2 are 0, 1, 2, 3. */
  public int readVarint() {
    int raw = readUnsignedVarint();
    return (raw >>> 1) ^ -(raw & 1);
  }

  /** Reads a zigzag varint of at most ten bytes. */
  public long readVarlong() {
    long raw = 0;
    for (int shift = 0; shift <= VARLONG_LAST_SHIFT; shift += VARINT_BITS) {
      long next = readInt8();
      raw |= (next & VARINT_PAYLOAD) << shift;
      if ((next & VARINT_MORE) == 0) {
        return (raw >>> 1) ^ -(raw & 1);
      }
    }
    throw malformed("a varlong goes on after 10 bytes");
  }

  public String readString() {
    return stringOf(notNull(readInt16()));
  }

  public @Nullable String readNullableString() {
    int length = readInt16();
    return length < 0 ? null : stringOf(length);
  }

  public String readCompactString() {
    return stringOf(notNull(readUnsignedVarint() - 1));
  }

  public @Nullable String readCompactNullableString() {
    int length = readUnsignedVarint() - 1;
    return length < 0 ? null : stringOf(length);
  }

  public ByteBuffer readBytes() {
    return sliceOf(notNull(readInt32()));
  }

  public @Nullable ByteBuffer readNullableBytes() {
    int length = readInt32();
    return length < 0 ? null : sliceOf(length);
  }

  public ByteBuffer readCompactBytes() {
    return sliceOf(notNull(readUnsignedVarint() - 1));
  }

  public @Nullable ByteBuffer readCompactNullableBytes() {
    int length = readUnsignedVarint() - 1;
    return length < 0 ? null : sliceOf(length);
  }

  /** Records may be written to where the frame may: a log stamps offsets in place. */
  public Records readRecords() {
    return recordsOf(notNull(readInt32()));
  }

  public @Nullable Records readNullableRecords() {
    int length = readInt32();
    return length < 0 ? null : recordsOf(length);
  }

  public Records readCompactRecords() {
    return recordsOf(notNull(readUnsignedVarint() - 1));
  }

  public @Nullable Records readCompactNullableRecords() {
    int length = readUnsignedVarint() - 1;
    return length < 0 ? null : recordsOf(length);
  }

  /**
   * Reads how many elements follow; -1 stands for null.
   *
   * @param leastBytes the least bytes that an element takes; a count that the bytes left can't hold
   *     is malformed
   */
  public int readArrayLength(int leastBytes) {
    return arrayLength(readInt32(), leastBytes);
  }

  /** The same, for the length of the flexible versions. */
  public int readCompactArrayLength(int leastBytes) {
    return arrayLength(readUnsignedVarint() - 1, leastBytes);
  }

  /** Reads that many numbers; the count comes from one of the two methods above. */
  public IntList readInt32s(int count) {
    int at = advance(Math.multiplyExact(count, Integer.BYTES));
    int[] elements = new int[count];
    for (int i = 0; i < count; i++) {
      elements[i] = buffer.getInt(at + i * Integer.BYTES);
    }
    return IntList.wrap(elements);
  }

  /** Reads the size of a tagged field and makes its end the end; returns the end until then. */
  public int enterTaggedField() {
    int size = readUnsignedVarint();
    if (size < 0 || size > remaining()) {
      throw malformed("a tagged field claims " + size + " bytes");
    }
    int outer = limit;
    limit = position + size;
    return outer;
  }

  /** Goes on behind a tagged field, which must have been read to its end. */
  public void leaveTaggedField(int outer) {
    if (position != limit) {
      throw malformed("a tagged field is longer than its value");
    }
    limit = outer;
  }

  /** Skips what is left, in a tagged field what is left of it. */
  public void skipRest() {
    position = limit;
  }

  /** Skips a section of tagged fields none of which is known. */
  public void skipTaggedFields() {
    for (int left = readUnsignedVarint(); left != 0; left--) {
      readUnsignedVarint();
      int outer = enterTaggedField();
      skipRest();
      leaveTaggedField(outer);
    }
  }

  /** Refuses bytes behind the value that was read last. */
  public void requireEnd() {
    if (position != limit) {
      throw malformed("bytes follow the end of the value");
    }
  }

  @Override
  public String toString() {
    return "ByteReader[position=" + position + ", limit=" + limit + "]";
  }

  private int advance(int bytes) {
    int at = position;
    if (bytes > limit - at) {
      throw malformed("the next value takes " + bytes + " bytes");
    }
    position = at + bytes;
    return at;
  }

  /** Puts the position back, so that the message tells where the value began. */
  private MalformedMessageException truncated(int at, int bytes) {
    position = at;
    return malformed("the next value takes " + bytes + " bytes");
  }

  private int notNull(int length) {
    if (length < 0) {
      throw malformed("a value that is never null has length " + length);
    }
    return length;
  }

  private int arrayLength(int count, int leastBytes) {
    if (count < 0) {
      return -1;
    }
    if ((long) count * leastBytes > remaining()) {
      throw malformed("an array claims " + count + " elements of at least " + leastBytes);
    }
    return count;
  }

  private String stringOf(int length) {
    if (length > STRING_BYTES_MAX) {
      throw malformed("a text claims " + length + " bytes");
    }
    int at = advance(length);
    if (length == 0) {
      return "";
    }
    if (buffer.hasArray()) {
      return new String(buffer.array(), buffer.arrayOffset() + at, length, StandardCharsets.UTF_8);
    }
    byte[] copy = new byte[length];
    buffer.get(at, copy);
    return new String(copy, StandardCharsets.UTF_8);
  }

  private Records recordsOf(int length) {
    return new BufferRecords(buffer.slice(advance(length), length));
  }

  private ByteBuffer sliceOf(int length) {
    int at = advance(length);
    ByteBuffer whole = readOnly;
    if (whole == null) {
      whole = buffer.isReadOnly() ? buffer : buffer.asReadOnlyBuffer();
      readOnly = whole;
    }
    return whole.slice(at, length);
  }

  private MalformedMessageException malformed(String what) {
    return new MalformedMessageException(
        what + ", remaining=" + remaining() + " at position=" + position);
  }
}
