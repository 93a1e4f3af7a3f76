package dev.weir.search.vector;

import java.io.IOException;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.hnsw.FlatVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99FlatVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsReader;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsWriter;
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

  private final int m;
  private final int efConstruction;
  private final int candidatesForGraph;

  /** For reading; what it writes has Lucene's defaults. */
  public HammingVectorsFormat() {
    this(
        Lucene99HnswVectorsFormat.DEFAULT_MAX_CONN,
        Lucene99HnswVectorsFormat.DEFAULT_BEAM_WIDTH,
        Lucene99HnswVectorsFormat.HNSW_GRAPH_THRESHOLD);
  }

  /**
   * For writing.
   *
   * @param m neighbours of a node
   * @param efConstruction candidates looked at for each insertion
   * @param candidatesForGraph no graph is built where a walk for so many would look at all vectors
   */
  public HammingVectorsFormat(int m, int efConstruction, int candidatesForGraph) {
    super(NAME);
    this.m = m;
    this.efConstruction = efConstruction;
    this.candidatesForGraph = candidatesForGraph;
  }

  @Override
  public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
    return new Lucene99HnswVectorsWriter(
        state,
        m,
        efConstruction,
        BITS,
        BITS.fieldsWriter(state),
        Lucene99HnswVectorsFormat.DEFAULT_NUM_MERGE_WORKER,
        null,
        candidatesForGraph);
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
    return NAME + "(m=" + m + ", efConstruction=" + efConstruction + ")";
  }
}
