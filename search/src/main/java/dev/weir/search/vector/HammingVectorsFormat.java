package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.hnsw.FlatVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99FlatVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsReader;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

/**
 * Packed bits in a graph by the number of bits that differ, which Lucene's own formats do not
 * compare by. The files are those of Lucene's graph format (version 9.9) over byte vectors, to the
 * byte; only the name in the field's attributes differs, so that a reader compares as the writer
 * did. Lucene finds it by that name, as a service, hence it is public.
 */
public final class HammingVectorsFormat extends KnnVectorsFormat {
  /** The name in the segments. */
  public static final String NAME = "WeirHamming1";

  /** Most bytes of a vector; a mapping has at most 16,000 bits. */
  private static final int BYTES_MAX = 2000;

  private static final FlatVectorsFormat BITS =
      new Lucene99FlatVectorsFormat(new HammingVectorsScorer());

  private final GraphShape graph;

  /** For reading; what it writes has Lucene's defaults. */
  public HammingVectorsFormat() {
    this(
        new GraphShape(
            Lucene99HnswVectorsFormat.DEFAULT_MAX_CONN,
            Lucene99HnswVectorsFormat.DEFAULT_BEAM_WIDTH,
            Lucene99HnswVectorsFormat.HNSW_GRAPH_THRESHOLD));
  }

  /** For writing. */
  public HammingVectorsFormat(GraphShape graph) {
    super(NAME);
    this.graph = graph;
  }

  @Override
  public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
    return graph.writer(state, BITS);
  }

  @Override
  public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
    return new Lucene99HnswVectorsReader(state, BITS.fieldsReader(state));
  }

  @Override
  public int getMaxDimensions(String field) {
    return BYTES_MAX;
  }

  @Override
  public String toString() {
    return NAME + "(m=" + graph.m() + ", efConstruction=" + graph.efConstruction() + ")";
  }
}
