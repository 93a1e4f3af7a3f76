package dev.weir.protocol;

import java.nio.ByteBuffer;

/**
 * Record batches in memory.
 *
 * @param buffer from position to limit; not written to by the codec, its position is left alone
 */
public record BufferRecords(ByteBuffer buffer) implements Records {
  @Override
  public int sizeInBytes() {
    return buffer.remaining();
  }
}
