package dev.weir.benchmarks.log;

import java.nio.ByteBuffer;

/** The log of one partition, of either engine. */
interface EngineLog extends AutoCloseable {
  /** Appends whole batches, to the page cache; offsets and the like are stamped into them. */
  long append(ByteBuffer batches);

  /** The position in its file at which a read from the offset begins. */
  long position(long offset);

  /** Bytes of the batches from the offset on, at most so many, counted by their headers. */
  long readHeaders(long offset, int maxBytes);

  /** The offset after the last record. */
  long endOffset();

  /** Compacts all closed segments; how many bytes these had. */
  long compact();

  @Override
  void close();
}
