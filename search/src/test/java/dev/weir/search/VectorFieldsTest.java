package dev.weir.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.error.SearchException;
import dev.weir.search.execute.Hit;
import dev.weir.search.execute.TestSearches;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vector fields through the whole engine: mapping, documents, segments on disk, queries. */
final class VectorFieldsTest {

  private @TempDir Path directory;
  private RunningEngine engine;

  @BeforeEach
  void start() {
    engine = RunningEngine.on(directory);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        // data type | space | method | document | query | score
        "float|l2|hnsw|[1,1,1]|[1.1,1,1]|0.990099",
        "float|cosinesimil|hnsw|[1,0.5,0]|[1,0,0]|0.947214",
        "float|innerproduct|hnsw|[1,2,3]|[1,1,1]|7",
        "float|innerproduct|hnsw|[-1,-2,-3]|[1,1,1]|0.142857",
        "float|l1|flat|[4,-3,1]|[1,1,1]|0.125",
        "float|linf|flat|[4,-3,1]|[1,1,1]|0.2",
        "float|l2|flat|[1,1,1]|[1.1,1,1]|0.990099",
        "float|cosinesimil|flat|[1,0.5,0]|[1,0,0]|0.947214",
        "byte|l2|hnsw|[1,2,3]|[1,2,5]|0.2",
        "byte|cosinesimil|hnsw|[4,3,0]|[3,4,0]|0.98",
        "byte|innerproduct|hnsw|[1,2,3]|[1,1,1]|7",
        "byte|innerproduct|hnsw|[-1,-2,-3]|[1,1,1]|0.142857",
        "byte|l1|flat|[4,-3,1]|[1,1,1]|0.125",
        "byte|linf|flat|[4,-3,1]|[1,1,1]|0.2",
        "binary|hamming|hnsw|[5,0,0]|[6,0,0]|0.333333",
        "binary|hamming|flat|[-1,0,0]|[0,0,0]|0.111111",
      })
  void aVectorScoresByItsSpace(
      String data, String space, String method, String document, String query, double score) {
    create(
        """
        'dimension':%d,'data_type':'%s','space_type':'%s','method':{'name':'%s'}\
        """
            .formatted(data.equals("binary") ? 24 : 3, data, space, method));
    engine.put("v", "1", "{'v':" + document + "}");
    Hit hit = engine.search("v", knn(query, 1)).getFirst();
    assertThat(score(hit)).isCloseTo(score, within(1e-5));
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "float, l2, hnsw",
    "float, cosinesimil, hnsw",
    "float, innerproduct, hnsw",
    "float, l1, flat",
    "float, linf, flat",
    "byte, l2, hnsw",
    "byte, cosinesimil, hnsw",
    "byte, innerproduct, hnsw",
    "byte, linf, flat",
    "binary, hamming, hnsw",
    "binary, hamming, flat",
  })
  void theNearestOfManyAreFoundByWalkAndByScan(String data, String space, String method) {
    Random random = new Random(19);
    create(
        """
        'dimension':%d,'data_type':'%s','space_type':'%s','method':{'name':'%s'}\
        """
            .formatted(data.equals("binary") ? 64 : 8, data, space, method));
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 600; i++) {
      bulk.append("{'index':{'_id':'").append(i).append("'}}\n");
      bulk.append("{'v':").append(vector(random, data)).append(",'n':").append(i).append("}\n");
    }
    engine.bulk("v", bulk.toString());
    String target = vector(random, data);
    List<Double> exact = scores(knn(target, 600)); // asks for all of them, so that all are scored
    assertThat(exact).hasSize(600);
    engine.set("v", "{'index.knn.advanced.filtered_exact_search_threshold':0}"); // walk
    List<Double> walked = scores(knn(target, 20));
    long right = walked.stream().filter(score -> score >= exact.get(19)).count();
    assertThat(walked).hasSize(20);
    assertThat(right).isGreaterThanOrEqualTo(18); // a graph is not exact
    assertThat(scores(knn(target, 20, "{'range':{'n':{'lt':7}}}"))).hasSize(7);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"2x", "4x", "8x", "16x", "32x"})
  void compressedVectorsAreScoredAgainByTheFullOnes(String level) {
    Random random = new Random(23);
    create("'dimension':64,'compression_level':'" + level + "'");
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 800; i++) {
      bulk.append("{'index':{'_id':'").append(i).append("'}}\n");
      bulk.append("{'v':").append(gaussian(random, 64)).append("}\n");
    }
    engine.bulk("v", bulk.toString());
    String target = gaussian(random, 64);
    List<Double> exact = scores(knn(target, 800));
    assertThat(exact).hasSize(800);
    engine.set("v", "{'index.knn.advanced.filtered_exact_search_threshold':0}");
    List<Double> found = scores(knn(target, 10));
    assertThat(found).hasSize(10).isSortedAccordingTo((a, b) -> Double.compare(b, a));
    assertThat(sixDigits(exact)).containsAll(sixDigits(found)); // those of the full vectors
    long right = found.stream().filter(score -> score >= exact.get(9)).count();
    assertThat(right).isGreaterThanOrEqualTo(9);
    List<Double> rough = scores(knn(target, 10, "'rescore':false", null));
    assertThat(rough).hasSize(10);
    assertThat(sixDigits(exact)).doesNotContainAnyElementsOf(sixDigits(rough));
    List<Double> wide = scores(knn(target, 10, "'rescore':{'oversample_factor':80}", null));
    assertThat(sixDigits(wide)).isEqualTo(sixDigits(exact.subList(0, 10)));
  }

  @Test
  void sixteenThousandDimensionsAreIndexedAndFound() {
    create("'dimension':16000,'space_type':'innerproduct'");
    Random random = new Random(3);
    String[] vectors = {gaussian(random, 16_000), gaussian(random, 16_000)};
    engine.put("v", "a", "{'v':" + vectors[0] + "}");
    engine.put("v", "b", "{'v':" + vectors[1] + "}");
    assertThat(engine.search("v", knn(vectors[1], 2)))
        .extracting(Hit::id)
        .containsExactly("b", "a");
  }

  @Test
  void sixteenThousandBitsAreIndexedAndFound() {
    create("'dimension':16000,'data_type':'binary'");
    String ones = IntStream.range(0, 2000).mapToObj(_ -> "-1").collect(Collectors.joining(","));
    String zeros = IntStream.range(0, 2000).mapToObj(_ -> "0").collect(Collectors.joining(","));
    engine.put("v", "ones", "{'v':[" + ones + "]}");
    engine.put("v", "zeros", "{'v':[" + zeros + "]}");
    List<Hit> hits = engine.search("v", knn("[" + zeros + "]", 2));
    assertThat(hits).extracting(Hit::id).containsExactly("zeros", "ones");
    assertThat(score(hits.getLast())).isCloseTo(1 / 16_001.0, within(1e-9));
  }

  @Test
  void packedTextIsAVectorToo() {
    create("'dimension':2");
    ByteBuffer floats = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    floats.putFloat(1.5f).putFloat(-2);
    engine.put("v", "1", "{'v':'" + Base64.getEncoder().encodeToString(floats.array()) + "'}");
    assertThat(score(engine.search("v", knn("[1.5,-2]", 1)).getFirst())).isEqualTo(1);
  }

  @Test
  void textThatIsNoVectorIsToldWhatItShouldBe() {
    create("'dimension':2");
    assertThat(engine.refusal("v", "1", "{'v':'not a vector'}"))
        .contains(
            "vector field [v] takes an array of 2 numbers, or the Base64 of 2 little-endian 32-bit"
                + " floats; the text [not a vector] is neither");
    assertThat(engine.refusal("v", "1", "{'v':'AAAA'}"))
        .contains(
            "Vector dimension mismatch. Expected: 2, Given: Base64 of 3 bytes; vector field [v]"
                + " takes that of 2 little-endian 32-bit floats");
  }

  @Test
  void segmentsOfPackedBitsAreReadAfterARestart() {
    create("'dimension':16,'data_type':'binary'");
    engine.put("v", "1", "{'v':[5,0]}");
    engine.close();
    engine = RunningEngine.on(directory, engine);
    assertThat(score(engine.search("v", knn("[6,0]", 1)).getFirst()))
        .isCloseTo(1 / 3.0, within(1e-6));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'dimension':8,'data_type':'byte'|[1,2]|dimension",
        "'dimension':2,'data_type':'byte'|[1,200]|-128 to 127",
        "'dimension':2,'data_type':'byte'|[1,1.5]|-128 to 127",
        "'dimension':16,'data_type':'binary'|[1,2,3]|dimension",
        "'dimension':2,'data_type':'byte','space_type':'cosinesimil'|[0,0]|zero vector",
      })
  void aVectorThatDoesNotFitIsRefusedInDocumentsAndQueries(
      String field, String vector, String reason) {
    create(field);
    assertThat(engine.refusal("v", "1", "{'v':" + vector + "}")).contains(reason);
    assertThatThrownBy(() -> engine.search("v", knn(vector, 1)))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> {
              assertThat(e.status()).isEqualTo(400);
              assertThat(TestSearches.json(e::write)).contains(reason);
            });
  }

  @Test
  void searchesByDistanceHoldInEverySpace() {
    create("'dimension':2,'space_type':'linf','method':{'name':'flat'}");
    engine.put("v", "near", "{'v':[1,-2]}");
    engine.put("v", "far", "{'v':[1,-5]}");
    assertThat(
            engine.search("v", "{'knn':{'v':{'vector':[0,0],'max_distance':2}}}").stream()
                .map(Hit::id))
        .containsExactly("near");
    assertThat(
            engine.search("v", "{'knn':{'v':{'vector':[0,0],'min_score':0.16}}}").stream()
                .map(Hit::id))
        .containsExactly("near", "far");
  }

  private void create(String field) {
    engine.create(
        "v",
        "{'mappings':{'properties':{'n':{'type':'integer'},'v':{'type':'knn_vector',"
            + field
            + "}}}}");
  }

  private List<Double> scores(String query) {
    return engine.search("v", query).stream().map(VectorFieldsTest::score).toList();
  }

  private static double score(Hit hit) {
    return Objects.requireNonNull(hit.score());
  }

  /** Sums of floats differ in the last digit by their order. */
  private static List<String> sixDigits(List<Double> scores) {
    return scores.stream().map(score -> String.format(Locale.ROOT, "%.5e", score)).toList();
  }

  private static String knn(String vector, int k) {
    return knn(vector, k, null, null);
  }

  private static String knn(String vector, int k, @Nullable String filter) {
    return knn(vector, k, null, filter);
  }

  private static String knn(
      String vector, int k, @Nullable String option, @Nullable String filter) {
    return "{'knn':{'v':{'vector':"
        + vector
        + ",'k':"
        + k
        + (option == null ? "" : "," + option)
        + (filter == null ? "" : ",'filter':" + filter)
        + "}}}";
  }

  private static String vector(Random random, String data) {
    return data.equals("float")
        ? gaussian(random, 8)
        : Arrays.toString(IntStream.range(0, 8).map(_ -> random.nextInt(256) - 128).toArray());
  }

  private static String gaussian(Random random, int dimension) {
    return IntStream.range(0, dimension)
        .mapToObj(_ -> Float.toString((float) random.nextGaussian()))
        .collect(Collectors.joining(",", "[", "]"));
  }
}
