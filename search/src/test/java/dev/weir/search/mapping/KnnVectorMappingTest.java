package dev.weir.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a {@code knn_vector} definition may say, and what it means. */
class KnnVectorMappingTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'knn_vector','dimension':3,'data_type':'BYTE'}",
        "{'type':'knn_vector','dimension':16,'data_type':'BINARY','space_type':'hamming'}",
        "{'type':'knn_vector','dimension':3,'mode':'on_disk'}",
        "{'type':'knn_vector','dimension':3,'mode':'on_disk','compression_level':'8x'}",
        "{'type':'knn_vector','dimension':3,'mode':'in_memory'}",
        "{'type':'knn_vector','dimension':3,'compression_level':'16x'}",
        "{'type':'knn_vector','dimension':3,'method':{'engine':'lucene','space_type':'l1',"
            + "'name':'flat','parameters':{}}}",
        "{'type':'knn_vector','dimension':3,'method':{'engine':'faiss','space_type':'l2',"
            + "'name':'hnsw','parameters':{'ef_construction':256,'ef_search':64,'m':8}}}",
      })
  void aDefinitionIsEchoedAndReadBackEqual(String definition) {
    JsonNode json = json(definition);
    FieldType.KnnVector type = KnnVectorParser.parse(json, "v");
    assertThat(MappingJson.print(type)).isEqualTo(json);
    assertThat(KnnVectorParser.parse(MappingJson.print(type), "v")).isEqualTo(type);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'mode':'on_disk'|X32",
        "'mode':'on_disk','compression_level':'4x'|X4",
        "'mode':'in_memory'|X1",
        "'compression_level':'2x'|X2",
        "'method':{'name':'hnsw','parameters':{'encoder':{'name':'flat'}}}|X1",
        "'method':{'name':'hnsw','parameters':{'encoder':{'name':'sq'}}}|X4",
        "'method':{'name':'hnsw','parameters':{'encoder':{'name':'sq','parameters':"
            + "{'type':'fp16','clip':true}}}}|X2",
        "'method':{'name':'hnsw','parameters':{'encoder':{'name':'sq','parameters':"
            + "{'bits':7,'confidence_interval':0.9}}}}|X4",
        "'method':{'name':'hnsw','parameters':{'encoder':{'name':'sq','parameters':"
            + "{'bits':4}}}}|X8",
        "'method':{'name':'hnsw','parameters':{'encoder':{'name':'sq','parameters':"
            + "{'bits':1}}}}|X32",
        "'method':{'name':'hnsw','parameters':{'encoder':{'name':'binary'}}}|X32",
        "'method':{'name':'hnsw','parameters':{'encoder':{'name':'binary','parameters':"
            + "{'bits':2}}}},'compression_level':'16x'|X16",
      })
  void compressionFollowsFromModeLevelOrEncoder(String rest, Compression expected) {
    FieldType.KnnVector type =
        KnnVectorParser.parse(json("{'type':'knn_vector','dimension':3," + rest + "}"), "v");
    assertThat(type.method().compression()).isEqualTo(expected);
    assertThat(KnnVectorParser.parse(MappingJson.print(type), "v")).isEqualTo(type);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'dimension':12,'data_type':'binary'|multiply of 8",
        "'dimension':8,'data_type':'binary','space_type':'l2'|hamming",
        "'dimension':8,'space_type':'hamming'|binary",
        "'dimension':8,'space_type':'l1'|method [flat]",
        "'dimension':8,'space_type':'linf'|method [flat]",
        "'dimension':8,'data_type':'byte','mode':'on_disk'|floats",
        "'dimension':8,'data_type':'binary','compression_level':'4x'|floats",
        "'dimension':8,'compression_level':'64x'|1x, 2x, 4x, 8x, 16x, 32x",
        "'dimension':8,'mode':'somewhere'|in_memory, on_disk",
        "'dimension':8,'model_id':'m'|trained model",
        "'dimension':8,'compression_level':'4x','method':{'name':'flat'}|method [flat]",
        "'dimension':8,'method':{'name':'flat','parameters':{'m':8}}|m",
        "'dimension':8,'method':{'name':'ivf'}|hnsw, flat",
        "'dimension':8,'method':{'name':'hnsw','parameters':{'encoder':{'name':'pq'}}}|training",
        "'dimension':8,'method':{'name':'hnsw','parameters':{'encoder':'sq'}}|encoder",
        "'dimension':8,'method':{'name':'hnsw','parameters':{'encoder':{'name':'sq',"
            + "'parameters':{'bits':5}}}}|bits",
        "'dimension':8,'compression_level':'4x','method':{'name':'hnsw','parameters':"
            + "{'encoder':{'name':'binary'}}}|same",
        "'dimension':8,'method':{'name':'hnsw','parameters':{'ef_search':0}}|ef_search",
      })
  void whatCannotBeIsRefusedWithTheReason(String rest, String reason) {
    assertThatThrownBy(
            () -> VectorBounds.require("v", KnnVectorParser.parse(json("{" + rest + "}"), "v")))
        .isInstanceOfSatisfying(
            SearchException.class,
            e ->
                assertThat(Objects.requireNonNull(e.error().causedBy()).reason())
                    .contains(reason)
                    .contains("v"));
  }

  @ParameterizedTest
  @CsvSource({
    "X4, 128, 1",
    "X4, 1536, 1",
    "X8, 128, 5",
    "X8, 1536, 2",
    "X16, 1000, 5",
    "X32, 1001, 3"
  })
  void oversamplingFollowsFromCompressionAndDimension(
      Compression compression, int dimension, float factor) {
    assertThat(compression.oversampling(dimension)).isEqualTo(factor);
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text.replace('\'', '"'));
  }
}
