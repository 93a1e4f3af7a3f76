package dev.weir.search.shard;

import dev.weir.search.mapping.Compression;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.SpaceType;
import dev.weir.search.mapping.VectorData;
import dev.weir.search.vector.GraphShape;
import dev.weir.search.vector.HammingVectorsFormat;
import dev.weir.search.vector.HeapVectorsScorer;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.hnsw.FlatVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99FlatVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;

/**
 * The part of the {@link IndexCodec} that depends on the mapping when segments are written: the
 * graph and the compression of each vector field. Readers find them in the segment.
 */
final class ShardCodec extends Lucene104Codec {

  /** A graph is not built for segments with fewer vectors; all have fewer than this many. */
  private static final int NO_GRAPH = Integer.MAX_VALUE;

  private static final FieldType.KnnVector DEFAULT =
      new FieldType.KnnVector(1, SpaceType.L2, KnnMethod.DEFAULT);

  private final Supplier<Mapping> mapping;
  private final Supplier<GraphThreshold> threshold;
  private final Map<Layout, KnnVectorsFormat> formats = new ConcurrentHashMap<>();

  ShardCodec(Supplier<Mapping> mapping, Supplier<GraphThreshold> threshold) {
    this.mapping = mapping;
    this.threshold = threshold;
  }

  /** What decides on a field's format. */
  private record Layout(
      VectorData data,
      KnnMethod.Algorithm algorithm,
      int m,
      int efConstruction,
      Compression compression,
      int candidatesForGraph) {

    static Layout of(FieldType.KnnVector field, GraphThreshold threshold) {
      KnnMethod method = field.method();
      return new Layout(
          field.data(),
          method.algorithm(),
          method.graph().m(),
          method.graph().efConstruction(),
          method.compression(),
          threshold.candidates());
    }

    KnnVectorsFormat format() {
      return switch (algorithm) {
        case FLAT ->
            new Lucene99HnswVectorsFormat(
                m, efConstruction, GraphShape.MERGE_THREADS, null, NO_GRAPH);
        case HNSW ->
            switch (data) {
              case FLOAT, BYTE -> graph();
              case BINARY -> new HammingVectorsFormat(shape());
            };
      };
    }

    private KnnVectorsFormat graph() {
      return switch (compression) {
        case X1 -> new UncompressedGraph(shape());
        case X2 -> compressed(ScalarEncoding.UNSIGNED_BYTE);
        case X4 -> compressed(ScalarEncoding.SEVEN_BIT);
        case X8 -> compressed(ScalarEncoding.PACKED_NIBBLE);
        case X16 -> compressed(ScalarEncoding.DIBIT_QUERY_NIBBLE);
        case X32 -> compressed(ScalarEncoding.SINGLE_BIT_QUERY_NIBBLE);
      };
    }

    private GraphShape shape() {
      return new GraphShape(m, efConstruction, candidatesForGraph);
    }

    private KnnVectorsFormat compressed(ScalarEncoding encoding) {
      return new Lucene104HnswScalarQuantizedVectorsFormat(
          encoding, m, efConstruction, GraphShape.MERGE_THREADS, null, candidatesForGraph);
    }
  }

  @Override
  public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
    FieldType.KnnVector type =
        mapping
            .get()
            .field(field)
            .map(leaf -> leaf instanceof FieldType.KnnVector vector ? vector : null)
            .orElse(DEFAULT);
    return formats.computeIfAbsent(
        Layout.of(type, threshold.get()), layout -> new Roomy(layout.format()));
  }

  /**
   * The stock format under its own name, with room for as many dimensions as a mapping may have.
   */
  private static final class Roomy extends KnnVectorsFormat {

    private final KnnVectorsFormat stock;

    private Roomy(KnnVectorsFormat stock) {
      super(stock.getName());
      this.stock = stock;
    }

    @Override
    public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
      return stock.fieldsWriter(state);
    }

    @Override
    public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
      return stock.fieldsReader(state);
    }

    @Override
    public int getMaxDimensions(String field) {
      return FieldType.KnnVector.DIMENSION_MAX;
    }
  }

  /** Lucene's graph over full vectors, to the byte; only what compares them while it is built. */
  private static final class UncompressedGraph extends KnnVectorsFormat {
    private static final FlatVectorsFormat VECTORS =
        new Lucene99FlatVectorsFormat(HeapVectorsScorer.orStock());

    private final KnnVectorsFormat stock;
    private final GraphShape graph;

    private UncompressedGraph(GraphShape graph) {
      this(
          new Lucene99HnswVectorsFormat(
              graph.m(),
              graph.efConstruction(),
              GraphShape.MERGE_THREADS,
              null,
              graph.candidatesForGraph()),
          graph);
    }

    private UncompressedGraph(KnnVectorsFormat stock, GraphShape graph) {
      super(stock.getName());
      this.stock = stock;
      this.graph = graph;
    }

    @Override
    public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
      return graph.writer(state, VECTORS);
    }

    @Override
    public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
      return stock.fieldsReader(state);
    }

    @Override
    public int getMaxDimensions(String field) {
      return stock.getMaxDimensions(field);
    }
  }
}
