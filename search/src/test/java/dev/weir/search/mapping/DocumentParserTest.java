package dev.weir.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

final class DocumentParserTest {

  private static final String PROPERTIES =
      "{\"t\":{\"type\":\"text\",\"fields\":{\"k\":{\"type\":\"keyword\",\"ignore_above\":3}}},"
          + "\"k\":{\"type\":\"keyword\",\"null_value\":\"none\"},"
          + "\"n\":{\"type\":\"integer\"},\"l\":{\"type\":\"long\"},"
          + "\"s\":{\"type\":\"byte\",\"coerce\":false},"
          + "\"m\":{\"type\":\"long\",\"ignore_malformed\":true},"
          + "\"f\":{\"type\":\"float\"},\"h\":{\"type\":\"half_float\"},"
          + "\"b\":{\"type\":\"boolean\"},\"d\":{\"type\":\"date\"},"
          + "\"x\":{\"type\":\"long\",\"doc_values\":false},"
          + "\"o\":{\"properties\":{\"p\":{\"type\":\"keyword\"}}},"
          + "\"off\":{\"type\":\"object\",\"enabled\":false},"
          + "\"v\":{\"type\":\"knn_vector\",\"dimension\":2,\"space_type\":\"cosinesimil\"}}";

  private final DocumentParser parser = new DocumentParser(new Analyzers());
  private final Mapping mapping = mapping("{\"properties\":" + PROPERTIES + "}");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"t\":\"ab\"}|t=ab(terms) t.k=ab(term,values)",
        "{\"t\":\"abcd\"}|t=abcd(terms)",
        "{\"t\":[\"a\",[\"b\"]]}|t=a(terms) t.k=a(term,values) t=b(terms) t.k=b(term,values)",
        "{\"t\":12.50}|t=12.50(terms)",
        "{\"k\":null}|k=none(term,values)",
        "{\"k\":true}|k=true(term,values)",
        "{\"n\":7}|n=7(point,values)",
        "{\"n\":\"7.9\"}|n=7(point,values)",
        "{\"n\":-7.9}|n=-7(point,values)",
        "{\"n\":\"\"}|''",
        "{\"l\":9223372036854775807}|l=9223372036854775807(point,values)",
        "{\"m\":\"x\"}|''",
        "{\"f\":0.1}|f=1036831949(point,values)",
        "{\"h\":0.1}|h=1036828672(point,values)",
        "{\"b\":\"false\"}|b=F(term) b=0(values)",
        "{\"d\":\"1970-01-01T00:00:01Z\"}|d=1000(point,values)",
        "{\"d\":1500000000000}|d=1500000000000(point,values)",
        "{\"x\":5}|x=?(point) _field_names=x(term)",
        "{\"o\":{\"p\":\"a\"}}|o.p=a(term,values)",
        "{\"o\":[{\"p\":\"a\"},{\"p\":\"b\"}]}|o.p=a(term,values) o.p=b(term,values)",
        "{\"o.p\":\"a\"}|o.p=a(term,values)",
        "{\"off\":{\"any\":[{\"thing\":1}]}}|''",
        "{\"v\":[3,\"4\"]}|v=[3.0, 4.0]",
        "{\"v\":null}|''"
      })
  void valuesBecomeLuceneFields(String document, String fields) {
    assertThat(parse(mapping, document)).isEqualTo(fields);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"n\":\"x\"}|number_format_exception|For input string: \"x\"",
        "{\"n\":2147483648}|illegal_argument_exception|out of range for an integer",
        "{\"l\":9223372036854775808}|illegal_argument_exception|out of range for a long",
        "{\"l\":1e400}|illegal_argument_exception|out of range for a long",
        "{\"f\":1e39}|illegal_argument_exception|supports only finite values",
        "{\"h\":70000}|illegal_argument_exception|supports only finite values",
        "{\"s\":1.5}|illegal_argument_exception|has a decimal part",
        "{\"s\":\"1\"}|illegal_argument_exception|Byte value passed as String",
        "{\"n\":true}|illegal_argument_exception|expected a number",
        "{\"b\":\"yes\"}|illegal_argument_exception|only [true] or [false] are allowed",
        "{\"d\":\"soon\"}|illegal_argument_exception|failed to parse date field [soon]",
        "{\"t\":{}}|illegal_argument_exception|found an object",
        "{\"o\":1}|mapper_parsing_exception|found a concrete value",
        "{\"t.z\":1}|mapper_parsing_exception|must be of type object but found [text]",
        "{\"v\":[1]}|illegal_argument_exception|Expected: 2, Given: 1",
        "{\"v\":[1,2,3]}|illegal_argument_exception|Expected: 2, Given: 3",
        "{\"v\":[0,0]}|illegal_argument_exception|zero vector",
        "{\"v\":[1e-30,0]}|illegal_argument_exception|zero vector",
        "{\"v\":[1e39,0]}|illegal_argument_exception|finite",
        "{\"v\":[[1,2]]}|illegal_argument_exception|takes numbers only",
        "{\"v\":\"x\"}|number_format_exception|x",
        "{\"n\":1|json_parse_exception|end-of-input",
        "{\"n\":1}{}|illegal_argument_exception|extra data",
        "[]|illegal_argument_exception|must be a JSON object",
        "{\"\":1}|illegal_argument_exception|empty string",
        "{\"a..b\":1}|illegal_argument_exception|ambiguous",
        "{\"_id\":\"x\"}|mapper_parsing_exception|Field [_id] is a metadata field",
        "{\"_hidden\":1}|mapper_parsing_exception|Field [_hidden] is a metadata field",
        "{\"_seq_no.a\":1}|mapper_parsing_exception|Field [_seq_no.a] is a metadata field"
      })
  void valuesThatDoNotFitAreRefusedWithTheCause(String document, String type, String reason) {
    assertThatThrownBy(() -> parse(mapping, document))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> {
              assertThat(e.error().type()).isEqualTo(ErrorType.MAPPER_PARSING);
              assertThat(e.error().root().type().typeName()).isEqualTo(type);
              assertThat(e.error().root().reason()).contains(reason);
            });
  }

  /** Limits of the JSON parser itself, whose refusals name no place, and of names with dots. */
  @Test
  void documentsBeyondTheLimitsAreRefused() {
    for (String document :
        List.of(
            "{\"n\":" + "[".repeat(600) + "]".repeat(600) + "}",
            "{\"" + "a".repeat(70_000) + "\":1}",
            "{\"" + "a.".repeat(20) + "a\":1}",
            "{\"a\":{\"" + "a.".repeat(19) + "a\":1}}",
            "{\"" + "a.".repeat(20_000) + "a\":1}")) {
      assertThatThrownBy(() -> parser.parse(Mapping.EMPTY, "1", bytes(document)))
          .isInstanceOfSatisfying(
              SearchException.class, e -> assertThat(e.status()).isEqualTo(400));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":\"text\"}|a:text a.keyword:keyword",
        "{\"a\":\"2024-05-01\"}|a:date",
        "{\"a\":\"2024/05/01\"}|a:date",
        "{\"a\":\"2024\"}|a:text a.keyword:keyword",
        "{\"a\":1}|a:long",
        "{\"a\":1.5}|a:float",
        "{\"a\":[null,[1.5,2]]}|a:float",
        "{\"a\":false}|a:boolean",
        "{\"a\":{\"b\":{\"c\":1}},\"a.b.d\":2}|a:object a.b:object a.b.c:long a.b.d:long",
        "{\"a\":[{\"b\":1},{\"c\":1}]}|a:object a.b:long a.c:long",
        "{\"a\":null}|''",
        "{\"a\":[]}|''"
      })
  void unknownFieldsAreTypedByTheirFirstValue(String document, String added) {
    Map<String, FieldType> types =
        switch (parser.parse(Mapping.EMPTY, "1", bytes(document))) {
          case DocumentParse.UnknownFields(Mapping addition) -> addition.typeByPath();
          case DocumentParse.Fields _ -> Map.of();
        };
    List<String> named = new ArrayList<>();
    types.forEach((path, type) -> named.add(path + ":" + type.typeName()));
    assertThat(String.join(" ", named)).isEqualTo(added);
  }

  @Test
  void aStrictMappingRefusesAndAFalseOneIgnoresUnknownFields() {
    assertThatThrownBy(
            () -> parse(mapping("{\"dynamic\":\"strict\",\"properties\":{}}"), "{\"a\":1}"))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> assertThat(e.error().type()).isEqualTo(ErrorType.STRICT_DYNAMIC_MAPPING))
        .hasMessage(
            "mapping set to strict, dynamic introduction of [a] within [_doc] is not allowed");
    assertThat(parse(mapping("{\"dynamic\":false}"), "{\"a\":{\"b\":1}}")).isEmpty();
  }

  @Test
  void metadataNamesAreKeptFromTheRootOnly() {
    assertThatThrownBy(() -> mapping("{\"properties\":{\"_stray\":{\"type\":\"keyword\"}}}"))
        .hasMessageContaining("Field [_stray] is a metadata field");
    assertThat(parse(mapping, "{\"off\":{\"_id\":1}}")).isEmpty();
  }

  @Test
  void objectsNestedTooDeepAreRefused() {
    String deep = "{\"a\":".repeat(30) + "1" + "}".repeat(30);
    assertThatThrownBy(() -> parser.parse(Mapping.EMPTY, "1", bytes(deep)))
        .hasMessageContaining("Limit of mapping depth [20]");
  }

  @Test
  void nestedObjectsAreDocumentsOfTheirOwnBeforeTheOneAroundThem() {
    Mapping comments =
        mapping(
            "{\"properties\":{\"a\":{\"type\":\"boolean\"},\"c\":{\"type\":\"nested\",\"properties\":{"
                + "\"k\":{\"type\":\"boolean\"},\"v\":{\"type\":\"nested\",\"properties\":"
                + "{\"k\":{\"type\":\"boolean\"}}}}}}}");
    DocumentParse.Fields read =
        (DocumentParse.Fields)
            parser.parse(
                comments,
                "1",
                bytes(
                    "{\"c\":[{\"v\":[{\"k\":true},null],\"k\":false},[{\"v\":{\"k\":true}}],{}],"
                        + "\"a\":true}"));
    assertThat(read.nested().stream().map(DocumentParserTest::describe))
        .containsExactly(
            "c.v.k=T(term) c.v.k=1(values) _nested_path=c.v(term)",
            "c.k=F(term) c.k=0(values) _nested_path=c(term)",
            "c.v.k=T(term) c.v.k=1(values) _nested_path=c.v(term)",
            "_nested_path=c(term)",
            "_nested_path=c(term)");
    assertThat(describe(read.fields())).isEqualTo("a=T(term) a=1(values)");
  }

  @Test
  void unknownFieldsOfNestedObjectsBelongToTheNestedField() {
    Mapping comments = mapping("{\"properties\":{\"c\":{\"type\":\"nested\"}}}");
    DocumentParse.UnknownFields unknown =
        (DocumentParse.UnknownFields)
            parser.parse(comments, "1", bytes("{\"c\":[{\"k\":true},{\"o\":{\"n\":1}}]}"));
    assertThat(MappingMerge.merge(comments, unknown.addition()))
        .isEqualTo(
            mapping(
                "{\"properties\":{\"c\":{\"type\":\"nested\",\"properties\":{\"k\":{\"type\":\"boolean\"},"
                    + "\"o\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}}}}"));
  }

  @Test
  void nestedObjectsAreBounded() {
    Mapping comments = mapping("{\"properties\":{\"c\":{\"type\":\"nested\"}}}");
    assertThat(parser.parse(comments, "1", bytes("{\"c\":[{},{}]}"), 2))
        .isInstanceOf(DocumentParse.Fields.class);
    assertThat(refusal(comments, "{\"c\":[{},{},{}]}"))
        .contains("The number of nested documents has exceeded the allowed limit of [2]");
    assertThat(refusal(comments, "{\"c\":1}"))
        .contains("tried to parse field [c] as object, but found a concrete value");
    assertThat(refusal(comments, "{\"c.k\":1}"))
        .contains("one of the intermediate objects is mapped as a nested object: [c]");
  }

  @Test
  void manyTextsOfASemanticFieldAreOneInLinesUpToABound() {
    Mapping under = mapping("{\"properties\":{\"s\":{\"type\":\"semantic\"}}}");
    int lines = SemanticText.CHARS_MAX / 2; // with what stands between them, one character less
    String array = "\"a\"" + ",\"a\"".repeat(lines - 1);
    assertThat(parser.parse(under, "1", bytes("{\"s\":[" + array + "]}"), 2))
        .isInstanceOfSatisfying(
            DocumentParse.Fields.class,
            fields ->
                assertThat(fields.semantics().getFirst().text())
                    .isEqualTo("a" + "\na".repeat(lines - 1)));
    assertThat(refusal(under, "{\"s\":[" + array + ",\"b\"]}"))
        .contains("have 1048576 characters at most in one document");
    assertThat(refusal(under, "{\"s\":\"" + "x".repeat(SemanticText.CHARS_MAX + 1) + "\"}"))
        .contains("have 1048576 characters at most");
  }

  private String refusal(Mapping under, String document) {
    try {
      return parser.parse(under, "1", bytes(document), 2).toString();
    } catch (dev.weir.search.error.SearchException e) {
      return java.util.Objects.requireNonNull(e.error().causedBy()).reason();
    }
  }

  private static String describe(List<IndexableField> fields) {
    return String.join(" ", fields.stream().map(DocumentParserTest::describe).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[3e38,3e38]", "[1e19,1e19]", "[1e20,0]"})
  void aVectorWhoseDistancesWouldOverflowIsRefused(String vector) {
    assertThatThrownBy(() -> parse(mapping, "{\"v\":" + vector + "}"))
        .isInstanceOf(SearchException.class);
    assertThat(parse(mapping, "{\"v\":[9e18,0]}")).isNotEmpty();
  }

  @Test
  void aDocumentTakesABoundedNumberOfPlaces() {
    Mapping places = mapping("{\"properties\":{\"p\":{\"type\":\"geo_point\"}}}");
    String one = "{\"lat\":1,\"lon\":2}";
    String many = (one + ",").repeat(9_999) + one;
    assertThat(parse(places, "{\"p\":[" + many + "]}")).isNotEmpty();
    assertThatThrownBy(() -> parse(places, "{\"p\":[" + many + "," + one + "]}"))
        .isInstanceOf(SearchException.class)
        .hasMessageContaining("failed to parse field [p]");
  }

  private String parse(Mapping under, String document) {
    return switch (parser.parse(under, "1", bytes(document))) {
      case DocumentParse.Fields(List<IndexableField> fields, _, _) ->
          String.join(" ", fields.stream().map(DocumentParserTest::describe).toList());
      case DocumentParse.UnknownFields unknown -> throw new AssertionError(unknown);
    };
  }

  private static String describe(IndexableField field) {
    if (field instanceof KnnFloatVectorField vector) {
      return field.name() + "=" + java.util.Arrays.toString(vector.vectorValue());
    }
    List<String> kinds = new ArrayList<>();
    if (field.fieldType().tokenized() && field.fieldType().indexOptions() != IndexOptions.NONE) {
      kinds.add("terms");
    } else if (field.fieldType().indexOptions() != IndexOptions.NONE) {
      kinds.add("term");
    }
    if (field.fieldType().pointDimensionCount() > 0) {
      kinds.add("point");
    }
    if (field.fieldType().docValuesType() != DocValuesType.NONE) {
      kinds.add("values");
    }
    return field.name() + "=" + value(field) + "(" + String.join(",", kinds) + ")";
  }

  private static String value(IndexableField field) {
    if (field.stringValue() != null && field.numericValue() == null) {
      return field.stringValue();
    }
    if (field.fieldType().docValuesType() != DocValuesType.NONE && field.numericValue() != null) {
      return field.numericValue().toString();
    }
    return field.fieldType().pointDimensionCount() > 0 || field.binaryValue() == null
        ? "?"
        : field.binaryValue().utf8ToString();
  }

  private static Mapping mapping(String json) {
    return MappingJson.parse(JsonMapper.shared().readTree(json));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
