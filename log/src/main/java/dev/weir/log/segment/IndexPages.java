package dev.weir.log.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Look-ups in an index file, and what they remember of it: the page that was read last, and first
 * entries of pages. It belongs to one content of the file, which only grows: whoever cuts or
 * replaces the file begins anew with another of these, after the change. A look-up that began
 * before then adds to the old one, which nobody sees any more.
 *
 * <p>The search goes down by powers of two: the first entry of page 2^k, then that of the page
 * 2^(k-1) further on if the first was not too large, and so on. So the pages that are probed do not
 * depend on where the file ends. Look-ups near the end probe the pages whose numbers begin with the
 * digits of the last one's, in binary; as the end moves on, the only page among these that was not
 * probed just before is the new one. A search that halves the whole range moves all its probes with
 * each page that is added, to pages nobody has touched for long.
 */
final class IndexPages {
  /**
   * First entries that are remembered, 14 KB of them: all of an index of a segment of 1 GB. Of a
   * larger one every second, fourth and so on, which are those that are probed first.
   */
  private static final int FENCES_MAX = 512;

  private record Page(int number, ByteBuffer bytes) {}

  /**
   * First entries of pages.
   *
   * @param stride of the pages with numbers that are a multiple of it
   */
  private record Fences(int stride, AtomicReferenceArray<IndexEntry> entries) {
    static Fences forPages(int pages) {
      int capacity = 1;
      while (capacity < Math.min(pages, FENCES_MAX)) {
        capacity *= 2;
      }
      int stride = 1;
      while ((long) stride * capacity < pages) {
        stride *= 2;
      }
      return new Fences(stride, new AtomicReferenceArray<>(capacity));
    }

    boolean covers(int pages) {
      return (long) stride * entries.length() >= pages;
    }
  }

  private final SparseIndex.Layout layout;
  private volatile @Nullable Page last;
  private volatile @Nullable Fences fences;

  IndexPages(SparseIndex.Layout layout) {
    this.layout = layout;
  }

  /** Forgets what was read, which is right still, to free its memory. */
  void clear() {
    last = null;
    fences = null;
  }

  /**
   * The last entry among the first {@code entries} whose key and value are not above these.
   *
   * @param channel the file
   */
  Optional<IndexEntry> floor(FileChannel channel, int entries, long key, long value)
      throws IOException {
    if (entries == 0) {
      return Optional.empty();
    }
    int pages = (entries - 1) / layout.pageEntries() + 1;
    int page = 0; // its first entry is not above, but perhaps that of page 0
    for (int step = Integer.highestOneBit(pages - 1); step > 0; step >>= 1) {
      if (page + step < pages && isAtMost(fence(channel, page + step, pages), key, value)) {
        page += step;
      }
    }
    int first = page * layout.pageEntries();
    ByteBuffer bytes = page(channel, page, Math.min(layout.pageEntries(), entries - first));
    int low = 0; // entries below low are not above
    int high = Math.min(bytes.limit() / layout.entryBytes(), entries - first);
    while (low < high) {
      int middle = (low + high) >>> 1;
      int at = middle * layout.entryBytes();
      if (layout.key(bytes, at) <= key && layout.value(bytes, at) <= value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? Optional.empty() : Optional.of(entry(bytes, low - 1));
  }

  private static boolean isAtMost(Optional<IndexEntry> entry, long key, long value) {
    return entry.isPresent() && entry.get().key() <= key && entry.get().value() <= value;
  }

  private IndexEntry entry(ByteBuffer bytes, int slot) {
    int at = slot * layout.entryBytes();
    return new IndexEntry(layout.key(bytes, at), layout.value(bytes, at));
  }

  /** The first entry of a page; empty if the file has been cut meanwhile. */
  private Optional<IndexEntry> fence(FileChannel channel, int page, int pages) throws IOException {
    Fences known = fences;
    if (known == null || !known.covers(pages)) {
      known = Fences.forPages(pages);
      fences = known;
    }
    if (page % known.stride() != 0) {
      return readFirst(channel, page);
    }
    IndexEntry remembered = known.entries().get(page / known.stride());
    if (remembered != null) {
      return Optional.of(remembered);
    }
    Optional<IndexEntry> read = readFirst(channel, page);
    if (read.isPresent()) {
      known.entries().set(page / known.stride(), read.get());
    }
    return read;
  }

  private Optional<IndexEntry> readFirst(FileChannel channel, int page) throws IOException {
    ByteBuffer bytes = read(channel, page, 1);
    return bytes.hasRemaining() ? Optional.of(entry(bytes, 0)) : Optional.empty();
  }

  /** At least so many entries of a page, if the file has them. */
  private ByteBuffer page(FileChannel channel, int number, int count) throws IOException {
    Page known = last;
    if (known != null
        && known.number() == number
        && known.bytes().limit() >= count * layout.entryBytes()) {
      return known.bytes();
    }
    ByteBuffer read = read(channel, number, count);
    last = new Page(number, read);
    return read;
  }

  /** Whole entries from the first of a page on; fewer than asked for where the file ends. */
  private ByteBuffer read(FileChannel channel, int page, int count) throws IOException {
    long position = (long) page * layout.pageEntries() * layout.entryBytes();
    return read(channel, layout, position, count);
  }

  /** Whole entries from a position on; fewer than asked for where the file ends. */
  static ByteBuffer read(FileChannel channel, SparseIndex.Layout layout, long position, int count)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count * layout.entryBytes());
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, position + bytes.position()) < 0) {
        break;
      }
    }
    bytes.flip();
    return bytes.limit(bytes.limit() - bytes.limit() % layout.entryBytes());
  }

  @Override
  public String toString() {
    return "IndexPages[" + layout + "]";
  }
}
