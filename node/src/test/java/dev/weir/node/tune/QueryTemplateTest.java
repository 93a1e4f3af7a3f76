package dev.weir.node.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class QueryTemplateTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  @Test
  void placesTakeTheQuestionsValues() {
    QueryTemplate template = new QueryTemplate(hybrid("\"{{vector}}\"", "\"about {{text}}!\""));
    ObjectNode question = object("{\"text\":\"a \\\"b\\\" $1\",\"vector\":[1,2.5]}");
    assertThat(template.fill(question)).isEqualTo(hybrid("[1,2.5]", "\"about a \\\"b\\\" $1!\""));
    assertThat(template.fill(question)).isEqualTo(template.fill(question));
  }

  @Test
  void aSubQueryCanBeAskedAlone() {
    QueryTemplate template = new QueryTemplate(hybrid("1", "2"));
    assertThat(template.subQueries()).isEqualTo(2);
    assertThat(template.fillOnly(1, object("{}")).at("/query/hybrid/queries").toString())
        .isEqualTo("[{\"b\":2}]");
    assertThat(template.fill(object("{}")).at("/query/hybrid/queries")).hasSize(2);
  }

  @Test
  void whatAQuestionLacksIsNamed() {
    QueryTemplate template = new QueryTemplate(hybrid("\"{{vector}}\"", "1"));
    assertThatThrownBy(() -> template.fill(object("{\"text\":1}")))
        .hasMessageContaining("{{vector}}")
        .hasMessageContaining("[text]");
  }

  @Test
  void aQueryWithNothingToWeighIsRefused() {
    assertThatThrownBy(() -> new QueryTemplate(object("{\"query\":{\"match_all\":{}}}")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void questionsAndJudgementsAreJoined() {
    var joined =
        JudgedQuestions.join(
            List.of("{\"query_id\":1,\"text\":\"a\"}", "{\"query_id\":2,\"text\":\"b\"}"),
            List.of(
                "{\"query_id\":1,\"_id\":\"x\",\"gain\":2}",
                "{\"query_id\":1,\"_index\":\"j\",\"_id\":\"x\",\"rating\":0}",
                "{\"query_id\":2,\"_id\":\"y\",\"rating\":0}"),
            "i");
    assertThat(joined).hasSize(1);
    assertThat(joined.getFirst().id()).isEqualTo("1");
    assertThat(joined.getFirst().judged().toString()).contains("index=i, id=x], rating=2");
    assertThat(joined.getFirst().judged()).hasSize(2);
    assertThatThrownBy(() -> JudgedQuestions.join(List.of("{"), List.of(), "i"))
        .hasMessageContaining("question in line 1 is no JSON");
  }

  private static ObjectNode hybrid(String first, String second) {
    return object(
        "{\"query\":{\"hybrid\":{\"queries\":[{\"a\":" + first + "},{\"b\":" + second + "}]}}}");
  }

  private static ObjectNode object(String json) {
    return (ObjectNode) MAPPER.readTree(json);
  }
}
