package dev.weir.search.execute;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;

/**
 * A number of each document of a segment that is made when it is asked for, as sorting does: for
 * one document after the other, the last one as often as is liked. Used by one thread.
 */
abstract class AskedNumbers extends NumericDocValues {
  private final long cost;
  private int doc = -1;
  private boolean isThere; // whether doc has a number

  /**
   * Numbers of no document so far.
   *
   * @param cost how many documents have one, about
   */
  AskedNumbers(long cost) {
    this.cost = cost;
  }

  /**
   * Makes the number of a document, which is asked for by {@link #longValue}; false: it has none.
   */
  abstract boolean make(int wanted) throws IOException;

  @Override
  public final boolean advanceExact(int target) throws IOException {
    if (target != doc) { // a comparator asks again; what is stored is read forwards only
      doc = target;
      isThere = make(target);
    }
    return isThere;
  }

  @Override
  public final int docID() {
    return doc;
  }

  @Override
  public final int nextDoc() {
    throw new UnsupportedOperationException("numbers are asked for document by document");
  }

  @Override
  public final int advance(int target) {
    throw new UnsupportedOperationException("numbers are asked for document by document");
  }

  @Override
  public final long cost() {
    return cost;
  }

  /** The numbers of each segment. */
  @FunctionalInterface
  interface Source {
    /** Those of one. */
    NumericDocValues in(LeafReaderContext leaf) throws IOException;
  }
}
