package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.hnsw.FlatVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsWriter;
import org.apache.lucene.index.SegmentWriteState;

/**
 * How the graph over the vectors of a field is built.
 *
 * @param m neighbours of a node
 * @param efConstruction candidates looked at for each insertion
 * @param candidatesForGraph no graph is built where a walk for so many would look at all vectors
 */
public record GraphShape(int m, int efConstruction, int candidatesForGraph) {
  /** Threads of one merge: merges run beside each other as it is. */
  public static final int MERGE_THREADS = 1;

  /** Writes such a graph, in Lucene's format of version 9.9, beside vectors in theirs. */
  public KnnVectorsWriter writer(SegmentWriteState state, FlatVectorsFormat vectors)
      throws IOException {
    return new Lucene99HnswVectorsWriter(
        state,
        m,
        efConstruction,
        vectors,
        vectors.fieldsWriter(state),
        MERGE_THREADS,
        null,
        candidatesForGraph);
  }
}
