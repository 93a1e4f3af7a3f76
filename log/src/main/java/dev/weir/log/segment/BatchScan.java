package dev.weir.log.segment;

import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchView;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Walks over the batches of a region of a segment file. A header scan reads a window at a time and
 * hops over records; a whole scan has each batch in memory, checksum and records too. One thread.
 */
public final class BatchScan {
  /** Bytes that are read by position, as of a {@link FileChannel}. */
  @FunctionalInterface
  public interface Bytes {
    /** Reads into a buffer from a position on; -1 at the end. */
    int read(ByteBuffer target, long position) throws IOException;
  }

  /** What a header scan reads at once where batches are small. */
  private static final int HEADER_WINDOW_BYTES = 8 << 10;

  /** What it reads before it knows: a look-up is often done after one header or two. */
  private static final int FIRST_WINDOW_BYTES = 512;

  /** Above this size of a batch the next header alone is read: it is in no window of the last. */
  private static final int SMALL_BATCH_BYTES = HEADER_WINDOW_BYTES / 2;

  private static final int WHOLE_WINDOW_BYTES = 256 << 10;

  private final Bytes bytes;
  private final long endPosition;
  private final boolean whole;
  private ByteBuffer window;
  private long windowPosition;
  private long position; // of the current batch, or of the first before next()
  private long nextPosition;
  private int lastBatchBytes; // of the batch before the current one, 0 before the second

  private BatchScan(
      Bytes bytes, long position, long endPosition, int windowBytes, ScanDepth depth) {
    this.bytes = bytes;
    this.endPosition = endPosition;
    this.whole = depth == ScanDepth.WHOLE;
    this.window =
        ByteBuffer.allocate((int) Math.clamp(endPosition - position, 0L, (long) windowBytes))
            .limit(0);
    this.windowPosition = position;
    this.position = position;
    this.nextPosition = position;
  }

  private enum ScanDepth {
    HEADERS,
    WHOLE
  }

  /** Scans headers of a file that stays open. */
  public static BatchScan headers(FileChannel channel, long position, long endPosition) {
    return headers(channel::read, position, endPosition);
  }

  /** Scans whole batches of a file that stays open. */
  public static BatchScan whole(FileChannel channel, long position, long endPosition) {
    return whole(channel::read, position, endPosition);
  }

  /** Scans headers between two positions; the first is the start of a batch. */
  public static BatchScan headers(Bytes bytes, long position, long endPosition) {
    return new BatchScan(bytes, position, endPosition, FIRST_WINDOW_BYTES, ScanDepth.HEADERS);
  }

  /** Scans whole batches between two positions; the first is the start of a batch. */
  public static BatchScan whole(Bytes bytes, long position, long endPosition) {
    return new BatchScan(bytes, position, endPosition, WHOLE_WINDOW_BYTES, ScanDepth.WHOLE);
  }

  /**
   * Moves to the next batch.
   *
   * @return false at the end
   * @throws CorruptBatchException if the bytes are no batch, or it is cut off by the end; {@link
   *     #nextPosition()} is where
   */
  public boolean next() throws IOException {
    if (nextPosition >= endPosition) {
      return false;
    }
    lastBatchBytes = (int) (nextPosition - position);
    position = nextPosition;
    if (endPosition - position < RecordBatchView.HEADER_BYTES) {
      throw new CorruptBatchException(
          "batch is cut off after " + (endPosition - position) + " bytes, at position=" + position);
    }
    require(RecordBatchView.HEADER_BYTES);
    int size = header().sizeInBytes();
    if (size > endPosition - position) {
      throw new CorruptBatchException(
          "batch of "
              + size
              + " bytes is cut off after "
              + (endPosition - position)
              + " bytes, at position="
              + position);
    }
    if (whole) {
      require(size);
    }
    nextPosition = position + size;
    return true;
  }

  private void require(int count) throws IOException {
    if (position >= windowPosition && position + count <= windowPosition + window.limit()) {
      return;
    }
    int wanted = (int) Math.min(Math.max(ahead(), count), endPosition - position);
    if (window.capacity() < wanted) {
      window = ByteBuffer.allocate(wanted);
    }
    window.clear().limit(wanted);
    windowPosition = position;
    while (window.hasRemaining()) {
      if (bytes.read(window, windowPosition + window.position()) < 0) {
        throw new EOFException(
            "file ends at " + (windowPosition + window.position()) + ", expected " + endPosition);
      }
    }
    window.flip();
  }

  /** How many bytes are worth reading from the current position on. */
  private int ahead() {
    if (whole) {
      return window.capacity();
    }
    if (lastBatchBytes > SMALL_BATCH_BYTES) {
      return RecordBatchView.HEADER_BYTES;
    }
    return lastBatchBytes == 0 ? FIRST_WINDOW_BYTES : HEADER_WINDOW_BYTES;
  }

  private RecordBatchView header() {
    return RecordBatchView.headerAt(window, (int) (position - windowPosition), position);
  }

  /** The current batch; its bytes are valid until the next move. */
  public RecordBatchView batch() {
    int start = (int) (position - windowPosition);
    return whole
        ? RecordBatchView.at(window, start)
        : RecordBatchView.headerAt(window, start, position);
  }

  /** Position of the current batch. */
  public long position() {
    return position;
  }

  /** Position after the current batch. */
  public long nextPosition() {
    return nextPosition;
  }
}
