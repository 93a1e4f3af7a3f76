package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.memory.AnswerBudget;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommonParametersTest {
  private static final String JSON =
      "{\"took\":1,\"hits\":{\"total\":2,\"hits\":[{\"_id\":\"a\",\"_source\":{\"x\":1,\"y\":2}},"
          + "{\"_id\":\"b\"}]},\"empty\":[]}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          took                 | {"took":1}
          t*k,empty            | {"took":1,"empty":[]}
          hits.hits._id        | {"hits":{"hits":[{"_id":"a"},{"_id":"b"}]}}
          **.x                 | {"hits":{"hits":[{"_source":{"x":1}}]}}
          hits.**._id          | {"hits":{"hits":[{"_id":"a"},{"_id":"b"}]}}
          nope                 | {}
          -hits                | {"took":1,"empty":[]}
          hits,-hits.hits      | {"hits":{"total":2}}
          -**.y,-took,-empty   | {"hits":{"total":2,"hits":[{"_id":"a","_source":{"x":1}},{"_id":"b"}]}}
          """)
  void filterPathKeepsAndDrops(String paths, String left) {
    assertThat(applied(Map.of("filter_path", paths))).isEqualTo(left);
  }

  @Test
  void prettyIndentsAndEndsTheLine() {
    assertThat(applied(Map.of("filter_path", "took", "pretty", "")))
        .isEqualTo("{\n  \"took\" : 1\n}\n");
    assertThat(applied(Map.of("pretty", "false"))).isEqualTo(JSON);
  }

  @ParameterizedTest
  @CsvSource({"filter_path,**.n", "filter_path,-x", "pretty,true"})
  void numbersKeepTheirDigits(String name, String value) {
    String numbers =
        "[1e5,1.10,12345678901234567890123,0.1234567890123456789012345,-0.0,1E-7,100000000000000.0]";
    String answer = applied("{\"n\":" + numbers + "}", Map.of(name, value));
    assertThat(answer.replaceAll("\\s", "")).isEqualTo("{\"n\":" + numbers + "}");
  }

  @Test
  void manyLevelsOfManyStarsCostLittle() {
    String deep = "{\"a\":".repeat(300) + "1" + "}".repeat(300);
    String stars = "**.".repeat(40) + "b";
    assertThat(applied(deep, Map.of("filter_path", stars))).isEqualTo("{}");
  }

  private static String applied(Map<String, String> parameters) {
    return applied(JSON, parameters);
  }

  private static String applied(String json, Map<String, String> parameters) {
    RestResponse response =
        new RestResponse(
            200, RestResponse.JSON, Map.of(), AnswerBody.of(json.getBytes(StandardCharsets.UTF_8)));
    return new String(
        CommonParameters.of(parameters).applyTo(response, AnswerBudget.unbounded()).body().bytes(),
        StandardCharsets.UTF_8);
  }
}
