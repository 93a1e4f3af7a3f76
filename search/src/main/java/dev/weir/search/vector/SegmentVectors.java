package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.search.VectorScorer;
import org.jspecify.annotations.Nullable;

/** The vectors of one field in one segment, as seen from a {@link Target}. Used by one thread. */
public interface SegmentVectors {
  /** Their number, dimension and documents. */
  KnnVectorValues values();

  /** Compares them one by one with the target; null where there is none to compare. */
  @Nullable VectorScorer scorer(Precision precision) throws IOException;

  /** Distances by document. */
  Distances distances() throws IOException;

  /** Walks over the graph towards the target. */
  void walk(KnnCollector collector, AcceptDocs accepted) throws IOException;
}
