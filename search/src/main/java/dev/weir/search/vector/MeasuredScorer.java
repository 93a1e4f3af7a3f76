package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.VectorScorer;

/** Scores the vectors of a segment by a measure that Lucene does not have. Used by one thread. */
final class MeasuredScorer implements VectorScorer {
  private final Distances distances;
  private final Measure measure;

  MeasuredScorer(Distances distances, Measure measure) {
    this.distances = distances;
    this.measure = measure;
  }

  @Override
  public float score() throws IOException {
    return measure.score(distances.distance());
  }

  @Override
  public DocIdSetIterator iterator() {
    return distances.docs();
  }
}
