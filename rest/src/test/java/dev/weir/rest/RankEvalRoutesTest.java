package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankEvalRoutesTest {
  private static final String RATINGS =
      "\"ratings\":[{\"_index\":\"books\",\"_id\":\"1\",\"rating\":0},"
          + "{\"_index\":\"books\",\"_id\":\"3\",\"rating\":2}]";

  @TempDir private Path directory;
  private TestFace face;

  @BeforeEach
  void start() {
    face = new TestFace(directory);
    face.fill("books", "{'title':'one'}", "{'title':'two two'}", "{'title':'one and two'}");
  }

  @AfterEach
  void stop() {
    face.close();
  }

  @Test
  void searchesAreMeasuredAndTheirMeanIsTold() {
    Answer answer =
        face.post(
            "/books/_rank_eval",
            "{\"requests\":["
                + question("a", "{\"query\":{\"match\":{\"title\":\"one\"}}}")
                + ","
                + question("b", "{\"query\":{\"match\":{\"title\":\"two\"}}}")
                + "],\"metric\":{\"mean_reciprocal_rank\":{\"k\":5}}}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.at("/metric_score")).isEqualTo("0.5");
    assertThat(answer.at("/details/a/metric_score")).isEqualTo("0.5");
    assertThat(answer.at("/details/a/metric_details/mean_reciprocal_rank/first_relevant"))
        .isEqualTo("2");
    assertThat(answer.at("/details/a/hits/0/hit/_id")).isEqualTo("1");
    assertThat(answer.at("/details/a/hits/0/rating")).isEqualTo("0");
    assertThat(answer.at("/details/b/unrated_docs/0/_id")).isEqualTo("2");
    assertThat(answer.at("/details/b/unrated_docs/1")).isEqualTo("absent");
    assertThat(answer.at("/failures")).isEqualTo("{}");
  }

  @Test
  void aSearchThatFailsIsToldAndDoesNotCount() {
    Answer answer =
        face.post(
            "/books/_rank_eval",
            "{\"requests\":["
                + question("a", "{\"query\":{\"match\":{\"title\":\"one\"}}}")
                + ","
                + question("b", "{\"query\":{\"knn\":{\"title\":{\"vector\":[1],\"k\":1}}}}")
                + "],\"metric\":{\"recall\":{}}}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.at("/metric_score")).isEqualTo("1.0");
    assertThat(answer.at("/details/b")).isEqualTo("absent");
    assertThat(answer.at("/failures/b/error/type")).isNotEqualTo("absent");
  }

  @Test
  void theHitsAreThoseThatTheMetricLooksAt() {
    Answer answer =
        face.post(
            "/books/_rank_eval",
            "{\"requests\":["
                + question("a", "{\"size\":0,\"query\":{\"match_all\":{}}}")
                + "],\"metric\":{\"precision\":{\"k\":2}}}");
    assertThat(answer.at("/details/a/hits/1/hit/_id")).isEqualTo("2");
    assertThat(answer.at("/details/a/hits/2")).isEqualTo("absent");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|[metric]",
        "{\"recall\":{},\"dcg\":{}}|one metric",
        "{\"recal\":{}}|[recal]: unknown",
        "{\"recall\":{\"k\":0}}|[k] is 0",
        "{\"recall\":{\"kk\":1}}|[kk]",
        "{\"expected_reciprocal_rank\":{}}|[maximum_relevance] is required",
        "{\"expected_reciprocal_rank\":{\"maximum_relevance\":1}}|[rating] of question [a] is 2"
      })
  void aMetricThatCannotBeIsRefusedByName(String metric, String named) {
    Answer answer =
        face.post(
            "/books/_rank_eval",
            "{\"requests\":[" + question("a", "{}") + "],\"metric\":" + metric + "}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.at("/error/reason")).contains(named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]|at least one question",
        "[{\"id\":\"a\",\"request\":{},\"ratings\":[{\"_index\":\"b\",\"_id\":\"1\"}]}]|[rating]",
        "[{\"id\":\"a\",\"template_id\":\"t\",\"ratings\":[]}]|search templates",
        "[{\"id\":\"a\",\"request\":{\"aggs\":{}},\"ratings\":[]}]|[aggs]",
        "[{\"id\":\"a\",\"request\":{},\"ratings\":[]},"
            + "{\"id\":\"a\",\"request\":{},\"ratings\":[]}]|duplicate rated request id [a]"
      })
  void questionsThatCannotBeReadAreRefused(String requests, String named) {
    Answer answer =
        face.post(
            "/books/_rank_eval", "{\"requests\":" + requests + ",\"metric\":{\"recall\":{}}}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.at("/error/reason")).contains(named);
  }

  private static String question(String id, String search) {
    return "{\"id\":\"" + id + "\",\"request\":" + search + "," + RATINGS + "}";
  }
}
