package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.memory.AnswerMemory;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers that would take more memory than there is for answers. */
final class AnswerMemoryTest {
  private static final int MIB = 1 << 20;
  private static final int DOCUMENTS = 300;

  @TempDir private Path directory;
  private TestFace face;

  @BeforeEach
  void start() {
    face = new TestFace(directory, new AnswerMemory(4 * MIB));
    var created =
        face.put(
            "/books",
            "{\"mappings\":{\"properties\":{\"text\":{\"type\":\"text\"},\"id\":{\"type\":\"keyword\"},"
                + "\"n\":{\"type\":\"long\"},\"parts\":{\"type\":\"nested\",\"properties\":"
                + "{\"part\":{\"type\":\"text\"}}}}}}");
    assertThat(created.status()).isEqualTo(200);
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < DOCUMENTS; i++) {
      bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
      bulk.append("{\"n\":" + i + ",\"id\":\"id" + i + "\",\"text\":\"whale ");
      bulk.append("sea ".repeat(500)).append("\",\"parts\":[{\"part\":\"whale\"}]}\n");
    }
    assertThat(face.post("/books/_bulk?refresh=true", bulk.toString()).status()).isEqualTo(200);
  }

  @AfterEach
  void nothingIsHeldInTheEnd() {
    try (TestFace closed = face) {
      var stats = closed.get("/_nodes/stats/breaker");
      assertThat(stats.at("/nodes/abc/breakers/request/estimated_size_in_bytes")).isEqualTo("0");
      assertThat(stats.at("/nodes/abc/breakers/request/limit_size_in_bytes"))
          .isEqualTo(Integer.toString(4 * MIB));
    }
  }

  @Test
  void aPageThatFitsIsAnswered() {
    TestFace.Answer answer = face.post("/books/_search", "{\"size\":100}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/hits/hits/99/_id")).isNotEqualTo("absent");
  }

  @Test
  void aPageOfTooManyDocumentsIsRefusedWithTheNumbers() {
    // Six pages of 300 documents of 2 KB are 3.6 MB; the last ones are too much.
    TestFace.Answer answer = refused("/books/_msearch", "{}\n{\"size\":300}\n".repeat(6), 200);
    assertThat(answer.at("/responses/0/status")).isEqualTo("200");
    assertThat(answer.at("/responses/5/status")).isEqualTo("429");
    assertThat(answer.at("/responses/5/hits")).isEqualTo("absent");
  }

  @Test
  void oneRefusedSearchOfManyLeavesItsMemoryToTheOthers() {
    String tooMuch =
        "{}\n{\"size\":300,\"query\":{\"match\":{\"text\":\"sea\"}},\"highlight\":"
            + "{\"number_of_fragments\":0,\"fields\":{\"text\":{}}}}\n";
    TestFace.Answer answer =
        face.post("/books/_msearch", tooMuch.repeat(5) + "{}\n{\"size\":250}\n");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/responses/0/status")).isEqualTo("429");
    assertThat(answer.at("/responses/5/status")).isEqualTo("200");
    assertThat(answer.at("/responses/5/hits/hits/249/_id")).isNotEqualTo("absent");
  }

  /** Each search takes names of 3 KB for each hit; all together would be three times the memory. */
  @Test
  void aRankEvaluationGivesBackWhatEachOfItsSearchesHeld() {
    String named =
        "{\"match\":{\"text\":{\"query\":\"whale\",\"_name\":\"" + "x".repeat(3_000) + "\"}}}";
    String questions =
        IntStream.range(0, 80)
            .mapToObj(
                i ->
                    "{\"id\":\"q"
                        + i
                        + "\",\"request\":{\"query\":"
                        + named
                        + "},\"ratings\":[{\"_index\":\"books\",\"_id\":\"1\",\"rating\":1}]}")
            .collect(Collectors.joining(","));
    TestFace.Answer answer =
        face.post(
            "/books/_rank_eval",
            "{\"requests\":[" + questions + "],\"metric\":{\"precision\":{\"k\":50}}}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.at("/failures")).isEqualTo("{}");
    assertThat(answer.at("/details/q79/hits/49/hit/_id")).isNotEqualTo("absent");
  }

  @Test
  void namesOfQueriesAreCountedForEachHit() {
    String named = IntStream.range(0, 60).mapToObj(this::named).collect(Collectors.joining(","));
    refused(
        "/books/_search",
        "{\"size\":300,\"_source\":false,\"query\":{\"bool\":{\"should\":[" + named + "]}}}",
        429);
  }

  private String named(int i) {
    return "{\"match\":{\"text\":{\"query\":\"whale\",\"_name\":\""
        + i
        + "x".repeat(1_000)
        + "\"}}}";
  }

  @Test
  void highlightsOfWholeTextsAreCounted() {
    refused(
        "/books/_search",
        "{\"size\":300,\"_source\":false,\"query\":{\"match\":{\"text\":\"sea\"}},\"highlight\":"
            + "{\"number_of_fragments\":0,\"fields\":{\"text\":{}}}}",
        429);
  }

  @Test
  void explanationsAreCounted() {
    String terms =
        IntStream.range(0, 60)
            .mapToObj(i -> "{\"match\":{\"text\":{\"query\":\"whale\",\"boost\":" + (i + 1) + "}}}")
            .collect(Collectors.joining(","));
    refused(
        "/books/_search",
        "{\"size\":300,\"_source\":false,\"explain\":true,\"query\":{\"dis_max\":{\"queries\":["
            + terms
            + "]}}}",
        429);
  }

  @Test
  void bucketsAreCounted() {
    String inner = "{\"terms\":{\"field\":\"id\",\"size\":300}";
    TestFace.Answer answer =
        refused(
            "/books/_search",
            "{\"size\":0,\"aggs\":{\"a\":"
                + inner
                + ",\"aggs\":{\"b\":{\"filters\":{\"filters\":["
                + "{\"match_all\":{}},".repeat(60)
                + "{\"match_all\":{}}]}}}}}}",
            429);
    assertThat(answer.body()).contains("data for [aggregations]");
  }

  @Test
  void documentsOfAMultiGetAreCounted() {
    String ids =
        IntStream.range(0, 2_000)
            .mapToObj(i -> "\"" + i % DOCUMENTS + "\"")
            .collect(Collectors.joining(","));
    TestFace.Answer answer = refused("/books/_mget", "{\"ids\":[" + ids + "]}", 429);
    assertThat(answer.body()).contains("data for [documents]");
  }

  @Test
  void anAnswerThatIsFilteredNeedsMemoryForThat() {
    String all = "{\"index\":\"books\"}\n{\"size\":300}\n".repeat(4);
    assertThat(face.post("/_msearch", all).body()).doesNotContain("circuit_breaking");
    String filtered = "/_msearch?filter_path=responses.hits.hits._source.text,error.reason";
    assertThat(face.post(filtered, all).status()).isEqualTo(429);
    assertThat(face.post(filtered, all).at("/error/reason")).contains("[the answer as JSON]");
  }

  @Test
  void aQueryThatIsVeryLongIsExplainedByItsBeginning() {
    String terms =
        IntStream.range(0, 10_000).mapToObj(i -> "\"t" + i + "\"").collect(Collectors.joining(","));
    String filter = "{\"terms\":{\"id\":[" + terms + "]}}";
    String leg = "{\"match\":{\"text\":\"whale\"}}";
    TestFace.Answer answer =
        face.post(
            "/books/_validate/query?explain=true",
            "{\"query\":{\"bool\":{\"should\":["
                + IntStream.range(0, 20)
                    .mapToObj(
                        _ -> "{\"bool\":{\"must\":[" + leg + "],\"filter\":[" + filter + "]}}")
                    .collect(Collectors.joining(","))
                + "]}}}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/valid")).isEqualTo("true");
    assertThat(answer.at("/explanations/0/explanation"))
        .startsWith("{\"bool\":{\"should\":[")
        .endsWith("...")
        .hasSize((1 << 20) + 3);
  }

  /** A body over the limit of the fixture's is no matter here: the answer is what is large. */
  private TestFace.Answer refused(String uri, String body, int status) {
    TestFace.Answer answer = face.post(uri, body);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body())
        .contains("circuit_breaking_exception")
        .contains("\"bytes_wanted\":")
        .contains("\"bytes_limit\":");
    return answer;
  }
}
