package dev.weir.search.execute;

import dev.weir.search.execute.CombinedValues.Coding;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldComparatorSource;
import org.apache.lucene.search.LeafFieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.comparators.DoubleComparator;
import org.apache.lucene.search.comparators.FloatComparator;
import org.apache.lucene.search.comparators.IntComparator;
import org.apache.lucene.search.comparators.LongComparator;
import org.apache.lucene.search.comparators.TermOrdValComparator;

/**
 * Lucene's comparators over combined values. Nothing is pruned: what is in the index of a field
 * says nothing of what its values make together.
 */
final class CombinedSort {
  private CombinedSort() {}

  /**
   * Compares numbers.
   *
   * @param missing stands for no value, and says by its class of which kind the numbers are
   */
  static FieldComparatorSource numbers(CombinedValues values, Object missing) {
    return new FieldComparatorSource() {
      @Override
      public FieldComparator<?> newComparator(
          String field, int hits, Pruning pruning, boolean reversed) {
        return switch (missing) {
          case Integer number -> ints(field, of(values, Coding.WHOLE), hits, number, reversed);
          case Long number -> longs(field, of(values, Coding.WHOLE), hits, number, reversed);
          case Float number -> floats(field, of(values, Coding.FLOAT), hits, number, reversed);
          case Double number -> doubles(field, of(values, Coding.DOUBLE), hits, number, reversed);
          default -> throw new AssertionError("no number: " + missing.getClass());
        };
      }
    };
  }

  /**
   * Compares terms.
   *
   * @param missing where documents without a term go in Lucene's order before it is reversed
   */
  static FieldComparatorSource terms(CombinedValues values, MissingTerms missing) {
    return new FieldComparatorSource() {
      @Override
      public FieldComparator<?> newComparator(
          String field, int hits, Pruning pruning, boolean reversed) {
        return new TermOrdValComparator(
            hits, field, missing == MissingTerms.LAST, reversed, Pruning.NONE) {
          @Override
          protected SortedDocValues getSortedDocValues(LeafReaderContext leaf, String name)
              throws IOException {
            return values.terms(leaf);
          }
        };
      }
    };
  }

  /** A place in an order. */
  enum MissingTerms {
    FIRST,
    LAST
  }

  private static AskedNumbers.Source of(CombinedValues values, Coding coding) {
    return leaf -> values.numbers(leaf, coding);
  }

  private static FieldComparator<Integer> ints(
      String field, AskedNumbers.Source numbers, int hits, Integer missing, boolean reversed) {
    return new IntComparator(hits, field, missing, reversed, Pruning.NONE) {
      @Override
      public LeafFieldComparator getLeafComparator(LeafReaderContext leaf) throws IOException {
        return new IntLeafComparator(leaf) {
          @Override
          protected NumericDocValues getNumericDocValues(LeafReaderContext of, String name)
              throws IOException {
            return numbers.in(of);
          }
        };
      }
    };
  }

  private static FieldComparator<Long> longs(
      String field, AskedNumbers.Source numbers, int hits, Long missing, boolean reversed) {
    return new LongComparator(hits, field, missing, reversed, Pruning.NONE) {
      @Override
      public LeafFieldComparator getLeafComparator(LeafReaderContext leaf) throws IOException {
        return new LongLeafComparator(leaf) {
          @Override
          protected NumericDocValues getNumericDocValues(LeafReaderContext of, String name)
              throws IOException {
            return numbers.in(of);
          }
        };
      }
    };
  }

  private static FieldComparator<Float> floats(
      String field, AskedNumbers.Source numbers, int hits, Float missing, boolean reversed) {
    return new FloatComparator(hits, field, missing, reversed, Pruning.NONE) {
      @Override
      public LeafFieldComparator getLeafComparator(LeafReaderContext leaf) throws IOException {
        return new FloatLeafComparator(leaf) {
          @Override
          protected NumericDocValues getNumericDocValues(LeafReaderContext of, String name)
              throws IOException {
            return numbers.in(of);
          }
        };
      }
    };
  }

  /** Compares the numbers of any source, which are the bits of doubles. */
  static FieldComparator<Double> doubles(
      String field, AskedNumbers.Source numbers, int hits, Double missing, boolean reversed) {
    return new DoubleComparator(hits, field, missing, reversed, Pruning.NONE) {
      @Override
      public LeafFieldComparator getLeafComparator(LeafReaderContext leaf) throws IOException {
        return new DoubleLeafComparator(leaf) {
          @Override
          protected NumericDocValues getNumericDocValues(LeafReaderContext of, String name)
              throws IOException {
            return numbers.in(of);
          }
        };
      }
    };
  }
}
