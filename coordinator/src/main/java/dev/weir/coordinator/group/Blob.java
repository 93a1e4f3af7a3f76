package dev.weir.coordinator.group;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Bytes that clients exchange through the coordinator and that it never reads: a member's protocol
 * metadata, its assignment. Immutable; owns its bytes.
 */
final class Blob {
  static final Blob EMPTY = new Blob(new byte[0]);

  private final byte[] bytes;

  private Blob(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Copies the remaining bytes; the buffer's position stays. */
  static Blob copyOf(ByteBuffer buffer) {
    if (!buffer.hasRemaining()) {
      return EMPTY;
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return new Blob(bytes);
  }

  /** A new read-only view of the bytes. */
  ByteBuffer view() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  int sizeBytes() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Blob blob && Arrays.equals(bytes, blob.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The size only: the content is the clients' business. */
  @Override
  public String toString() {
    return "Blob[" + bytes.length + " bytes]";
  }
}
