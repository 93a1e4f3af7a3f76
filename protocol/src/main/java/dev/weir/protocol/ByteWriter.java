package dev.weir.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes the primitive types of the protocol, big-endian, in one pass into an array that grows.
 *
 * <p>Records are not copied, unless they are small: the writer remembers where they belong, and
 * {@link #parts()} gives the frame as buffers and records in turn. Not thread-safe.
 */
public final class ByteWriter {
  /** A stretch of a finished frame. */
  public sealed interface Part {
    /**
     * Bytes in memory, from position to limit: of the writer, valid until it is written to again,
     * or of records.
     */
    record Buffer(ByteBuffer bytes) implements Part {}

    /** Records to be sent from where they lie. */
    record Elsewhere(Records records) implements Part {}
  }

  private record Cut(int position, Records records) {}

  private static final int DEFAULT_CAPACITY_BYTES = 256;
  private static final int VARINT_BITS = 7;
  private static final int VARINT_MORE = 0x80;
  private static final int VARINT_PAYLOAD = 0x7f;
  private static final int VARINT_BYTES_MAX = 5;
  private static final int VARLONG_BYTES_MAX = 10;
  private static final int ASCII_END = 0x80;

  /** The largest array that every virtual machine gives. */
  private static final int CAPACITY_BYTES_MAX = Integer.MAX_VALUE - 8;

  /** Up to this length a loop beats the encoder; see the benchmark of the codec. */
  private static final int SHORT_STRING_CHARS = 48;

  /** Below this a copy is cheaper than one more buffer for the socket. */
  private static final int COPIED_RECORDS_BYTES = 512;

  private static final VarHandle INT16 =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes;
  private int position; // 0 <= position <= bytes.length
  private final List<Cut> cuts = new ArrayList<>(0); // by position, ascending
  private long cutBytes; // sum over cuts

  public ByteWriter() {
    this(DEFAULT_CAPACITY_BYTES);
  }

  /**
   * A writer with memory of its own.
   *
   * @param capacityBytes how many bytes to hold before the first growth
   */
  public ByteWriter(int capacityBytes) {
    bytes = new byte[capacityBytes];
  }

  /** The bytes of the frame so far, records included. */
  public long sizeInBytes() {
    return position + cutBytes;
  }

  /** The frame in order; empty stretches are left out. */
  public List<Part> parts() {
    List<Part> parts = new ArrayList<>(2 * cuts.size() + 1);
    int start = 0;
    for (Cut cut : cuts) {
      addBuffer(parts, start, cut.position);
      parts.add(
          cut.records instanceof BufferRecords(ByteBuffer buffer)
              ? new Part.Buffer(buffer.duplicate())
              : new Part.Elsewhere(cut.records));
      start = cut.position;
    }
    addBuffer(parts, start, position);
    return parts;
  }

  /**
   * The frame as one buffer; without a copy if it has no records, and then valid until the writer
   * is written to again.
   *
   * @throws IllegalStateException if records lie elsewhere
   */
  public ByteBuffer toBuffer() {
    if (cuts.isEmpty()) {
      return ByteBuffer.wrap(bytes, 0, position).slice();
    }
    ByteBuffer joined = ByteBuffer.allocate(Math.toIntExact(sizeInBytes()));
    for (Part part : parts()) {
      switch (part) {
        case Part.Buffer(ByteBuffer buffer) -> joined.put(buffer.duplicate());
        case Part.Elsewhere(Records records) ->
            throw new IllegalStateException(
                records.sizeInBytes() + " bytes of records lie elsewhere; take the parts");
      }
    }
    return joined.flip();
  }

  /** Forgets all that was written and keeps the memory. */
  public void clear() {
    position = 0;
    cuts.clear();
    cutBytes = 0;
  }

  /** Overwrites four bytes written before, for example a size that is known only at the end. */
  public void setInt32(int at, int value) {
    if (at < 0 || at > position - Integer.BYTES) {
      throw new IndexOutOfBoundsException("at=" + at + ", written=" + position);
    }
    INT32.set(bytes, at, value);
  }

  /**
   * Makes room for what the put methods write next.
   *
   * <p>One look at the capacity for several fields; each look has a branch that may replace the
   * array, behind which the compiled code knows nothing of it any more.
   */
  public void reserve(int count) {
    if (count > bytes.length - position) {
      grow(count);
    }
  }

  /** Writes one byte into reserved room, as do all put methods. */
  public void putBool(boolean value) {
    putInt8((byte) (value ? 1 : 0));
  }

  public void putInt8(byte value) {
    int at = position;
    bytes[at] = value;
    position = at + Byte.BYTES;
  }

  public void putInt16(short value) {
    int at = position;
    INT16.set(bytes, at, value);
    position = at + Short.BYTES;
  }

  /**
   * Puts the low 16 bits.
   *
   * @throws IllegalArgumentException if the value is outside of 0..65535
   */
  public void putUint16(int value) {
    if (value < 0 || value > 0xffff) {
      throw new IllegalArgumentException(value + " is no uint16");
    }
    putInt16((short) value);
  }

  public void putInt32(int value) {
    int at = position;
    INT32.set(bytes, at, value);
    position = at + Integer.BYTES;
  }

  /**
   * Puts the low 32 bits.
   *
   * @throws IllegalArgumentException if the value is outside of 0..4294967295
   */
  public void putUint32(long value) {
    if (value < 0 || value > 0xffff_ffffL) {
      throw new IllegalArgumentException(value + " is no uint32");
    }
    putInt32((int) value);
  }

  public void putInt64(long value) {
    int at = position;
    INT64.set(bytes, at, value);
    position = at + Long.BYTES;
  }

  public void putFloat64(double value) {
    putInt64(Double.doubleToRawLongBits(value));
  }

  public void putUuid(UUID value) {
    putInt64(value.getMostSignificantBits());
    putInt64(value.getLeastSignificantBits());
  }

  /** Puts seven bits a byte, lowest first; at most five bytes. */
  public void putUnsignedVarint(int value) {
    int rest = value;
    while ((rest & ~VARINT_PAYLOAD) != 0) {
      putInt8((byte) ((rest & VARINT_PAYLOAD) | VARINT_MORE));
      rest >>>= VARINT_BITS;
    }
    putInt8((byte) rest);
  }

  /** Puts the number of elements in four bytes; -1 stands for null. */
  public void putArrayLength(int count) {
    putInt32(count);
  }

  /** Puts a varint of the number of elements plus one; -1 stands for null. */
  public void putCompactArrayLength(int count) {
    putUnsignedVarint(count + 1);
  }

  public void writeInt8(byte value) {
    reserve(Byte.BYTES);
    putInt8(value);
  }

  public void writeInt16(short value) {
    reserve(Short.BYTES);
    putInt16(value);
  }

  public void writeInt32(int value) {
    reserve(Integer.BYTES);
    putInt32(value);
  }

  public void writeInt64(long value) {
    reserve(Long.BYTES);
    putInt64(value);
  }

  public void writeUuid(UUID value) {
    reserve(2 * Long.BYTES);
    putUuid(value);
  }

  /** Writes seven bits a byte, lowest first. */
  public void writeUnsignedVarint(int value) {
    reserve(VARINT_BYTES_MAX);
    putUnsignedVarint(value);
  }

  /** Writes a zigzag varint: 0, -1, 1, -2 become 0, 1, 2, 3. */
  public void writeVarint(int value) {
    writeUnsignedVarint((value << 1) ^ (value >> (Integer.SIZE - 1)));
  }

  /** Writes a zigzag varint of up to ten bytes. */
  public void writeVarlong(long value) {
    reserve(VARLONG_BYTES_MAX);
    long rest = (value << 1) ^ (value >> (Long.SIZE - 1));
    while ((rest & ~(long) VARINT_PAYLOAD) != 0) {
      putInt8((byte) ((rest & VARINT_PAYLOAD) | VARINT_MORE));
      rest >>>= VARINT_BITS;
    }
    putInt8((byte) rest);
  }

  /**
   * Writes a length of two bytes, -1 for null, and the text as UTF-8.
   *
   * @throws IllegalArgumentException if the text takes more than 32767 bytes
   */
  public void writeString(@Nullable String value) {
    if (value == null) {
      writeInt16((short) -1);
      return;
    }
    int start = position;
    if (isWrittenAsAscii(value, Short.BYTES)) {
      INT16.set(bytes, start, (short) value.length());
      return;
    }
    byte[] encoded = utf8(value);
    writeInt16((short) encoded.length);
    writeRaw(encoded);
  }

  /**
   * Writes a varint of the length plus one, 0 for null, and the text as UTF-8.
   *
   * @throws IllegalArgumentException if the text takes more than 32767 bytes
   */
  public void writeCompactString(@Nullable String value) {
    if (value == null) {
      writeInt8((byte) 0);
      return;
    }
    int start = position;
    if (isWrittenAsAscii(value, 1)) {
      bytes[start] = (byte) (value.length() + 1);
      return;
    }
    byte[] encoded = utf8(value);
    writeUnsignedVarint(encoded.length + 1);
    writeRaw(encoded);
  }

  public void writeBytes(@Nullable ByteBuffer value) {
    if (value == null) {
      writeInt32(-1);
    } else {
      writeInt32(value.remaining());
      writeRaw(value);
    }
  }

  public void writeCompactBytes(@Nullable ByteBuffer value) {
    if (value == null) {
      writeInt8((byte) 0);
    } else {
      writeUnsignedVarint(value.remaining() + 1);
      writeRaw(value);
    }
  }

  public void writeRecords(@Nullable Records value) {
    if (value == null) {
      writeInt32(-1);
    } else {
      writeInt32(value.sizeInBytes());
      writeRaw(value);
    }
  }

  public void writeCompactRecords(@Nullable Records value) {
    if (value == null) {
      writeInt8((byte) 0);
    } else {
      writeUnsignedVarint(value.sizeInBytes() + 1);
      writeRaw(value);
    }
  }

  /** Writes the numbers without their count. */
  public void writeInt32s(List<Integer> values) {
    IntList ints = IntList.copyOf(values);
    int count = ints.size();
    int at = advance(Math.multiplyExact(count, Integer.BYTES));
    for (int i = 0; i < count; i++) {
      INT32.set(bytes, at + i * Integer.BYTES, ints.getInt(i));
    }
  }

  /** Writes bytes without their length; the buffer's position is left alone. */
  public void writeRaw(ByteBuffer value) {
    int length = value.remaining();
    int at = advance(length);
    value.get(value.position(), bytes, at, length);
  }

  /** Leaves room for the size of a tagged field; returns what {@link #leaveTaggedField} takes. */
  public int enterTaggedField() {
    return advance(1);
  }

  /** Sets the size of the tagged field that began there, which is all that was written since. */
  public void leaveTaggedField(int start) {
    assert cuts.isEmpty() || cuts.getLast().position <= start : "records in a tagged field";
    int size = position - start - 1;
    // One byte was left for the size. Few tagged fields need more, so they alone pay for a move.
    int more = sizeOfUnsignedVarint(size) - 1;
    if (more > 0) {
      advance(more);
      System.arraycopy(bytes, start + 1, bytes, start + 1 + more, size);
    }
    int end = position;
    position = start;
    writeUnsignedVarint(size);
    position = end;
  }

  @Override
  public String toString() {
    return "ByteWriter[position=" + position + ", cuts=" + cuts.size() + "]";
  }

  private static int sizeOfUnsignedVarint(int value) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(value | 1);
    return (bits + VARINT_BITS - 1) / VARINT_BITS;
  }

  /** Whether the text is short and all ASCII; it is then written behind room for its length. */
  private boolean isWrittenAsAscii(String value, int lengthBytes) {
    int length = value.length();
    if (length > SHORT_STRING_CHARS) {
      return false;
    }
    int start = advance(lengthBytes + length);
    int at = start + lengthBytes;
    for (int i = 0; i < length; i++) {
      char next = value.charAt(i);
      if (next >= ASCII_END) {
        position = start;
        return false;
      }
      bytes[at + i] = (byte) next;
    }
    return true;
  }

  private static byte[] utf8(String value) {
    byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
    if (encoded.length > ByteReader.STRING_BYTES_MAX) {
      throw new IllegalArgumentException(
          "text of "
              + encoded.length
              + " bytes, at most "
              + ByteReader.STRING_BYTES_MAX
              + " can be written");
    }
    return encoded;
  }

  private void writeRaw(byte[] value) {
    int at = advance(value.length);
    System.arraycopy(value, 0, bytes, at, value.length);
  }

  private void writeRaw(Records records) {
    int size = records.sizeInBytes();
    if (records instanceof BufferRecords(ByteBuffer buffer) && size < COPIED_RECORDS_BYTES) {
      writeRaw(buffer);
    } else if (size > 0) {
      cuts.add(new Cut(position, records));
      cutBytes += size;
    }
  }

  private void addBuffer(List<Part> parts, int start, int end) {
    if (start < end) {
      parts.add(new Part.Buffer(ByteBuffer.wrap(bytes, start, end - start)));
    }
  }

  /** Makes room and returns where it begins; may replace the array. */
  private int advance(int count) {
    reserve(count);
    int at = position;
    position = at + count;
    return at;
  }

  private void grow(int count) {
    long needed = (long) position + count;
    if (needed > CAPACITY_BYTES_MAX) {
      throw new IllegalStateException("a frame of " + needed + " bytes can't be held in memory");
    }
    bytes =
        Arrays.copyOf(
            bytes, (int) Math.min(CAPACITY_BYTES_MAX, Math.max(needed, 2L * bytes.length)));
  }
}
