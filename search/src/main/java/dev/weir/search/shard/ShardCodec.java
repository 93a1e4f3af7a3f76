package dev.weir.search.shard;

import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.Mapping;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

/**
 * Lucene's own codec, with the graph parameters that the mapping gives each vector field. Nothing
 * of ours is written into the segments: any Lucene of this version reads them.
 */
final class ShardCodec extends Lucene104Codec {

  private final Supplier<Mapping> mapping;
  private final Map<KnnMethod, KnnVectorsFormat> formats = new ConcurrentHashMap<>();

  ShardCodec(Supplier<Mapping> mapping) {
    this.mapping = mapping;
  }

  @Override
  public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
    KnnMethod method =
        mapping
            .get()
            .field(field)
            .map(type -> type instanceof FieldType.KnnVector vector ? vector.method() : null)
            .orElse(KnnMethod.DEFAULT);
    return formats.computeIfAbsent(method, Graph::new);
  }

  /**
   * The stock format under its own name, with room for as many dimensions as a mapping may have.
   */
  private static final class Graph extends KnnVectorsFormat {

    private final KnnVectorsFormat stock;

    private Graph(KnnMethod method) {
      this(new Lucene99HnswVectorsFormat(method.m(), method.efConstruction()));
    }

    private Graph(KnnVectorsFormat stock) {
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
}
