package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.util.BitSet;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The nested documents of those that a filter accepts: all that lie between two documents of a
 * level, at whatever depth. Documents of other levels may be among them, so it is to stand beside a
 * clause that says which nested documents are meant. Lives as long as its filter.
 */
public final class DocsBelow extends Query implements FilterBits {
  private final SharedFilter filter;
  private final BitSetProducer level;

  /**
   * Documents below others.
   *
   * @param filter accepts documents of the level only
   * @param level all documents of the level, deleted ones included
   */
  public DocsBelow(SharedFilter filter, BitSetProducer level) {
    this.filter = filter;
    this.level = level;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        FixedBitSet below = below(filter.in(leaf).matching(), leaf);
        int count = below.cardinality();
        if (count == 0) {
          return null;
        }
        return new ScorerSupplier() {
          @Override
          public Scorer get(long leadCost) {
            return new ConstantScoreScorer(score(), scoreMode, new BitSetIterator(below, count));
          }

          @Override
          public long cost() {
            return count;
          }
        };
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false; // as short-lived as its filter
      }
    };
  }

  /** What lies below all documents that the filter matches, deleted ones too. */
  @Override
  public Matching matching(LeafReaderContext leaf) throws IOException {
    Matching around = filter.matching(leaf);
    DocIdSetIterator docs =
        new BitSetIterator(around.bits(), around.bits().approximateCardinality());
    return new Matching(below(docs, leaf), around.outcome());
  }

  private FixedBitSet below(@Nullable DocIdSetIterator docs, LeafReaderContext leaf)
      throws IOException {
    FixedBitSet below = new FixedBitSet(leaf.reader().maxDoc());
    BitSet ends = level.getBitSet(leaf);
    if (docs != null && ends != null) {
      for (int end = docs.nextDoc(); end != DocIdSetIterator.NO_MORE_DOCS; end = docs.nextDoc()) {
        // Bits that count deleted documents in may hold some of other levels, which count as such.
        if (end > 0 && ends.get(end)) {
          below.set(ends.prevSetBit(end - 1) + 1, end);
        }
      }
    }
    return below;
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return "below(" + filter + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DocsBelow that
        && filter.equals(that.filter)
        && level.equals(that.level);
  }

  @Override
  public int hashCode() {
    return 31 * filter.hashCode() + level.hashCode();
  }
}
