package dev.weir.log.segment;

import dev.weir.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

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
 * (sealed) opens its file for a look-up, which stays open, with some of its entries remembered, for
 * as long as {@link OpenFiles} has room for it. Nothing is mapped and nothing preallocated: the
 * entries are derived from the segment, which recovery reads again where the file falls behind it.
 *
 * <p>One writer, under the log's lock; look-ups from any thread at any time.
 */
public final class SparseIndex {
  /** The two layouts. */
  public enum Layout {
    /** Pages of 512 entries: 4 KB. */
    OFFSET(8, 512),
    /** Pages of 340 entries, 16 bytes less than 4 KB, so that no entry at a start crosses 4 KB. */
    TIME(12, 340);

    private final int entryBytes;
    private final int pageEntries;

    Layout(int entryBytes, int pageEntries) {
      this.entryBytes = entryBytes;
      this.pageEntries = pageEntries;
    }

    /** Entries that a look-up reads at once at most. */
    int pageEntries() {
      return pageEntries;
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

  private static final Set<StandardOpenOption> WRITE =
      EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);

  private static final int UNKNOWN = -1;

  /** How many entries there are where. The pages are those of one content of the file. */
  private sealed interface State {
    IndexPages pages();
  }

  /**
   * All entries are in the file.
   *
   * @param entries their number, or {@link #UNKNOWN} before the first look-up
   */
  private record Sealed(int entries, IndexPages pages) implements State {}

  /**
   * Newest entries, {@code first <= written <= first + count}. Immutable but for array slots beyond
   * {@code count}, which only a later tail shows.
   */
  private static final class Tail implements State {
    final long[] keys;
    final int[] values;
    final int first; // number of entries before the tail, all in the file
    final int count;
    final int written; // number of entries in the file
    final IndexPages pages;

    Tail(long[] keys, int[] values, int first, int count, int written, IndexPages pages) {
      this.keys = keys;
      this.values = values;
      this.first = first;
      this.count = count;
      this.written = written;
      this.pages = pages;
    }

    @Override
    public IndexPages pages() {
      return pages;
    }

    int entries() {
      return first + count;
    }
  }

  private final OpenFiles files;
  private final Path file;
  private final Layout layout;
  private final SharedFile shared; // for look-ups
  private final AtomicReference<State> state = new AtomicReference<>();

  private SparseIndex(OpenFiles files, Path file, Layout layout) {
    this.files = files;
    this.file = file;
    this.layout = layout;
    this.shared = new SharedFile(files, file, SharedFile.Access.READ, this::forgetPages);
    state.set(new Sealed(UNKNOWN, new IndexPages(layout)));
  }

  /** The index of a segment that has just been created; an old file is emptied when written. */
  public static SparseIndex create(OpenFiles files, Path file, Layout layout) {
    deleteIfThere(file);
    SparseIndex created = new SparseIndex(files, file, layout);
    created.state.set(created.emptyTail(0));
    return created;
  }

  /** The index of a finished segment. */
  public static SparseIndex sealed(OpenFiles files, Path file, Layout layout) {
    return new SparseIndex(files, file, layout);
  }

  private Tail emptyTail(int entries) {
    return new Tail(
        new long[TAIL_ENTRIES_MIN],
        new int[TAIL_ENTRIES_MIN],
        entries,
        0,
        entries,
        new IndexPages(layout));
  }

