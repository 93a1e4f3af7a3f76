package dev.weir.search.aggregation.collect;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedSetDocValues;
import org.jspecify.annotations.Nullable;

/**
 * The terms of the documents of one segment, by their numbers in its dictionary. Several buckets
 * may ask for the same document; documents are asked for in their order. Used by one thread.
 */
final class TermColumn implements ValueStates.Values {
  /** Number of the term that stands for none, which need not be in the dictionary. */
  static final long MISSING = -1;

  private final SortedSetDocValues values;
  private final @Nullable String missing;
  private long[] current = new long[4];
  private int count;
  private int doc = -1;

  TermColumn(Column.Terms column, LeafReader leaf) throws IOException {
    this.values = DocValues.getSortedSet(leaf, column.field());
    this.missing = column.missing();
  }

  /** How many terms the document has, with the one that stands for none. */
  @Override
  public int count(int wanted) throws IOException {
    if (wanted != doc) {
      doc = wanted;
      read();
    }
    return count;
  }

  private void read() throws IOException {
    if (values.advanceExact(doc)) {
      count = values.docValueCount();
      if (count > current.length) {
        current = Arrays.copyOf(current, Math.max(count, current.length * 2));
      }
      for (int i = 0; i < count; i++) {
        current[i] = values.nextOrd();
      }
    } else {
      count = missing == null ? 0 : 1;
      current[0] = MISSING;
    }
  }

  /** The number of a term of the document that was asked for last. */
  long ordinal(int i) {
    return current[i];
  }

  /** How many terms the dictionary has. */
  long size() {
    return values.getValueCount();
  }

  String term(long ordinal) throws IOException {
    if (ordinal == MISSING) {
      return missing == null ? "" : missing;
    }
    return values.lookupOrd(ordinal).utf8ToString();
  }
}
