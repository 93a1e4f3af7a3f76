package dev.weir.log.batch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A byte array that grows as it is written. Not thread-safe. */
final class GrowingBytes extends OutputStream {
  private byte[] bytes;
  private int size;

  GrowingBytes(int capacity) {
    bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  void skip(int count) {
    require(count);
    size += count;
  }

  void putVarint(int value) {
    putUnsigned(((long) ((value << 1) ^ (value >> 31))) & 0xffff_ffffL);
  }

  void putVarlong(long value) {
    putUnsigned((value << 1) ^ (value >> 63));
  }

  private void putUnsigned(long value) {
    require(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** Copies the remaining bytes of {@code from}, whose position stays. */
  void put(ByteBuffer from) {
    int count = from.remaining();
    require(count);
    from.get(from.position(), bytes, size, count);
    size += count;
  }

  @Override
  public void write(int value) {
    require(1);
    bytes[size++] = (byte) value;
  }

  @Override
  public void write(byte[] from, int offset, int count) {
    require(count);
    System.arraycopy(from, offset, bytes, size, count);
    size += count;
  }

  void put(GrowingBytes from, int offset) {
    write(from.bytes, offset, from.size - offset);
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }

  /** What has been written, shared and not copied. */
  ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes, 0, size);
  }

  void clear() {
    size = 0;
  }

  private void require(int count) {
    if (count > bytes.length - size) {
      long wanted = Math.max((long) size + count, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 8L));
    }
  }
}
