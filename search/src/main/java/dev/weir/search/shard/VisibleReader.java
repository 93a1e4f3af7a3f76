package dev.weir.search.shard;

import dev.weir.search.mapping.MetadataField;
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
import org.apache.lucene.util.BitSet;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * A reader in which tombstones, shadowed documents and nested ones count as deleted. A segment
 * without any is passed through as it is, so that an index that never saw one pays nothing.
 *
 * <p>Queries on whole documents therefore need not know of nested ones. Joins read them all the
 * same: what counts as deleted is left out where hits are collected, not where a query is matched.
 */
final class VisibleReader extends FilterDirectoryReader {

  private final NestedLevels levels;

  private VisibleReader(DirectoryReader raw, NestedLevels levels, SubReaderWrapper wrapper)
      throws IOException {
    super(raw, wrapper);
    this.levels = levels;
  }

  /**
   * Takes over one reference to {@code raw}, and lets go of it when it is closed.
   *
   * @param previous segments that both readers share are not looked through again
   */
  static VisibleReader of(
      DirectoryReader raw, NestedLevels levels, @Nullable VisibleReader previous)
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
        levels,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader reader) {
            LeafReader wrapped = known.get(reader);
            return wrapped == null ? mask(reader, levels) : wrapped;
          }
        });
  }

  private static LeafReader mask(LeafReader reader, NestedLevels levels) {
    try {
      NumericDocValues hidden = reader.getNumericDocValues(ShardField.HIDDEN);
      boolean hasNested = reader.terms(MetadataField.NESTED_PATH) != null;
      if (hidden == null && !hasNested) {
        return reader;
      }
      FixedBitSet visible = new FixedBitSet(reader.maxDoc());
      if (hasNested) {
        BitSet whole = levels.at(null).getBitSet(reader.getContext());
        if (whole != null) {
          visible.or(new BitSetIterator(whole, whole.approximateCardinality()));
        }
      } else {
        visible.set(0, reader.maxDoc());
      }
      Bits live = reader.getLiveDocs();
      if (live != null) {
        live.applyMask(visible, 0);
      }
      if (hidden != null) {
        for (int doc = hidden.nextDoc();
            doc != DocIdSetIterator.NO_MORE_DOCS;
            doc = hidden.nextDoc()) {
          visible.clear(doc);
        }
      }
      int count = visible.cardinality();
      return count == reader.numDocs() ? reader : new Segment(reader, visible, count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader raw) throws IOException {
    return of(raw, levels, this);
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
