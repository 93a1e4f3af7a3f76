package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.index.KnnVectorValues;

/**
 * Distances of the vectors of one segment from a target, by document; documents are asked for in
 * ascending order. Compares full vectors, whatever a graph compares. Used by one thread.
 */
public final class Distances {
  private final KnnVectorValues.DocIndexIterator docs;
  private final OfOrdinal ofOrdinal;

  /** The distance of the vector with this ordinal. */
  @FunctionalInterface
  interface OfOrdinal {
    double of(int ordinal) throws IOException;
  }

  Distances(KnnVectorValues values, OfOrdinal ofOrdinal) {
    this.docs = values.iterator();
    this.ofOrdinal = ofOrdinal;
  }

  /** Goes to a document; false if it has no vector. */
  public boolean advanceExact(int doc) throws IOException {
    return docs.docID() == doc || (docs.docID() < doc && docs.advance(doc) == doc);
  }

  /** The distance of the current document. */
  public double distance() throws IOException {
    return ofOrdinal.of(docs.index());
  }

  KnnVectorValues.DocIndexIterator docs() {
    return docs;
  }
}
