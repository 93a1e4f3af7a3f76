package dev.weir.log.segment;

import dev.weir.log.CorruptFileException;
import dev.weir.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A sorted file of entries of a fixed size, big-endian, without header, as Apache Kafka writes it:
 *
 * <pre>
 * offset index ({@code .index}), 8 bytes:     0 4 relative offset   4 4 position
 * time index ({@code .timeindex}), 12 bytes:  0 8 timestamp         8 4 relative offset
 * </pre>
 *
 * <p>Keys grow strictly, values do not go back. The index of a segment that is still written (open)
 * keeps its newest entries on the heap and writes them out in pages; that of a finished segment
 * (sealed) holds no memory and no file descriptor, and opens the file for a look-up. Nothing is
 * mapped and nothing preallocated: the entries are derived from the segment, which recovery reads
 * again where the file falls behind it.
 *
 * <p>One writer, under the log's lock; look-ups from any thread at any time.
 */
public final class SparseIndex {
  /** The two layouts. */
  public enum Layout {
    OFFSET(8),
    TIME(12);

    private final int entryBytes;

    Layout(int entryBytes) {
      this.entryBytes = entryBytes;
    }

    /** Size of an entry. */
    public int entryBytes() {
      return entryBytes;
    }

    /** Key of the entry at {@code at}. */
    public long key(ByteBuffer in, int at) {
      return this == OFFSET ? in.getInt(at) : in.getLong(at);
    }

    /** Value of the entry at {@code at}. */
    public int value(ByteBuffer in, int at) {
      return in.getInt(at + entryBytes - Integer.BYTES);
    }

    void put(ByteBuffer out, long key, int value) {
      if (this == OFFSET) {
        out.putInt((int) key);
      } else {
        out.putLong(key);
      }
      out.putInt(value);
    }
  }

  /** Entries kept on the heap; at the default interval they cover the newest 4 MB of a log. */
  private static final int TAIL_ENTRIES_MAX = 1024;

  private static final int TAIL_ENTRIES_MIN = 8;

  /** A look-up in the file reads at most this many entries at once. */
  private static final int PAGE_ENTRIES = 512;

  /**
   * Newest entries, {@code first <= written <= first + count}. Immutable but for array slots beyond
   * {@code count}, which only a later tail shows.
   */
  private static final class Tail {
    final long[] keys;
    final int[] values;
    final int first; // number of entries before the tail, all in the file
    final int count;
    final int written; // number of entries in the file

    Tail(long[] keys, int[] values, int first, int count, int written) {
      this.keys = keys;
      this.values = values;
      this.first = first;
      this.count = count;
      this.written = written;
    }

    int entries() {
      return first + count;
    }
  }

  private final Path file;
  private final Layout layout;
  private volatile @Nullable Tail tail; // null: sealed

  private SparseIndex(Path file, Layout layout, @Nullable Tail tail) {
    this.file = file;
    this.layout = layout;
    this.tail = tail;
  }

  /** The index of a segment that has just been created; an old file is emptied when written. */
  public static SparseIndex create(Path file, Layout layout) {
    deleteIfThere(file);
    return new SparseIndex(file, layout, emptyTail(0));
  }

  /** The index of a finished segment. */
  public static SparseIndex sealed(Path file, Layout layout) {
    return new SparseIndex(file, layout, null);
  }

  private static Tail emptyTail(int entries) {
    return new Tail(new long[TAIL_ENTRIES_MIN], new int[TAIL_ENTRIES_MIN], entries, 0, entries);
  }

