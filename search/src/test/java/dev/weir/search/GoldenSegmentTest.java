package dev.weir.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.vector.HammingVectorsFormat;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.hnsw.HnswGraphProvider;
import org.apache.lucene.codecs.perfield.PerFieldKnnVectorsFormat;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnByteVectorQuery;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A shard that an earlier build wrote is read by this one: segments of the codec {@code Weir104}
 * with documents in small blocks, a graph of floats, and one of packed bits ({@code WeirHamming1}).
 * The files are never made anew for a change to pass: another layout gets another name, and files
 * of its own beside these.
 */
final class GoldenSegmentTest {
  private static final String NAME = "weir104";
  private static final int DOCUMENTS = 64;

  /** Where the files are kept; {@code -Dweir.rewrite=true} makes them where they are not there. */
  private static final Path KEPT =
      Path.of("src", "test", "resources", "dev", "weir", "search", "golden", NAME);

  private Directory directory;
  private DirectoryReader reader;
  private IndexSearcher searcher;

  @BeforeEach
  void open(@TempDir Path folder) throws IOException, URISyntaxException {
    if (Boolean.getBoolean("weir.rewrite") && !Files.exists(KEPT)) {
      make(folder);
    }
    URL golden = GoldenSegmentTest.class.getResource("golden/" + NAME);
    directory = FSDirectory.open(Path.of(Objects.requireNonNull(golden, "no files").toURI()));
    reader = DirectoryReader.open(directory);
    searcher = new IndexSearcher(reader);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    directory.close();
  }

  /** The files of the one shard of an index, as the engine leaves them when it is closed. */
  private static void make(Path folder) throws IOException {
    RunningEngine engine = RunningEngine.on(folder);
    engine.create(
        "golden",
        "{'settings':{'index.knn.advanced.approximate_threshold':0},'mappings':{'properties':{"
            + "'title':{'type':'text'},'tag':{'type':'keyword'},'n':{'type':'integer'},"
            + "'v':{'type':'knn_vector','dimension':4,'space_type':'l2'},"
            + "'bits':{'type':'knn_vector','dimension':64,'data_type':'binary'}}}}");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < DOCUMENTS; i++) {
      lines.append("{'index':{'_id':'").append(i).append("'}}\n").append(source(i)).append('\n');
    }
    engine.bulk("golden", lines.toString());
    engine.close();
    Path shard;
    try (Stream<Path> indexes = Files.list(folder)) {
      shard = indexes.filter(Files::isDirectory).findFirst().orElseThrow().resolve("0");
    }
    Files.createDirectories(KEPT);
    try (Stream<Path> files = Files.list(shard)) {
      for (Path file : files.filter(each -> !each.endsWith("write.lock")).toList()) {
        Files.copy(file, KEPT.resolve(file.getFileName().toString()));
      }
    }
  }

  private static String source(int i) {
    float[] v = floats(i);
    byte[] bits = bits(i);
    StringBuilder packed = new StringBuilder();
    for (byte each : bits) {
      packed.append(packed.isEmpty() ? "" : ",").append(each);
    }
    return String.format(
        Locale.ROOT,
        "{'title':'document %d of the golden shard','tag':'t%d','n':%d,'v':[%s,%s,%s,%s],"
            + "'bits':[%s]}",
        i,
        i % 4,
        i,
        v[0],
        v[1],
        v[2],
        v[3],
        packed);
  }

  private static float[] floats(int i) {
    return new float[] {i, i % 8, -i, 1};
  }

  /** As many bits as the number says, so that the distance of two is the difference. */
  private static byte[] bits(int i) {
    byte[] bits = new byte[8];
    for (int bit = 0; bit < i; bit++) {
      bits[bit / 8] |= (byte) (1 << (bit % 8));
    }
    return bits;
  }

  private List<String> ids(Query query, int hitsMax) throws IOException {
    List<String> ids = new ArrayList<>();
    for (ScoreDoc hit : searcher.search(query, hitsMax).scoreDocs) {
      ids.add(searcher.storedFields().document(hit.doc).get("_id"));
    }
    return ids;
  }

  @Test
  void segmentsCarryTheNamesThatTheyWereWrittenWith() throws IOException {
    assertThat(SegmentInfos.readLatestCommit(directory))
        .isNotEmpty()
        .allSatisfy(segment -> assertThat(segment.info.getCodec().getName()).isEqualTo("Weir104"));
    assertThat(HammingVectorsFormat.NAME).isEqualTo("WeirHamming1");
    assertThat(
            reader.leaves().stream()
                .flatMap(
                    leaf ->
                        Stream.ofNullable(leaf.reader().getFieldInfos().fieldInfo("bits"))
                            .flatMap(field -> field.attributes().values().stream())))
        .contains("WeirHamming1");
  }

  @Test
  void everyDocumentIsThereAsItWasWritten() throws IOException {
    assertThat(reader.numDocs()).isEqualTo(DOCUMENTS);
    for (int i = 0; i < DOCUMENTS; i++) {
      ScoreDoc[] hits =
          searcher.search(new TermQuery(new Term("_id", Integer.toString(i))), 2).scoreDocs;
      assertThat(hits).hasSize(1);
      BytesRef source = searcher.storedFields().document(hits[0].doc).getBinaryValue("_source");
      assertThat(source.utf8ToString()).isEqualTo(source(i).replace('\'', '"'));
    }
  }

  @Test
  void wordsAndKeywordsAreFound() throws IOException {
    assertThat(ids(new TermQuery(new Term("title", "golden")), DOCUMENTS)).hasSize(DOCUMENTS);
    assertThat(ids(new TermQuery(new Term("title", "17")), DOCUMENTS)).containsExactly("17");
    assertThat(ids(new TermQuery(new Term("tag", "t3")), DOCUMENTS)).hasSize(DOCUMENTS / 4);
  }

  @Test
  void offsetsOfTheLogAreReadBack() throws IOException {
    long sum = 0;
    for (var leaf : reader.leaves()) {
      LeafReader segment = leaf.reader();
      NumericDocValues offsets = segment.getNumericDocValues("_seq_no");
      while (offsets.nextDoc() != NumericDocValues.NO_MORE_DOCS) {
        sum += offsets.longValue();
      }
    }
    assertThat(sum).isEqualTo((long) DOCUMENTS * (DOCUMENTS - 1) / 2);
  }

  @Test
  void graphsAreThere() throws IOException {
    for (String field : List.of("v", "bits")) {
      int nodes = 0;
      for (var leaf : reader.leaves()) {
        KnnVectorsReader vectors = ((CodecReader) leaf.reader()).getVectorReader();
        if (vectors instanceof PerFieldKnnVectorsFormat.FieldsReader fields
            && fields.getFieldReader(field) instanceof HnswGraphProvider graphs) {
          nodes += graphs.getGraph(field).size();
        }
      }
      assertThat(nodes).as(field).isEqualTo(DOCUMENTS);
    }
  }

  @Test
  void graphOfFloatsIsWalked() throws IOException {
    assertThat(ids(new KnnFloatVectorQuery("v", floats(21), 1), 1)).containsExactly("21");
    assertThat(ids(new KnnFloatVectorQuery("v", floats(21), 3), 3)).hasSize(3);
  }

  @Test
  void graphOfBitsIsComparedByTheBitsThatDiffer() throws IOException {
    assertThat(ids(new KnnByteVectorQuery("bits", bits(30), 3), 3))
        .startsWith("30")
        .containsExactlyInAnyOrder("29", "30", "31");
  }
}
