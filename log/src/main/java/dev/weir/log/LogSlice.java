package dev.weir.log;

import dev.weir.log.batch.RecordBatches;
import dev.weir.log.segment.SharedFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Whole record batches as a region of a segment file: nothing is copied until it is sent.
 *
 * <p>The file need not be open before the bytes are used. For {@code file.delete.delay.ms} after
 * the segment was deleted or compacted a slice gives the old bytes still, unless very many go at a
 * time; after that reads of it fail with a closed channel, never with other bytes.
 */
public final class LogSlice implements ReadOutcome {
  private final SharedFile file;
  private final long position;
  private final int sizeBytes;
  private final long fetchOffset;

  /**
   * A region.
   *
   * @param position position of the first byte
   * @param sizeBytes number of bytes, 0 if there is nothing to read yet
   * @param fetchOffset the offset that was asked for; the first batch holds it
   */
  LogSlice(SharedFile file, long position, int sizeBytes, long fetchOffset) {
    this.file = file;
    this.position = position;
    this.sizeBytes = sizeBytes;
    this.fetchOffset = fetchOffset;
  }

  /**
   * The file of a slice, held open. It stays readable until this is closed, whatever becomes of the
   * log, and costs a descriptor as long.
   */
  public static final class Lease implements AutoCloseable {
    private final SharedFile.Lease lease;

    private Lease(SharedFile.Lease lease) {
      this.lease = lease;
    }

    /** The channel; it belongs to the log: never close it, and read it by position only. */
    public FileChannel channel() {
      return lease.channel();
    }

    /** Gives the file back; once or more often. */
    @Override
    public void close() {
      lease.close();
    }
  }

  /** Position of the first byte in the file. */
  public long position() {
    return position;
  }

  /** Number of bytes, 0 if there is nothing to read yet. */
  public int sizeBytes() {
    return sizeBytes;
  }

  /** The offset that was asked for; the first batch holds it. */
  public long fetchOffset() {
    return fetchOffset;
  }

  /**
   * Opens the file and holds it open, for one who sends the bytes by himself.
   *
   * @throws LogException if it has gone, or can't be opened
   */
  public Lease lease() {
    try {
      return new Lease(file.lease());
    } catch (IOException e) {
      throw new LogException("cannot open the file of a slice: " + this, e);
    }
  }

  /**
   * Sends up to {@code countBytes} bytes from {@code fromByte} of this slice.
   *
   * @return number of bytes sent, possibly fewer
   */
  public long transferTo(long fromByte, long countBytes, WritableByteChannel target)
      throws IOException {
    long rest = Math.min(countBytes, sizeBytes - fromByte);
    if (rest <= 0) {
      return 0;
    }
    try (SharedFile.Lease lease = file.lease()) {
      return lease.channel().transferTo(position + fromByte, rest, target);
    }
  }

  /**
   * Reads the slice into a new heap buffer.
   *
   * @throws LogException if the file can't be read
   */
  public ByteBuffer toBuffer() {
    ByteBuffer buffer = ByteBuffer.allocate(sizeBytes);
    if (sizeBytes == 0) {
      return buffer;
    }
    try (SharedFile.Lease lease = file.lease()) {
      while (buffer.hasRemaining()) {
        if (lease.channel().read(buffer, position + buffer.position()) < 0) {
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
        + file.path()
        + "]";
  }
}