  private static void deleteIfThere(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new LogException("cannot delete file=" + file, e);
    }
  }

  /** The file, which need not exist while the index has few entries. */
  public Path file() {
    return file;
  }

  /** Number of entries. */
  public int entries() {
    Tail now = tail;
    return now == null ? entriesInFile() : now.entries();
  }

  /** Whether an index file of at most {@code bytesMax} bytes has no room for another entry. */
  public boolean isFull(int bytesMax) {
    return entries() >= bytesMax / layout.entryBytes;
  }

  /** Whether the index file is there. */
  public boolean exists() {
    return Files.exists(file);
  }

  private int entriesInFile() {
    try {
      return (int) (Files.size(file) / layout.entryBytes);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new LogException("cannot read the size of file=" + file, e);
    }
  }

  /** Makes a sealed index writable. */
  public void open() {
    if (tail == null) {
      tail = emptyTail(entriesInFile());
    }
  }

  /**
   * Adds an entry; the index is open.
   *
   * @throws IllegalStateException if the entry does not follow the last one
   */
  public void append(long key, int value) {
    Tail now = requireOpen();
    Optional<IndexEntry> last = last();
    if (last.isPresent() && (key <= last.get().key() || value < last.get().value())) {
      throw new IllegalStateException(
          "index entry goes back: key="
              + key
              + ", value="
              + value
              + " after "
              + last.get()
              + ", in file="
              + file);
    }
    if (now.count == now.keys.length) {
      now = makeRoom(now);
    }
    now.keys[now.count] = key;
    now.values[now.count] = value;
    tail = new Tail(now.keys, now.values, now.first, now.count + 1, now.written);
  }

  private Tail makeRoom(Tail full) {
    if (full.count < TAIL_ENTRIES_MAX) {
      int capacity = 2 * full.count;
      return new Tail(
          Arrays.copyOf(full.keys, capacity),
          Arrays.copyOf(full.values, capacity),
          full.first,
          full.count,
          full.written);
    }
    writeOut();
    int half = full.count / 2;
    long[] keys = new long[full.keys.length];
    int[] values = new int[full.values.length];
    System.arraycopy(full.keys, half, keys, 0, full.count - half);
    System.arraycopy(full.values, half, values, 0, full.count - half);
    return new Tail(keys, values, full.first + half, full.count - half, full.entries());
  }

  private Tail requireOpen() {
    Tail now = tail;
    if (now == null) {
      throw new IllegalStateException("index is sealed, file=" + file);
    }
    return now;
  }

  /** Brings the file up to date, without a sync. A sealed index is up to date. */
  public void writeOut() {
    Tail now = tail;
    if (now == null || (now.written == now.entries() && now.written > 0)) {
      return;
    }
    int from = now.written - now.first;
    ByteBuffer bytes = ByteBuffer.allocate((now.count - from) * layout.entryBytes);
    for (int i = from; i < now.count; i++) {
      layout.put(bytes, now.keys[i], now.values[i]);
    }
    bytes.flip();
    long position = (long) now.written * layout.entryBytes;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        position += channel.write(bytes, position);
      }
    } catch (IOException e) {
      throw new LogException("cannot write at position=" + position + " of file=" + file, e);
    }
    tail = new Tail(now.keys, now.values, now.first, now.count, now.entries());
  }

  /** Brings the file up to date and gives up memory; the segment is finished. */
  public void seal() {
    writeOut();
    tail = null;
  }

  /** Syncs the file. */
  public void sync() {
    if (!exists()) {
      return;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    } catch (IOException e) {
      throw new LogException("cannot sync file=" + file, e);
    }
  }

  /** The newest entry. */
  public Optional<IndexEntry> last() {
    Tail now = tail;
    if (now != null && now.count > 0) {
      return Optional.of(entry(now, now.count - 1));
    }
    int entries = now == null ? entriesInFile() : now.first;
    if (entries == 0) {
      return Optional.empty();
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return entryAt(page(channel, entries - 1, 1), 0);
    } catch (NoSuchFileException e) {
      return Optional.empty(); // deleted meanwhile with its segment
    } catch (IOException e) {
      throw new LogException("cannot read entry " + (entries - 1) + " of file=" + file, e);
    }
  }

  /** The last entry whose key is at most {@code key}. */
  public Optional<IndexEntry> floorByKey(long key) {
    Tail now = tail;
    if (now != null && now.count > 0 && now.keys[0] <= key) {
      int found = Arrays.binarySearch(now.keys, 0, now.count, key);
      return Optional.of(entry(now, found >= 0 ? found : -found - 2));
    }
    return floorInFile(now == null ? entriesInFile() : now.first, key, Long.MAX_VALUE);
  }

  /** The last entry whose value is at most {@code value}. */
  public Optional<IndexEntry> floorByValue(long value) {
    Tail now = tail;
    if (now != null && now.count > 0 && now.values[0] <= value) {
      int low = 0;
      int high = now.count - 1; // values[low] <= value; the answer is in low..high
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (now.values[middle] <= value) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return Optional.of(entry(now, low));
    }
    return floorInFile(now == null ? entriesInFile() : now.first, Long.MAX_VALUE, value);
  }

  private static IndexEntry entry(Tail from, int slot) {
    return new IndexEntry(from.keys[slot], from.values[slot]);
  }

  /**
   * Narrows the range by probes of one entry until one page holds it. Probes start at the middle of
   * the range, so they touch other pages as the file grows; only finished segments and the part of
   * an open one that is older than its tail are searched so.
   */
  private Optional<IndexEntry> floorInFile(int entries, long key, long value) {
    if (entries == 0) {
      return Optional.empty();
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int low = 0; // entries below low are at or under the bound
      int high = entries; // entries from high on are above it
      while (high - low > PAGE_ENTRIES) {
        int middle = (low + high) >>> 1;
        if (atMost(page(channel, middle, 1), 0, key, value)) {
          low = middle;
        } else {
          high = middle;
        }
      }
      ByteBuffer page = page(channel, low, high - low);
      int inPage = page.limit() / layout.entryBytes;
      int found = -1;
      while (found + 1 < inPage && atMost(page, found + 1, key, value)) {
        found++;
      }
      return entryAt(page, found);
    } catch (NoSuchFileException e) {
      return Optional.empty(); // deleted meanwhile with its segment
    } catch (IOException e) {
      throw new LogException("cannot search file=" + file, e);
    }
  }

  private boolean atMost(ByteBuffer page, int slot, long key, long value) {
    int at = slot * layout.entryBytes;
    return at + layout.entryBytes <= page.limit()
        && layout.key(page, at) <= key
        && layout.value(page, at) <= value;
  }

  private Optional<IndexEntry> entryAt(ByteBuffer page, int slot) {
    int at = slot * layout.entryBytes;
    if (slot < 0 || at + layout.entryBytes > page.limit()) {
      return Optional.empty();
    }
    return Optional.of(new IndexEntry(layout.key(page, at), layout.value(page, at)));
  }

  /** Whole entries from {@code first} on; fewer than asked for where the file ends. */
  private ByteBuffer page(FileChannel channel, int first, int count) throws IOException {
    ByteBuffer page = ByteBuffer.allocate(count * layout.entryBytes);
    long position = (long) first * layout.entryBytes;
    while (page.hasRemaining()) {
      if (channel.read(page, position + page.position()) < 0) {
        break;
      }
    }
    page.flip();
    return page.limit(page.limit() - page.limit() % layout.entryBytes);
  }

  /** Drops the entries from the {@code entries}th on; the index is open afterwards. */
  private void truncateToEntries(int entries) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.truncate((long) entries * layout.entryBytes);
    } catch (IOException e) {
      throw new LogException("cannot cut file=" + file + " to " + entries + " entries", e);
    }
    tail = emptyTail(entries);
  }

  /** Keeps the entries with a key below {@code key}; the index is open afterwards. */
  public void truncateToKey(long key) {
    writeOut();
    truncateToEntries(countBelow(key, Long.MAX_VALUE));
  }

  /** Keeps the entries with a value below {@code value}; the index is open afterwards. */
  public void truncateToValue(long value) {
    writeOut();
    truncateToEntries(countBelow(Long.MAX_VALUE, value));
  }

  private int countBelow(long key, long value) {
    ByteBuffer all = readAll();
    int count = 0;
    for (int at = 0; at < all.limit(); at += layout.entryBytes) {
      if (layout.key(all, at) >= key || layout.value(all, at) >= value) {
        break;
      }
      count++;
    }
    return count;
  }

  /** All whole entries of the file; for truncation and checks, which are rare. */
  private ByteBuffer readAll() {
    try {
      ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
      return all.limit(all.limit() - all.limit() % layout.entryBytes);
    } catch (NoSuchFileException e) {
      return ByteBuffer.allocate(0);
    } catch (IOException e) {
      throw new LogException("cannot read file=" + file, e);
    }
  }

  /**
   * Checks the order of all entries in the file.
   *
   * @param valueMax bound of the values, exclusive
   * @throws CorruptFileException at the first entry that is out of order or of bounds
   */
  public void check(long valueMax) {
    ByteBuffer all = readAll();
    long lastKey = Long.MIN_VALUE;
    int lastValue = 0;
    for (int at = 0; at < all.limit(); at += layout.entryBytes) {
      long key = layout.key(all, at);
      int value = layout.value(all, at);
      if (key <= lastKey || value < lastValue || value >= valueMax || key < 0) {
        throw new CorruptFileException(
            "index entry is out of order: key="
                + key
                + ", value="
                + value
                + " after key="
                + lastKey
                + ", value="
                + lastValue
                + ", expected value below "
                + valueMax
                + ", at position="
                + at
                + " of file="
                + file);
      }
      lastKey = key;
      lastValue = value;
    }
  }

  @Override
  public String toString() {
    return "SparseIndex[" + layout + ", entries=" + entries() + ", file=" + file + "]";
  }
}
