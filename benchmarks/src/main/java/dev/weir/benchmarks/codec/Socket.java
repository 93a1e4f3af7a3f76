package dev.weir.benchmarks.codec;

import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.Records;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.network.TransferableChannel;

/**
 * Where a frame goes: into memory off the heap, as the virtual machine or Netty copy it for the
 * system call. Record batches are only counted.
 */
final class Socket implements TransferableChannel {
  private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 20);
  private final int recordsBytes; // buffers of this size are record batches
  private long countedBytes;

  Socket(int recordsBytes) {
    this.recordsBytes = recordsBytes;
  }

  /** Takes the whole frame of the writer; returns its size. */
  long take(ByteWriter frame) {
    clear();
    for (ByteWriter.Part part : frame.parts()) {
      switch (part) {
        case ByteWriter.Part.Buffer(ByteBuffer bytes) -> write(bytes);
        case ByteWriter.Part.Elsewhere(Records records) -> countedBytes += records.sizeInBytes();
      }
    }
    return memory.position() + countedBytes;
  }

  /** Takes the whole frame of the other side; returns its size. */
  long take(Send frame) {
    clear();
    try {
      while (!frame.completed()) {
        frame.writeTo(this);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return memory.position() + countedBytes;
  }

  /** The frame without its record batches. */
  ByteBuffer copied() {
    return memory.duplicate().flip();
  }

  @Override
  public int write(ByteBuffer source) {
    int size = source.remaining();
    if (size == recordsBytes) {
      countedBytes += size;
      source.position(source.limit());
    } else {
      memory.put(source);
    }
    return size;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    long written = 0;
    for (int i = offset; i < offset + length; i++) {
      written += write(sources[i]);
    }
    return written;
  }

  @Override
  public long write(ByteBuffer[] sources) {
    return write(sources, 0, sources.length);
  }

  @Override
  public boolean hasPendingWrites() {
    return false;
  }

  @Override
  public long transferFrom(FileChannel file, long position, long count) {
    throw new UnsupportedOperationException("no files here");
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}

  private void clear() {
    memory.clear();
    countedBytes = 0;
  }
}
