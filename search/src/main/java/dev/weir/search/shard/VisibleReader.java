package dev.weir.search.shard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.IdentityHashMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * A reader in which tombstones and shadowed documents count as deleted. A segment without any is
 * passed through as it is, so that an index that never saw one pays nothing.
 */
final class VisibleReader extends FilterDirectoryReader {

  private VisibleReader(DirectoryReader raw, SubReaderWrapper wrapper) throws IOException {
    super(raw, wrapper);
  }

  /**
   * Takes over one reference to {@code raw}, and lets go of it when it is closed.
   *
   * @param previous segments that both readers share are not looked through again
   */
  static VisibleReader of(DirectoryReader raw, @Nullable VisibleReader previous)
      throws IOException {
    IdentityHashMap<LeafReader, LeafReader> known = new IdentityHashMap<>();
    if (previous != null) {
      for (LeafReaderContext leaf : previous.leaves()) {
        if (leaf.reader() instanceof Segment segment) {
          known.put(segment.getDelegate(), segment);
        }
      }
    }
    return new VisibleReader(
        raw,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader reader) {
            LeafReader wrapped = known.get(reader);
            return wrapped == null ? mask(reader) : wrapped;
          }
        });
  }

  private static LeafReader mask(LeafReader reader) {
    try {
      NumericDocValues hidden = reader.getNumericDocValues(ShardField.HIDDEN);
      if (hidden == null) {
        return reader;
      }
      Bits live = reader.getLiveDocs();
      FixedBitSet visible = new FixedBitSet(reader.maxDoc());
      if (live == null) {
        visible.set(0, reader.maxDoc());
      } else {
        for (int doc = 0; doc < reader.maxDoc(); doc++) {
          if (live.get(doc)) {
            visible.set(doc);
          }
        }
      }
      for (int doc = hidden.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = hidden.nextDoc()) {
        visible.clear(doc);
      }
      int count = visible.cardinality();
      return count == reader.numDocs() ? reader : new Segment(reader, visible, count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader raw) throws IOException {
    return of(raw, this);
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  @Override
  protected void doClose() throws IOException {
    in.decRef(); // not close, which would count once only however many views share the reader
  }

  private static final class Segment extends FilterLeafReader {

    private final Bits visible;
    private final int count;

    private Segment(LeafReader raw, Bits visible, int count) {
      super(raw);
      this.visible = visible;
      this.count = count;
    }

    @Override
    public Bits getLiveDocs() {
      return visible;
    }

    @Override
    public int numDocs() {
      return count;
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    // What is hidden follows from the segment alone, so whatever is cached for it holds here too.
    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }
}
