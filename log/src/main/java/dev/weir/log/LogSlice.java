package dev.weir.log;

import dev.weir.log.batch.RecordBatches;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/**
 * Whole record batches as a region of a segment file: nothing is copied until it is sent.
 *
 * <p>The channel belongs to the log: never close it, and read it by position only. It stays open
 * for {@code file.delete.delay.ms} after the segment is deleted, so a slice is good for that long;
 * after that reads of it fail with a closed channel, never with other bytes.
 *
 * @param channel segment file
 * @param position position of the first byte
 * @param sizeBytes number of bytes, 0 if there is nothing to read yet
 * @param fetchOffset the offset that was asked for; the first batch holds it
 * @param file the file's name, for messages
 */
public record LogSlice(
    FileChannel channel, long position, int sizeBytes, long fetchOffset, Path file)
    implements ReadOutcome {

  /**
   * Sends up to {@code countBytes} bytes from {@code fromByte} of this slice.
   *
   * @return number of bytes sent, possibly fewer
   */
  public long transferTo(long fromByte, long countBytes, WritableByteChannel target)
      throws IOException {
    long rest = Math.min(countBytes, sizeBytes - fromByte);
    return rest <= 0 ? 0 : channel.transferTo(position + fromByte, rest, target);
  }

  /**
   * Reads the slice into a new heap buffer.
   *
   * @throws LogException if the file can't be read
   */
  public ByteBuffer toBuffer() {
    ByteBuffer buffer = ByteBuffer.allocate(sizeBytes);
    try {
      while (buffer.hasRemaining()) {
        if (channel.read(buffer, position + buffer.position()) < 0) {
          throw new EOFException("file ends before the slice does");
        }
      }
    } catch (IOException e) {
      throw new LogException("cannot read a slice: " + this, e);
    }
    return buffer.flip();
  }

  /** Reads the slice and iterates over its batches. */
  public RecordBatches batches() {
    return RecordBatches.of(toBuffer());
  }

  @Override
  public String toString() {
    return "LogSlice[fetchOffset="
        + fetchOffset
        + ", position="
        + position
        + ", sizeBytes="
        + sizeBytes
        + ", file="
        + file
        + "]";
  }
}
