package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The documents of one segment among which a search chooses: all that are alive, or those of them
 * that match a filter. Immutable; may be read by several threads at once.
 */
final class AcceptedDocs {
  private final int maxDoc;
  private final int count;
  private final @Nullable FixedBitSet matching; // alive ones only; null: no filter
  private final @Nullable Bits live; // only without a filter; null: nothing is deleted

  private AcceptedDocs(int maxDoc, int count, @Nullable FixedBitSet matching, @Nullable Bits live) {
    this.maxDoc = maxDoc;
    this.count = count;
    this.matching = matching;
    this.live = live;
  }

  /** All documents that are alive. */
  static AcceptedDocs alive(LeafReader reader) {
    return new AcceptedDocs(reader.maxDoc(), reader.numDocs(), null, reader.getLiveDocs());
  }

  /**
   * The documents of a set.
   *
   * @param matching alive documents only; not changed any more by anyone
   */
  static AcceptedDocs of(FixedBitSet matching) {
    return new AcceptedDocs(matching.length(), matching.cardinality(), matching, null);
  }

  /**
   * Nested documents that are alive.
   *
   * @param live null: nothing is deleted
   */
  static AcceptedDocs nested(int maxDoc, @Nullable Bits live) {
    return new AcceptedDocs(maxDoc, maxDoc, null, live); // a bound; nobody counts all of them
  }

  /** Whether a document is among them. */
  boolean accepts(int doc) {
    Bits bits = matching == null ? live : matching;
    return bits == null || bits.get(doc);
  }

  /** How many there are, exactly. */
  int count() {
    return count;
  }

  /** How many of them have a vector, exactly. */
  int countWithVector(KnnVectorValues values) throws IOException {
    if (values.size() == maxDoc) {
      return count;
    }
    Bits bits = matching == null ? live : matching;
    if (bits == null) {
      return values.size();
    }
    int withVector = 0;
    DocIdSetIterator docs = values.iterator();
    for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      if (bits.get(doc)) {
        withVector++;
      }
    }
    return withVector;
  }

  /** The filter's documents in order; null where there is no filter. */
  @Nullable DocIdSetIterator matching() {
    return matching == null ? null : new BitSetIterator(matching, count);
  }

  /** What is alive, where there is no filter; null where nothing is deleted. */
  @Nullable Bits live() {
    return live;
  }

  /** For Lucene's graph search. */
  AcceptDocs forGraph() {
    FixedBitSet set = matching;
    return set == null
        ? AcceptDocs.fromLiveDocs(live, maxDoc)
        : new AcceptDocs() {
          @Override
          public Bits bits() {
            return set;
          }

          @Override
          public DocIdSetIterator iterator() {
            return new BitSetIterator(set, count);
          }

          @Override
          public int cost() {
            return count;
          }
        };
  }
}
