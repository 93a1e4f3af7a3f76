package dev.weir.protocol;

import java.nio.ByteBuffer;

/**
 * Record batches in memory.
 *
 * @param buffer from position to limit; not written to by the codec, its position is left alone
 */
public record BufferRecords(ByteBuffer buffer) implements Records {
  /** No records. */
  public static final BufferRecords EMPTY = new BufferRecords(Bytes.EMPTY);

  @Override
  public int sizeInBytes() {
    return buffer.remaining();
  }
}
