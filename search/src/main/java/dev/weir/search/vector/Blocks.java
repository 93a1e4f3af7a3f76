package dev.weir.search.vector;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.AbstractKnnCollector;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.search.join.DiversifyingNearestChildrenKnnCollectorManager;
import org.apache.lucene.search.knn.KnnSearchStrategy;
import org.apache.lucene.util.BitSet;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * How a search on vectors of nested documents counts: a whole document is one result, by the best
 * of its nested documents. Nested documents lie before their whole document and are alive when it
 * is. Immutable; any thread may use it.
 *
 * @param whole the whole documents of a segment, deleted ones included
 * @param given which nested documents of a result are given
 */
public record Blocks(BitSetProducer whole, Given given) {

  /** Which nested documents of a whole document that was chosen are given. */
  public enum Given {
    /** The nearest one. */
    BEST,
    /** All among which the search could choose. */
    ALL
  }

  /** The nested documents that are alive. */
  AcceptedDocs alive(LeafReaderContext leaf) throws IOException {
    BitSet ends = ends(leaf);
    Bits live = leaf.reader().getLiveDocs();
    boolean isAnyDeleted = live != null && leaf.reader().numDocs() < ends.cardinality();
    return AcceptedDocs.nested(leaf.reader().maxDoc(), isAnyDeleted ? new Alive(live, ends) : null);
  }

  /** A nested document is alive when the document that ends its block is. */
  private record Alive(Bits live, BitSet ends) implements Bits {
    @Override
    public boolean get(int doc) {
      return live.get(ends.nextSetBit(doc));
    }

    @Override
    public int length() {
      return live.length();
    }
  }

  /** Takes nested documents out of a set whose whole documents are not alive. */
  static void retainAlive(FixedBitSet nested, BitSetProducer whole, LeafReaderContext leaf)
      throws IOException {
    Bits live = leaf.reader().getLiveDocs();
    BitSet ends = whole.getBitSet(leaf);
    if (live == null || ends == null) {
      return;
    }
    int doc = next(nested, 0);
    while (doc != DocIdSetIterator.NO_MORE_DOCS) {
      int end = ends.nextSetBit(doc);
      if (!live.get(end)) {
        nested.clear(doc, end + 1);
      }
      doc = next(nested, end + 1);
    }
  }

  /**
   * How many whole documents the accepted nested ones can make; without a filter it is a bound from
   * above, since a count would cost as much as a scan.
   */
  int results(AcceptedDocs accepted, int acceptedWithVector, LeafReaderContext leaf)
      throws IOException {
    DocIdSetIterator docs = accepted.matching();
    if (docs == null) {
      return Math.min(acceptedWithVector, leaf.reader().numDocs());
    }
    BitSet ends = ends(leaf);
    int count = 0;
    int doc = docs.nextDoc();
    while (doc != DocIdSetIterator.NO_MORE_DOCS) {
      count++;
      doc = docs.advance(ends.nextSetBit(doc) + 1);
    }
    return Math.min(acceptedWithVector, count);
  }

  /** Collects the best nested document of each of the {@code k} best whole ones. */
  AbstractKnnCollector collector(int k, KnnSearchStrategy strategy, LeafReaderContext leaf)
      throws IOException {
    return (AbstractKnnCollector)
        new DiversifyingNearestChildrenKnnCollectorManager(k, whole, null)
            .newCollector(Integer.MAX_VALUE, strategy, leaf);
  }

  /** Of nested documents of a segment, in their order, the best of each whole one. */
  List<ScoreDoc> best(List<ScoreDoc> found, LeafReaderContext leaf) throws IOException {
    BitSet ends = ends(leaf);
    List<ScoreDoc> best = new ArrayList<>();
    int end = -1;
    for (ScoreDoc hit : found) {
      int own = ends.nextSetBit(hit.doc - leaf.docBase);
      if (own != end) {
        best.add(hit);
        end = own;
      } else if (hit.score > best.getLast().score) {
        best.set(best.size() - 1, hit);
      }
    }
    return best;
  }

  /** The accepted nested documents of a segment whose whole document is that of one of these. */
  AcceptedDocs siblings(Iterable<ScoreDoc> found, AcceptedDocs accepted, LeafReaderContext leaf)
      throws IOException {
    BitSet ends = ends(leaf);
    int maxDoc = leaf.reader().maxDoc();
    FixedBitSet siblings = new FixedBitSet(maxDoc);
    for (ScoreDoc hit : found) {
      int doc = hit.doc - leaf.docBase;
      if (doc >= 0 && doc < maxDoc) {
        int end = ends.nextSetBit(doc);
        int first = end == 0 ? 0 : ends.prevSetBit(end - 1) + 1;
        for (int sibling = first; sibling < end; sibling++) {
          if (accepted.accepts(sibling)) {
            siblings.set(sibling);
          }
        }
      }
    }
    return AcceptedDocs.of(siblings);
  }

  private BitSet ends(LeafReaderContext leaf) throws IOException {
    @Nullable BitSet ends = whole.getBitSet(leaf);
    if (ends == null) {
      throw new IOException("a segment has no whole documents: " + leaf.reader());
    }
    return ends;
  }

  private static int next(FixedBitSet bits, int from) {
    return from < bits.length() ? bits.nextSetBit(from) : DocIdSetIterator.NO_MORE_DOCS;
  }
}
