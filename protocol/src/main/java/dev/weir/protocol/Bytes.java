package dev.weir.protocol;

import java.nio.ByteBuffer;

/** Constants for byte fields. */
public final class Bytes {
  /** No bytes; read-only. */
  public static final ByteBuffer EMPTY = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private Bytes() {}
}
