package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.VectorScorer;

/** Scores the vectors of a segment by a measure that Lucene does not have. Used by one thread. */
final class MeasuredScorer implements VectorScorer {
  private final KnnVectorValues.DocIndexIterator docs;
  private final Comparison comparison;

  /** The score of the vector with this ordinal. */
  @FunctionalInterface
  interface Comparison {
    float score(int ordinal) throws IOException;
  }

  MeasuredScorer(KnnVectorValues values, Comparison comparison) {
    this.docs = values.iterator();
    this.comparison = comparison;
  }

  @Override
  public float score() throws IOException {
    return comparison.score(docs.index());
  }

  @Override
  public DocIdSetIterator iterator() {
    return docs;
  }
}