  /** Where the file is closed, its memory goes too: what is open bounds both. */
  private void forgetPages() {
    state.get().pages().clear();
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
    return switch (state.get()) {
      case Tail tail -> tail.entries();
      case Sealed(int entries, _) -> entries == UNKNOWN ? entriesInFile() : entries;
    };
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
    if (state.get() instanceof Sealed) {
      state.set(emptyTail(entriesInFile()));
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
    state.set(new Tail(now.keys, now.values, now.first, now.count + 1, now.written, now.pages));
  }

  private Tail makeRoom(Tail full) {
    if (full.count < TAIL_ENTRIES_MAX) {
      int capacity = 2 * full.count;
      return new Tail(
          Arrays.copyOf(full.keys, capacity),
          Arrays.copyOf(full.values, capacity),
          full.first,
          full.count,
          full.written,
          full.pages);
    }
    writeOut();
    int half = full.count / 2;
    long[] keys = new long[full.keys.length];
    int[] values = new int[full.values.length];
    System.arraycopy(full.keys, half, keys, 0, full.count - half);
    System.arraycopy(full.values, half, values, 0, full.count - half);
    return new Tail(keys, values, full.first + half, full.count - half, full.entries(), full.pages);
  }

  private Tail requireOpen() {
    return switch (state.get()) {
      case Tail tail -> tail;
      case Sealed _ -> throw new IllegalStateException("index is sealed, file=" + file);
    };
  }

  /** Brings the file up to date, without a sync. A sealed index is up to date. */
  public void writeOut() {
    if (!(state.get() instanceof Tail now) || (now.written == now.entries() && now.written > 0)) {
      return;
    }
    int from = now.written - now.first;
    ByteBuffer bytes = ByteBuffer.allocate((now.count - from) * layout.entryBytes);
    for (int i = from; i < now.count; i++) {
      layout.put(bytes, now.keys[i], now.values[i]);
    }
    bytes.flip();
    long position = (long) now.written * layout.entryBytes;
    try (FileChannel channel = files.open(file, WRITE)) {
      while (bytes.hasRemaining()) {
        position += channel.write(bytes, position);
      }
    } catch (IOException e) {
      throw new LogException("cannot write at position=" + position + " of file=" + file, e);
    }
    state.set(new Tail(now.keys, now.values, now.first, now.count, now.entries(), now.pages));
  }

  /** Brings the file up to date and gives up memory; the segment is finished. */
  public void seal() {
    writeOut();
    if (state.get() instanceof Tail now) {
      state.set(new Sealed(now.entries(), now.pages));
    }
  }

  /** Syncs the file, if it is there. */
  public void sync() {
    try (FileChannel channel = files.open(file, EnumSet.of(StandardOpenOption.WRITE))) {
      channel.force(true);
    } catch (NoSuchFileException e) {
      return; // nothing was written, or it was deleted with its segment
    } catch (IOException e) {
      throw new LogException("cannot sync file=" + file, e);
    }
  }

  /** The newest entry. */
  public Optional<IndexEntry> last() {
    State now = state.get();
    if (now instanceof Tail tail && tail.count > 0) {
      return Optional.of(entry(tail, tail.count - 1));
    }
    int entries = now instanceof Tail tail ? tail.first : entries();
    if (entries == 0) {
      return Optional.empty();
    }
    // Asked once for each segment, of all of them at start: not worth a place among open files.
    try (FileChannel channel = files.open(file, EnumSet.of(StandardOpenOption.READ))) {
      long position = (entries - 1L) * layout.entryBytes;
      ByteBuffer read = IndexPages.read(channel, layout, position, 1);
      return read.hasRemaining()
          ? Optional.of(new IndexEntry(layout.key(read, 0), layout.value(read, 0)))
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty(); // deleted meanwhile with its segment
    } catch (IOException e) {
      throw new LogException("cannot read entry " + (entries - 1) + " of file=" + file, e);
    }
  }

  /** The last entry whose key is at most {@code key}. */
  public Optional<IndexEntry> floorByKey(long key) {
    State now = state.get();
    if (now instanceof Tail tail && tail.count > 0 && tail.keys[0] <= key) {
      int found = Arrays.binarySearch(tail.keys, 0, tail.count, key);
      return Optional.of(entry(tail, found >= 0 ? found : -found - 2));
    }
    return floorInFile(now, key, Long.MAX_VALUE);
  }

  /** The last entry whose value is at most {@code value}. */
  public Optional<IndexEntry> floorByValue(long value) {
    State now = state.get();
    if (now instanceof Tail tail && tail.count > 0 && tail.values[0] <= value) {
      int low = 0;
      int high = tail.count - 1; // values[low] <= value; the answer is in low..high
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (tail.values[middle] <= value) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return Optional.of(entry(tail, low));
    }
    return floorInFile(now, Long.MAX_VALUE, value);
  }

  private static IndexEntry entry(Tail from, int slot) {
    return new IndexEntry(from.keys[slot], from.values[slot]);
  }

  private Optional<IndexEntry> floorInFile(State now, long key, long value) {
    if (now instanceof Tail tail && tail.first == 0) {
      return Optional.empty();
    }
    try {
      FileChannel channel = shared.acquire();
      try {
        int entries =
            switch (now) {
              case Tail tail -> tail.first;
              case Sealed known -> entries(known, channel);
            };
        return now.pages().floor(channel, entries, key, value);
      } finally {
        shared.release();
      }
    } catch (NoSuchFileException | ClosedChannelException e) {
      return Optional.empty(); // deleted meanwhile with its segment
    } catch (IOException e) {
      throw new LogException("cannot search file=" + file, e);
    }
  }

  private int entries(Sealed known, FileChannel channel) throws IOException {
    if (known.entries != UNKNOWN) {
      return known.entries;
    }
    int found = (int) (channel.size() / layout.entryBytes);
    state.compareAndSet(known, new Sealed(found, known.pages));
    return found;
  }

  /**
   * Drops the entries from the {@code entries}th on; the index is open afterwards. Look-ups that
   * began before go on with pages of their own, whose content may be of either state.
   */
  private void truncateToEntries(int entries) {
    try (FileChannel channel = files.open(file, WRITE)) {
      channel.truncate((long) entries * layout.entryBytes);
    } catch (IOException e) {
      throw new LogException("cannot cut file=" + file + " to " + entries + " entries", e);
    }
    state.set(emptyTail(entries));
  }

  /**
   * Makes an empty file where there is none, so that it is there when it is written. Any thread.
   */
  void createFile() {
    try {
      files.open(file, WRITE).close();
    } catch (IOException e) {
      throw new LogException("cannot create file=" + file, e);
    }
  }

  /** Gives up the file, which goes or is replaced: look-ups find nothing from now on. */
  void end() {
    shared.end();
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
   * @throws dev.weir.log.CorruptFileException at the first entry that is out of order or of bounds
   */
  public void check(long valueMax) {
    IndexOrder.require(readAll(), layout, valueMax, file);
  }

  @Override
  public String toString() {
    return "SparseIndex[" + layout + ", entries=" + entries() + ", file=" + file + "]";
  }
}
