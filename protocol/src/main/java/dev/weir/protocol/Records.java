package dev.weir.protocol;

/**
 * Record batches inside a message, opaque to the codec: bytes in memory ({@link BufferRecords}) or
 * a region of a file that another module sends without copying it.
 */
public interface Records {
  /** How many bytes they take on the wire. */
  int sizeInBytes();
}
