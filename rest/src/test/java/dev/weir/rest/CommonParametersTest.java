package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerMemory;
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

  /** As a tree these objects take some thirty times as much. */
  @ParameterizedTest
  @CsvSource({"filter_path,**.a", "filter_path,-b", "pretty,true"})
  void aFloodOfSmallObjectsTakesNoMoreThanItsAnswer(String name, String value) {
    String objects = "[" + "{\"a\":1},".repeat(100_000) + "{\"a\":1}]";
    AnswerMemory memory = new AnswerMemory(4_000_000);
    try (AnswerBudget budget = memory.open()) {
      RestResponse answer =
          CommonParameters.of(Map.of(name, value)).applyTo(response(objects), budget);
      assertThat(answer.body().size()).isGreaterThanOrEqualTo(objects.length());
      assertThat(budget.heldBytes())
          .isBetween(answer.body().size(), answer.body().size() + (64 << 10));
    }
  }

  @Test
  void aLongStringIsTakenWhileItPasses() {
    String json = "{\"a\":\"" + "x".repeat(1_000_000) + "\"}";
    CommonParameters kept = CommonParameters.of(Map.of("filter_path", "a"));
    try (AnswerBudget budget = new AnswerMemory(4_000_000).open()) {
      assertThatThrownBy(() -> kept.applyTo(response(json), budget))
          .isInstanceOf(SearchException.class)
          .hasMessageContaining("Data too large");
    }
    try (AnswerBudget budget = new AnswerMemory(8_000_000).open()) {
      assertThat(kept.applyTo(response(json), budget).body().size()).isEqualTo(json.length());
      assertThat(budget.heldBytes()).isLessThan(1_100_000);
    }
  }

  private static String applied(Map<String, String> parameters) {
    return applied(JSON, parameters);
  }

  private static String applied(String json, Map<String, String> parameters) {
    return new String(
        CommonParameters.of(parameters)
            .applyTo(response(json), AnswerBudget.unbounded())
            .body()
            .bytes(),
        StandardCharsets.UTF_8);
  }

  private static RestResponse response(String json) {
    return RestResponse.json(200, AnswerBody.of(json.getBytes(StandardCharsets.UTF_8)));
  }
}
