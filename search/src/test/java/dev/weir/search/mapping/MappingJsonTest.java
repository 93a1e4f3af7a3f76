package dev.weir.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

final class MappingJsonTest {

  /** What is printed equals what was given, where nothing but non-default parameters was given. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"dynamic\":\"strict\"}",
        "{\"_meta\":{\"owner\":\"me\"},\"date_detection\":false,\"numeric_detection\":true}",
        "{\"properties\":{\"t\":{\"type\":\"text\",\"norms\":false,\"analyzer\":\"english\","
            + "\"search_analyzer\":\"standard\",\"index\":false,"
            + "\"fields\":{\"k\":{\"type\":\"keyword\",\"ignore_above\":256}}}}}",
        "{\"properties\":{\"k\":{\"type\":\"keyword\",\"null_value\":\"none\","
            + "\"index\":false,\"doc_values\":false}}}",
        "{\"properties\":{\"n\":{\"type\":\"integer\",\"coerce\":false,\"null_value\":7,"
            + "\"ignore_malformed\":true}}}",
        "{\"properties\":{\"h\":{\"type\":\"half_float\"},\"b\":{\"type\":\"byte\"},"
            + "\"s\":{\"type\":\"short\"},\"d\":{\"type\":\"double\"}}}",
        "{\"properties\":{\"b\":{\"type\":\"boolean\",\"null_value\":false}}}",
        "{\"properties\":{\"p\":{\"type\":\"geo_point\",\"ignore_malformed\":true,\"index\":false,"
            + "\"ignore_z_value\":false,\"null_value\":\"1.5,-2.0\"}}}",
        "{\"properties\":{\"d\":{\"type\":\"date\",\"format\":\"yyyy/MM/dd||epoch_second\"}}}",
        "{\"properties\":{\"o\":{\"dynamic\":\"false\","
            + "\"properties\":{\"p\":{\"type\":\"long\"}}}}}",
        "{\"properties\":{\"o\":{\"enabled\":false,\"type\":\"object\"}}}",
        "{\"properties\":{\"c\":{\"type\":\"nested\",\"dynamic\":\"strict\",\"properties\":{"
            + "\"t\":{\"type\":\"text\"},\"v\":{\"type\":\"nested\"}}}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":3,"
            + "\"method\":{\"engine\":\"lucene\",\"space_type\":\"cosinesimil\",\"name\":\"hnsw\","
            + "\"parameters\":{\"ef_construction\":128,\"m\":24}}}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":3,"
            + "\"space_type\":\"innerproduct\"}}}"
      })
  void aMappingIsEchoedAndReadBackEqual(String json) {
    Mapping mapping = parse(json);
    assertThat(MappingJson.print(mapping)).isEqualTo(JsonMapper.shared().readTree(json));
    assertThat(MappingJson.parse(MappingJson.print(mapping))).isEqualTo(mapping);
  }

  @Test
  void aValueOfMetaMayBeNull() {
    String json = "{\"_meta\":{\"a\":null}}";
    assertThat(MappingJson.print(parse(json))).hasToString(json);
  }

  @Test
  void dottedNamesAreObjects() {
    assertThat(parse("{\"properties\":{\"a.b\":{\"type\":\"long\"},\"a.c\":{\"type\":\"text\"}}}"))
        .isEqualTo(
            parse(
                "{\"properties\":{\"a\":{\"properties\":"
                    + "{\"b\":{\"type\":\"long\"},\"c\":{\"type\":\"text\"}}}}}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{\"what\":1}",
        "{\"dynamic\":\"perhaps\"}",
        "{\"properties\":[]}",
        "{\"properties\":{\"f\":1}}",
        "{\"properties\":{\"f\":{\"type\":\"nonsense\"}}}",
        "{\"properties\":{\"f\":{\"analyzer\":\"standard\"}}}",
        "{\"properties\":{\"f\":{\"type\":\"text\",\"what\":1}}}",
        "{\"properties\":{\"f\":{\"type\":\"text\",\"doc_values\":true}}}",
        "{\"properties\":{\"f\":{\"type\":\"text\",\"analyzer\":\"martian\"}}}",
        "{\"properties\":{\"f\":{\"type\":\"keyword\",\"analyzer\":\"standard\"}}}",
        "{\"properties\":{\"f\":{\"type\":\"keyword\",\"ignore_above\":-1}}}",
        "{\"properties\":{\"f\":{\"type\":\"byte\",\"null_value\":300}}}",
        "{\"properties\":{\"f\":{\"type\":\"date\",\"format\":\"qqqq{\"}}}",
        "{\"properties\":{\"f\":{\"type\":\"date\",\"null_value\":\"soon\"}}}",
        "{\"properties\":{\"f\":{\"type\":\"text\",\"fields\":{\"o\":{\"type\":\"object\"}}}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\"}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":0}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":-1}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":\"x\"}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":16001}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":2,\"data_type\":\"int4\"}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":2,\"space_type\":\"l9\"}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":2,\"what\":1}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":2,"
            + "\"method\":{\"name\":\"ivf\"}}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":2,"
            + "\"method\":{\"name\":\"hnsw\",\"parameters\":{\"m\":0}}}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":2,"
            + "\"method\":{\"name\":\"hnsw\",\"parameters\":{\"nlist\":4}}}}}",
        "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":2,\"space_type\":\"l2\","
            + "\"method\":{\"name\":\"hnsw\",\"space_type\":\"cosinesimil\"}}}}"
      })
  void whatIsNoMappingIsRefusedWithTheDetailAsTheCause(String json) {
    assertThatThrownBy(() -> parse(json))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> {
              assertThat(e.error().type()).isEqualTo(ErrorType.MAPPER_PARSING);
              assertThat(e.error().causedBy()).isNotNull();
              assertThat(e.status()).isEqualTo(400);
            });
  }

  @Test
  void mergingAddsFieldsAndChangesWhatIsFreeToChange() {
    Mapping merged =
        MappingMerge.merge(
            parse("{\"properties\":{\"o\":{\"properties\":{\"a\":{\"type\":\"text\"}}}}}"),
            parse(
                "{\"properties\":{\"o\":{\"properties\":{"
                    + "\"a\":{\"type\":\"text\",\"search_analyzer\":\"english\","
                    + "\"fields\":{\"k\":{\"type\":\"keyword\"}}},"
                    + "\"b\":{\"type\":\"long\"}}}}}"));
    assertThat(MappingJson.print(merged))
        .hasToString(
            "{\"properties\":{\"o\":{\"properties\":{"
                + "\"a\":{\"type\":\"text\",\"search_analyzer\":\"english\","
                + "\"fields\":{\"k\":{\"type\":\"keyword\"}}},"
                + "\"b\":{\"type\":\"long\"}}}}}");
    assertThat(MappingMerge.merge(merged, Mapping.EMPTY)).isSameAs(merged);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"type\":\"long\"}|{\"type\":\"keyword\"}"
            + "|mapper [f] cannot be changed from type [long] to type [keyword]",
        "{\"type\":\"text\"}|{\"type\":\"text\",\"analyzer\":\"english\"}"
            + "|Cannot update parameter [analyzer] from [standard] to [english]",
        "{\"type\":\"long\"}|{\"type\":\"long\",\"index\":false}"
            + "|Cannot update parameter [index] from [true] to [false]",
        "{\"type\":\"long\"}|{\"properties\":{}}|can't merge a non object mapping [f]",
        "{\"type\":\"knn_vector\",\"dimension\":2}|{\"type\":\"knn_vector\",\"dimension\":3}"
            + "|Cannot update parameter [dimension] from [2] to [3]"
      })
  void whatIsInTheIndexKeepsItsMeaning(String before, String after, String reason) {
    assertThatThrownBy(
            () ->
                MappingMerge.merge(
                    parse("{\"properties\":{\"f\":" + before + "}}"),
                    parse("{\"properties\":{\"f\":" + after + "}}")))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> assertThat(e.error().type()).isEqualTo(ErrorType.ILLEGAL_ARGUMENT))
        .hasMessageContaining(reason);
  }

  private static Mapping parse(String json) {
    return MappingJson.parse(JsonMapper.shared().readTree(json));
  }

  @Test
  void aNestedFieldKnowsWhatIsInsideOfIt() {
    Mapping mapping =
        parse(
            "{\"properties\":{\"c\":{\"type\":\"nested\",\"include_in_parent\":false,\"properties\":{"
                + "\"o\":{\"properties\":{\"v\":{\"type\":\"nested\",\"properties\":"
                + "{\"n\":{\"type\":\"long\"}}}}}}}}}");
    assertThat(mapping.nestedPaths()).containsExactly("c", "c.o.v");
    assertThat(mapping.nestedAround("c.o.v.n")).contains("c.o.v");
    assertThat(mapping.nestedAround("c.o.v")).contains("c");
    assertThat(mapping.nestedAround("c.o")).contains("c");
    assertThat(mapping.nestedAround("c")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nested | object | object mapping [c] can't be changed from nested to non-nested",
        "object | nested | object mapping [c] can't be changed from non-nested to nested",
        "nested | keyword | object mapping [c] can't be changed from nested to non-nested"
      })
  void whatIsNestedStaysSo(String before, String after, String refusal) {
    Mapping there = parse("{\"properties\":{\"c\":{\"type\":\"" + before + "\"}}}");
    Mapping added = parse("{\"properties\":{\"c\":{\"type\":\"" + after + "\"}}}");
    assertThatThrownBy(() -> MappingMerge.merge(there, added)).hasMessage(refusal);
  }

  @Test
  void nestedFieldsGrowAndAreCounted() {
    Mapping there = parse("{\"properties\":{\"c\":{\"type\":\"nested\"}}}");
    Mapping grown =
        MappingMerge.merge(
            there,
            parse(
                "{\"properties\":{\"c\":{\"type\":\"nested\",\"properties\":"
                    + "{\"d\":{\"type\":\"nested\"}}}}}"));
    assertThat(grown.nestedPaths()).containsExactly("c", "c.d");
    MappingBounds.requireNestedFields(grown, 2);
    assertThatThrownBy(() -> MappingBounds.requireNestedFields(grown, 1))
        .hasMessageContaining("Limit of nested fields [1] has been exceeded");
  }

  private static Mapping nested(String copies) {
    return parse(
        "{\"properties\":{\"c\":{\"type\":\"nested\""
            + copies
            + ",\"properties\":{\"n\":{\"type\":\"long\"}}}}}");
  }

  @Test
  void copiesOfNestedFieldsAreSaidOnceAndStay() {
    Mapping copied = nested(",\"include_in_root\":true");
    assertThat(MappingJson.parse(MappingJson.print(copied))).isEqualTo(copied);
    assertThat(copied).isNotEqualTo(nested(""));
    assertThat(MappingMerge.merge(copied, nested(""))).isEqualTo(copied);
    assertThatThrownBy(() -> MappingMerge.merge(nested(""), copied))
        .hasMessageContaining("the [include_in_root] parameter can't be updated")
        .hasMessageContaining("[c]");
    assertThatThrownBy(() -> MappingMerge.merge(copied, nested(",\"include_in_parent\":\"true\"")))
        .hasMessageContaining("the [include_in_parent] parameter can't be updated");
  }

  @Test
  void aFieldIsOfTheWholeDocumentWhereACopyGetsThere() {
    String levels =
        "{\"properties\":{\"a\":{\"type\":\"nested\"%s,\"properties\":{\"b\":{\"type\":\"nested\"%s,"
            + "\"properties\":{\"n\":{\"type\":\"long\"},"
            + "\"v\":{\"type\":\"knn_vector\",\"dimension\":2}}}}}}}";
    String parent = ",\"include_in_parent\":true";
    String root = ",\"include_in_root\":true";
    assertThat(parse(levels.formatted("", "")).isOf(null, "a.b.n")).isFalse();
    assertThat(parse(levels.formatted("", parent)).isOf(null, "a.b.n")).isFalse();
    assertThat(parse(levels.formatted(parent, parent)).isOf(null, "a.b.n")).isTrue();
    assertThat(parse(levels.formatted("", root)).isOf(null, "a.b.n")).isTrue();
    assertThat(parse(levels.formatted("", root)).isOf(null, "a.b.v")).isFalse();
    assertThat(parse(levels.formatted("", root)).isOf("a", "a.b.n")).isFalse();
    assertThat(parse(levels.formatted("", parent)).isOf("a", "a.b.n")).isTrue();
    assertThat(parse(levels.formatted("", "")).isOf("a.b", "a.b.v")).isTrue();
  }
}
