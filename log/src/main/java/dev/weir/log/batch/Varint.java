package dev.weir.log.batch;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Variable-length integers: zigzag, then seven bits a byte, lowest first. */
final class Varint {
  private static final int INT_BYTES_MAX = 5;
  private static final int LONG_BYTES_MAX = 10;

  private Varint() {}

  static int readInt(ByteBuffer in) {
    long raw = read(in, INT_BYTES_MAX);
    return decodeInt(raw);
  }

  static long readLong(ByteBuffer in) {
    long raw = read(in, LONG_BYTES_MAX);
    return (raw >>> 1) ^ -(raw & 1);
  }

  /**
   * Reads an int from a stream.
   *
   * @throws EOFException if the stream ends before or inside it
   */
  static int readInt(InputStream in) throws IOException {
    long raw = 0;
    for (int i = 0; i < INT_BYTES_MAX; i++) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("records end inside a number");
      }
      raw |= (long) (next & 0x7f) << (7 * i);
      if (next < 0x80) {
        return decodeInt(raw);
      }
    }
    throw new CorruptBatchException("number has more than " + INT_BYTES_MAX + " bytes");
  }

  private static int decodeInt(long raw) {
    int low = (int) raw;
    return (low >>> 1) ^ -(low & 1);
  }

  private static long read(ByteBuffer in, int bytesMax) {
    long raw = 0;
    for (int i = 0; i < bytesMax; i++) {
      if (!in.hasRemaining()) {
        throw new CorruptBatchException("record ends inside a number");
      }
      byte next = in.get();
      raw |= (long) (next & 0x7f) << (7 * i);
      if (next >= 0) {
        return raw;
      }
    }
    throw new CorruptBatchException("number has more than " + bytesMax + " bytes");
  }
}
