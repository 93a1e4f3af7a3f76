package dev.weir.log.batch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;

/**
 * Reads snappy as Kafka's clients write it. Java clients use xerial's framing: 16 bytes of header
 * (eight of magic, version, compatible version), then blocks of a length (int32, big-endian) and
 * that many compressed bytes. librdkafka writes one bare block.
 *
 * <p>Written here since the library's stream allocates by lengths that it has not checked.
 */
final class SnappyBlocks extends InputStream {
  private static final long MAGIC = 0x82534e4150505900L; // 0x82 "SNAPPY" 0
  private static final int HEADER_BYTES = 16;

  private final ByteBuffer in;
  private boolean bare;
  private byte[] block = new byte[0];
  private int position;
  private int limit;

  SnappyBlocks(ByteBuffer in) {
    this.in = in;
    if (in.remaining() >= HEADER_BYTES && in.getLong(in.position()) == MAGIC) {
      in.position(in.position() + HEADER_BYTES);
    } else {
      bare = true;
    }
  }

  @Override
  public int read() throws IOException {
    return fill() ? block[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int size = Math.min(count, limit - position);
    System.arraycopy(block, position, target, offset, size);
    position += size;
    return size;
  }

  private boolean fill() throws IOException {
    while (position == limit) {
      if (!in.hasRemaining()) {
        return false;
      }
      next();
    }
    return true;
  }

  private void next() throws IOException {
    int size = in.remaining();
    if (!bare) {
      if (size < Integer.BYTES) {
        throw new CorruptBatchException("snappy data ends inside a block length");
      }
      size = in.getInt();
      if (size < 0 || size > in.remaining()) {
        throw new CorruptBatchException(
            "snappy block has " + size + " bytes, expected at most " + in.remaining());
      }
    }
    byte[] compressed = new byte[size];
    in.get(compressed);
    // The library refuses a length that so many bytes cannot hold: three yield 64 at most.
    int plain = Snappy.uncompressedLength(compressed);
    if (block.length < plain) {
      block = new byte[plain];
    }
    position = 0;
    limit = Snappy.uncompress(compressed, 0, size, block, 0);
  }
}
