package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.search.VectorScorer;
import org.jspecify.annotations.Nullable;

/** Scores the accepted documents of one segment one by one. */
final class VectorScan {
  private VectorScan() {}

  /** Takes what was scored. */
  @FunctionalInterface
  interface Sink {
    void accept(int doc, float score);
  }

  /** Collects the best of the accepted documents; each counts as one visit. */
  static void best(
      SegmentVectors vectors,
      Precision precision,
      AcceptedDocs accepted,
      @Nullable QueryTimeout timeout,
      KnnCollector collector)
      throws IOException {
    each(
        vectors,
        precision,
        accepted,
        timeout,
        (doc, score) -> {
          collector.incVisitedCount(1);
          collector.collect(doc, score);
        });
  }

  /**
   * Gives every accepted document that has a vector to the sink, in order of the documents; not all
   * of them where the time is over.
   *
   * @return how many it gave
   */
  static long each(
      SegmentVectors vectors,
      Precision precision,
      AcceptedDocs accepted,
      @Nullable QueryTimeout timeout,
      Sink sink)
      throws IOException {
    VectorScorer scorer = vectors.scorer(precision);
    if (scorer == null) {
      return 0; // no document of the segment has the vector
    }
    VectorScorer.Bulk bulk = scorer.bulk(accepted.matching());
    DocAndFloatFeatureBuffer scored = new DocAndFloatFeatureBuffer();
    long given = 0;
    bulk.nextDocsAndScores(DocIdSetIterator.NO_MORE_DOCS, accepted.live(), scored);
    while (scored.size > 0 && !NearestVectors.isOver(timeout)) {
      for (int i = 0; i < scored.size; i++) {
        sink.accept(scored.docs[i], scored.features[i]);
      }
      given += scored.size;
      bulk.nextDocsAndScores(DocIdSetIterator.NO_MORE_DOCS, accepted.live(), scored);
    }
    return given;
  }
}
