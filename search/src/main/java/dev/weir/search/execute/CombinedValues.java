package dev.weir.search.execute;

import dev.weir.search.request.SortMode;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BitSet;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * What the values of a document, or of its nested documents, make together, as doc values of the
 * document. Immutable; what it gives out is of one thread.
 *
 * @param field has the values
 * @param mode what they make
 * @param nested whose values they are; null: of the document itself
 */
record CombinedValues(String field, SortMode mode, @Nullable Nested nested) {

  /**
   * Nested documents.
   *
   * @param roots the documents that are sorted, each behind its nested ones
   * @param children the nested ones that count
   * @param max only the first so many of each root count; 0 for all
   */
  record Nested(BitSetProducer roots, BitSetProducer children, int max) {}

  /** How numbers are stored, and how they are handed out. */
  enum Coding {
    /** As they are. */
    WHOLE,
    /** Stored in an order that sorts, handed out as the bits of a float. */
    FLOAT,
    /** The same of a double. */
    DOUBLE
  }

  /** Hands the documents with values of one root to somebody, in ascending order. */
  @FunctionalInterface
  private interface Visit {
    void at(int doc) throws IOException;
  }

  private void visit(LeafReaderContext leaf, int root, Visit visit) throws IOException {
    if (nested == null) {
      visit.at(root);
      return;
    }
    BitSet roots = nested.roots.getBitSet(leaf);
    BitSet children = nested.children.getBitSet(leaf);
    if (roots == null || children == null || root == 0) {
      return;
    }
    int child = children.nextSetBit(roots.prevSetBit(root - 1) + 1);
    for (int count = 0; child < root && (nested.max == 0 || count < nested.max); count++) {
      visit.at(child);
      child = child + 1 < children.length() ? children.nextSetBit(child + 1) : root;
    }
  }

  /** Numbers of a segment's documents. */
  NumericDocValues numbers(LeafReaderContext leaf, Coding coding) throws IOException {
    SortedNumericDocValues stored = DocValues.getSortedNumeric(leaf.reader(), field);
    return new AskedNumbers(stored.cost()) {
      private long combined;
      private long[] values = new long[4];
      private int count;

      @Override
      boolean make(int wanted) throws IOException {
        count = 0;
        visit(leaf, wanted, this::add);
        if (count == 0) {
          return false;
        }
        combined =
            switch (coding) {
              case WHOLE -> ofWhole(values, count);
              case FLOAT -> Float.floatToIntBits((float) ofReal(values, count, coding));
              case DOUBLE -> Double.doubleToLongBits(ofReal(values, count, coding));
            };
        return true;
      }

      private void add(int doc) throws IOException {
        if (!stored.advanceExact(doc)) {
          return;
        }
        for (int i = stored.docValueCount(); i > 0; i--) {
          values = ArrayUtil.grow(values, count + 1);
          values[count++] = stored.nextValue();
        }
      }

      @Override
      public long longValue() {
        return combined;
      }
    };
  }

  private long ofWhole(long[] values, int count) {
    Arrays.sort(values, 0, count);
    return switch (mode) {
      case MIN -> values[0];
      case MAX -> values[count - 1];
      case SUM -> sum(values, count);
      case AVG -> Math.round(Arrays.stream(values, 0, count).average().orElse(0));
      case MEDIAN ->
          count % 2 == 1
              ? values[count / 2]
              : Math.round(values[count / 2 - 1] / 2.0 + values[count / 2] / 2.0);
    };
  }

  /** Stays at the largest or least number where the sum is beyond it. */
  private static long sum(long[] values, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      long next = sum + values[i];
      boolean overflows = ((sum ^ next) & (values[i] ^ next)) < 0;
      sum = overflows ? (values[i] > 0 ? Long.MAX_VALUE : Long.MIN_VALUE) : next;
    }
    return sum;
  }

  private double ofReal(long[] stored, int count, Coding coding) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          coding == Coding.FLOAT
              ? NumericUtils.sortableIntToFloat((int) stored[i])
              : NumericUtils.sortableLongToDouble(stored[i]);
    }
    Arrays.sort(values);
    return switch (mode) {
      case MIN -> values[0];
      case MAX -> values[count - 1];
      case SUM -> Arrays.stream(values).sum();
      case AVG -> Arrays.stream(values).average().orElse(0);
      case MEDIAN ->
          count % 2 == 1 ? values[count / 2] : values[count / 2 - 1] / 2 + values[count / 2] / 2;
    };
  }

  /** Terms of a segment's documents: the first or the last of each, as the mode says. */
  SortedDocValues terms(LeafReaderContext leaf) throws IOException {
    SortedSetDocValues stored = DocValues.getSortedSet(leaf.reader(), field);
    return new SortedDocValues() {
      private int root = -1;
      private long best = -1;

      @Override
      public boolean advanceExact(int target) throws IOException {
        if (target == root) {
          return best >= 0;
        }
        root = target;
        best = -1;
        visit(leaf, target, this::look);
        return best >= 0;
      }

      private void look(int doc) throws IOException {
        if (!stored.advanceExact(doc)) {
          return;
        }
        for (int i = stored.docValueCount(); i > 0; i--) {
          long ord = stored.nextOrd();
          boolean isBetter = mode == SortMode.MAX ? ord > best : ord < best;
          best = best < 0 || isBetter ? ord : best;
        }
      }

      @Override
      public int ordValue() {
        return (int) best;
      }

      @Override
      public BytesRef lookupOrd(int ord) throws IOException {
        return stored.lookupOrd(ord);
      }

      @Override
      public int getValueCount() {
        return (int) stored.getValueCount(); // terms of one segment: Lucene sorts by no more
      }

      @Override
      public int docID() {
        return root;
      }

      @Override
      public int nextDoc() {
        throw new UnsupportedOperationException("values are asked for document by document");
      }

      @Override
      public int advance(int target) {
        throw new UnsupportedOperationException("values are asked for document by document");
      }

      @Override
      public long cost() {
        return stored.cost();
      }
    };
  }
}
