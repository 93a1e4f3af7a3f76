package dev.weir.log.dump;

import dev.weir.log.segment.SparseIndex.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The entries of an offset or time index, read a window at a time. Apache Kafka maps an index at
 * its full size while the segment is written, so zero entries at the end are room and no entries.
 * One thread.
 */
final class IndexBytes implements AutoCloseable {
  private static final int WINDOW_ENTRIES = 4096;

  private final FileChannel channel;
  private final Layout layout;
  private final long sizeBytes;
  private final long entriesEnd; // where the room starts
  private final ByteBuffer window;
  private long windowPosition;
  private long position; // of the current entry; before next(): one entry before the first

  private IndexBytes(FileChannel channel, Layout layout) throws IOException {
    this.channel = channel;
    this.layout = layout;
    this.sizeBytes = channel.size();
    this.window = ByteBuffer.allocate(WINDOW_ENTRIES * layout.entryBytes());
    this.entriesEnd = findEntriesEnd();
    this.window.limit(0);
    this.position = -layout.entryBytes();
  }

  static IndexBytes open(Path file, Layout layout) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      return new IndexBytes(channel, layout);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private long wholeBytes() {
    return sizeBytes - sizeBytes % layout.entryBytes();
  }

  private long findEntriesEnd() throws IOException {
    long end = wholeBytes();
    while (end > 0) {
      long start = Math.max(0, end - window.capacity());
      load(start, end);
      for (int i = window.limit() - 1; i >= 0; i--) {
        if (window.get(i) != 0) {
          return start + (i / layout.entryBytes() + 1L) * layout.entryBytes();
        }
      }
      end = start;
    }
    return 0;
  }

  private void load(long start, long end) throws IOException {
    window.clear().limit((int) (end - start));
    windowPosition = start;
    while (window.hasRemaining()) {
      if (channel.read(window, start + window.position()) < 0) {
        break; // cut while it was read: the rest is as if it had not been there
      }
    }
    window.flip();
    window.limit(window.limit() - window.limit() % layout.entryBytes());
  }

  /** Moves to the next entry; false at the end of the entries. */
  boolean next() throws IOException {
    position += layout.entryBytes();
    if (position >= entriesEnd) {
      return false;
    }
    if (position >= windowPosition + window.limit()) {
      load(position, Math.min(entriesEnd, position + window.capacity()));
    }
    return window.limit() > 0;
  }

  long position() {
    return position;
  }

  long key() {
    return layout.key(window, (int) (position - windowPosition));
  }

  int value() {
    return layout.value(window, (int) (position - windowPosition));
  }

  /** Number of entries, room left out. */
  long entries() {
    return entriesEnd / layout.entryBytes();
  }

  /** Where the room begins. */
  long entriesEnd() {
    return entriesEnd;
  }

  /** Zero bytes behind the entries. */
  long roomBytes() {
    return wholeBytes() - entriesEnd;
  }

  /** Tells of bytes at the end that are no whole entry. */
  void checkSize(Findings findings) throws IOException {
    long rest = sizeBytes - wholeBytes();
    if (rest > 0 && !FileGrowth.since(sizeBytes, channel::size).grows()) {
      findings.problem(
          wholeBytes(),
          "file ends after "
              + rest
              + " bytes of an entry of "
              + layout.entryBytes()
              + "; the index is built again from the segment when it is deleted while the node is"
              + " stopped");
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
