package dev.weir.search.aggregation.collect;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.SortedNumericDocValues;

/**
 * The numbers of the documents of one segment, ascending within a document. Several buckets may ask
 * for the same document; documents are asked for in their order. Used by one thread.
 */
final class NumberColumn implements ValueStates.Numbers {
  private final Column.Numbers column;
  private final SortedNumericDocValues values;
  private long[] current = new long[4];
  private int count;
  private int doc = -1;

  NumberColumn(Column.Numbers column, SortedNumericDocValues values) {
    this.column = column;
    this.values = values;
  }

  /** How many values the document has, with the one that stands for none. */
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
        current[i] = values.nextValue();
      }
    } else {
      Long missing = column.missing();
      count = missing == null ? 0 : 1;
      current[0] = missing == null ? 0 : missing;
    }
  }

  /** A value of the document that was asked for last. */
  @Override
  public double value(int i) {
    return column.decoded(current[i]);
  }

  /** A value of a column of whole numbers, or the encoded form of one with a fraction. */
  long encoded(int i) {
    return current[i];
  }

  /**
   * The digits of a whole number that a double has no room for; 0 for any that fits, so that equal
   * numbers of fields of different types are told by {@link #value} alone.
   */
  long wholeBits(int i) {
    return column.isWhole() ? current[i] - (long) value(i) : 0;
  }
}
