package dev.weir.search.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MappingJson;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.codecs.hnsw.HnswGraphProvider;
import org.apache.lucene.codecs.perfield.PerFieldKnnVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnByteVectorField;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.hnsw.HnswGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Which segments get a graph over their vectors, as the index setting says. */
class GraphThresholdTest {
  private static final List<String> FIELDS = List.of("x1", "x4", "bits");
  private static final Mapping MAPPING =
      MappingJson.parse(
          JsonMapper.shared()
              .readTree(
                  "{\"properties\":{\"x1\":{\"type\":\"knn_vector\",\"dimension\":4},"
                      + "\"x4\":{\"type\":\"knn_vector\",\"dimension\":4,\"compression_level\":\"4x\"},"
                      + "\"bits\":{\"type\":\"knn_vector\",\"dimension\":32,\"data_type\":\"binary\","
                      + "\"space_type\":\"hamming\"}}}"));

  private final AtomicReference<GraphThreshold> threshold =
      new AtomicReference<>(GraphThreshold.DEFAULT);

  private IndexWriter writer(Directory directory) throws IOException {
    return new IndexWriter(
        directory,
        new IndexWriterConfig()
            .setCodec(new ShardCodec(() -> MAPPING, threshold::get))
            .setMergePolicy(NoMergePolicy.INSTANCE));
  }

  private static void add(IndexWriter writer, int count, Random random) throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = new Document();
      for (String field : FIELDS) {
        if (MAPPING.field(field).orElseThrow() instanceof FieldType.KnnVector type
            && field.equals("bits")) {
          byte[] bits = new byte[type.values()];
          random.nextBytes(bits);
          document.add(new KnnByteVectorField(field, bits, VectorSimilarityFunction.EUCLIDEAN));
        } else {
          float[] vector = {
            random.nextFloat(), random.nextFloat(), random.nextFloat(), random.nextFloat()
          };
          document.add(new KnnFloatVectorField(field, vector));
        }
      }
      writer.addDocument(document);
    }
  }

  /** The fields with a graph in a segment. */
  private static Set<String> graphs(LeafReader segment) throws IOException {
    Set<String> found = new HashSet<>();
    for (String field : FIELDS) {
      var byField =
          (PerFieldKnnVectorsFormat.FieldsReader) ((CodecReader) segment).getVectorReader();
      HnswGraph graph = ((HnswGraphProvider) byField.getFieldReader(field)).getGraph(field);
      if (graph != null && graph.size() > 0) {
        found.add(field);
      }
    }
    return found;
  }

  private Set<String> graphsOf(int vectors) throws IOException {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = writer(directory)) {
      add(writer, vectors, new Random(vectors));
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        return graphs(reader.leaves().getFirst().reader());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 50, 200, 1000})
  void segmentsBelowItHaveNoGraph(int vectors) throws IOException {
    threshold.set(new GraphThreshold(vectors));
    int slack = (int) Math.ceil(Math.log(vectors)) + 1;
    assertThat(graphsOf(vectors - slack)).isEmpty();
    assertThat(graphsOf(vectors)).containsExactlyInAnyOrderElementsOf(FIELDS);
  }

  @Test
  void itsLimitsMeanAlwaysAndNever() throws IOException {
    threshold.set(new GraphThreshold(0));
    assertThat(graphsOf(2)).containsExactlyInAnyOrderElementsOf(FIELDS);
    threshold.set(new GraphThreshold(GraphThreshold.NEVER));
    assertThat(graphsOf(3000)).isEmpty();
    threshold.set(GraphThreshold.DEFAULT);
    assertThat(graphsOf(300)).isEmpty();
    assertThat(graphsOf(1000)).containsExactlyInAnyOrderElementsOf(FIELDS);
    assertThatThrownBy(() -> new GraphThreshold(-3)).hasMessageContaining("vectors=-3");
  }

  @Test
  void aChangeHoldsForSegmentsToCome() throws IOException {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = writer(directory)) {
      threshold.set(new GraphThreshold(GraphThreshold.NEVER));
      add(writer, 100, new Random(1));
      writer.flush();
      threshold.set(new GraphThreshold(0));
      add(writer, 100, new Random(2));
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertThat(graphs(reader.leaves().get(0).reader())).isEmpty();
        assertThat(graphs(reader.leaves().get(1).reader())).hasSize(3);
        // A search finds the nearest of both, exactly where there is no graph.
        float[] target = {0.5f, 0.5f, 0.5f, 0.5f};
        ScoreDoc[] found =
            new IndexSearcher(reader)
                .search(new KnnFloatVectorQuery("x1", target, 200), 200)
                .scoreDocs;
        assertThat(found).hasSize(200);
      }
    }
  }
}
