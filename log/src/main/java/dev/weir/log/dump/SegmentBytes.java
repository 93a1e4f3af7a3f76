package dev.weir.log.dump;

import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.segment.BatchScan;
import dev.weir.log.segment.SegmentFiles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * A segment file, opened for reading as it is at that moment; a node may append to it meanwhile.
 * Batches are walked by their headers, and loaded where their records are wanted. One thread.
 */
final class SegmentBytes implements AutoCloseable {
  /**
   * Bound of a batch that is loaded. A batch is at most {@code message.max.bytes}, 1 MiB unless
   * raised; a damaged length can claim all of the file.
   */
  static final int BATCH_BYTES_MAX = 256 << 20;

  private static final int ZEROS_WINDOW_BYTES = 64 << 10;

  private final Path file;
  private final FileChannel channel;
  private final long sizeBytes;
  private final FileGrowth growth;
  private final BatchScan scan;
  private ByteBuffer loaded = ByteBuffer.allocate(0);

  private SegmentBytes(Path file, FileChannel channel, long sizeBytes, FileGrowth growth) {
    this.file = file;
    this.channel = channel;
    this.sizeBytes = sizeBytes;
    this.growth = growth;
    this.scan = BatchScan.headers(channel, 0, sizeBytes);
  }

  static SegmentBytes open(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    long size = channel.size();
    return new SegmentBytes(file, channel, size, FileGrowth.since(size, channel::size));
  }

  /**
   * As above.
   *
   * @param moment what happens before the size is looked at again
   */
  static SegmentBytes open(Path file, FileGrowth.Moment moment) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    long size = channel.size();
    return new SegmentBytes(file, channel, size, new FileGrowth(channel::size, size, moment));
  }

  /** What moving to the next batch brought. */
  sealed interface Step {
    /** A batch, whose header is valid until the next move. */
    record At(long position, RecordBatchView header) implements Step {}

    /** The end of the file. */
    record End() implements Step {}

    /** No batch; nothing behind it can be found. */
    record Broken(long position, String text) implements Step {}
  }

  /** A walk from a position that starts a batch. */
  BatchScan headers(long startPosition) {
    return BatchScan.headers(channel, startPosition, sizeBytes);
  }

  /** Moves to the next batch of the walk over the whole file. */
  Step next() throws IOException {
    return next(scan);
  }

  /** Moves a walk on. */
  Step next(BatchScan walk) throws IOException {
    try {
      return walk.next() ? new Step.At(walk.position(), walk.batch()) : new Step.End();
    } catch (CorruptBatchException e) {
      long position = walk.nextPosition();
      // What was cut off when the file was opened and grows was being written.
      boolean isWritten = endsInside(position) && growth.grows();
      return isWritten ? new Step.End() : new Step.Broken(position, describe(position));
    }
  }

  private boolean endsInside(long position) throws IOException {
    long available = sizeBytes - position;
    if (available < RecordBatchView.HEADER_BYTES) {
      return true;
    }
    ByteBuffer header = read(position, RecordBatchView.HEADER_BYTES);
    return header.get(16) == RecordBatchView.MAGIC && claimedBytes(header) > available;
  }

  private static long claimedBytes(ByteBuffer header) {
    return RecordBatchView.PREFIX_BYTES + (long) header.getInt(Long.BYTES);
  }

  private String describe(long position) throws IOException {
    long available = sizeBytes - position;
    if (available < RecordBatchView.HEADER_BYTES) {
      return "file ends after "
          + available
          + " bytes of a batch, whose header alone has "
          + RecordBatchView.HEADER_BYTES;
    }
    if (isZeroFrom(position)) {
      return "only zero bytes from here to the end, "
          + available
          + " of them: lost with the power, or room that Apache Kafka took with preallocate=true";
    }
    ByteBuffer header = read(position, RecordBatchView.HEADER_BYTES);
    byte magic = header.get(16);
    long size = claimedBytes(header);
    if (magic == 0 || magic == 1) {
      return "batch has the message format "
          + magic
          + ", which is not read here, or its magic is damaged";
    }
    if (magic != RecordBatchView.MAGIC || size < RecordBatchView.HEADER_BYTES) {
      return "no batch: magic is "
          + magic
          + " and size "
          + size
          + ", expected magic "
          + RecordBatchView.MAGIC
          + " and a size of at least "
          + RecordBatchView.HEADER_BYTES;
    }
    return "file ends after " + available + " bytes of a batch that claims " + size;
  }

  private boolean isZeroFrom(long position) throws IOException {
    for (long at = position; at < sizeBytes; at += ZEROS_WINDOW_BYTES) {
      ByteBuffer window = read(at, (int) Math.min(ZEROS_WINDOW_BYTES, sizeBytes - at));
      while (window.hasRemaining()) {
        if (window.get() != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Loads a whole batch; its bytes are valid until the next is loaded.
   *
   * @throws CorruptBatchException if it is larger than {@link #BATCH_BYTES_MAX}
   */
  RecordBatchView load(long position, int batchBytes) throws IOException {
    if (batchBytes > BATCH_BYTES_MAX) {
      throw new CorruptBatchException(
          "batch has " + batchBytes + " bytes, at most " + BATCH_BYTES_MAX + " are read");
    }
    return RecordBatchView.at(read(position, batchBytes), 0);
  }

  private ByteBuffer read(long position, int count) throws IOException {
    if (loaded.capacity() < count) {
      loaded = ByteBuffer.allocate(Math.max(count, 4 << 10));
    }
    loaded.clear().limit(count);
    while (loaded.hasRemaining()) {
      if (channel.read(loaded, position + loaded.position()) < 0) {
        throw new EOFException(
            "file was cut at " + (position + loaded.position()) + " while it was read: " + file);
      }
    }
    return loaded.flip();
  }

  /** The offset in the file's name; empty if it has none. */
  OptionalLong namedOffset() {
    return namedOffset(file);
  }

  static OptionalLong namedOffset(Path file) {
    String name = FileKind.plainName(file);
    int dot = name.lastIndexOf('.');
    return dot < 0 ? OptionalLong.empty() : SegmentFiles.offset(name, name.substring(dot));
  }

  Path file() {
    return file;
  }

  /** Whether something was appended since it was opened. */
  boolean hasGrown() throws IOException {
    return growth.hasGrown();
  }

  /** Size when the file was opened. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** What a decoder says is wrong, without the place in its buffer, which is not the file's. */
  static String reason(RuntimeException e) {
    String text = String.valueOf(e.getMessage());
    for (String place : new String[] {": RecordBatchView[", ", at position="}) {
      int at = text.indexOf(place);
      text = at < 0 ? text : text.substring(0, at);
    }
    return text;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
