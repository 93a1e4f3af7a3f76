package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.model.ModelBounds;
import dev.weir.search.model.ModelSetup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searching by text in vectors: the default model here counts letters. */
final class NeuralSearchTest {
  private static final int DIMENSION = 384;

  @TempDir private Path directory;
  private TestFace face;

  @BeforeEach
  void start() {
    face = new TestFace(directory, new ModelSetup(new LetterModel(), ModelBounds.of(1), null));
    assertThat(
            face.put(
                    "/letters",
                    "{\"settings\":{\"index.knn\":true},\"mappings\":{\"properties\":{"
                        + "\"v\":{\"type\":\"knn_vector\",\"dimension\":384,"
                        + "\"space_type\":\"cosinesimil\"},"
                        + "\"tag\":{\"type\":\"keyword\"},\"text\":{\"type\":\"text\"}}}}")
                .status())
        .isEqualTo(200);
    index("a1", "aaaa", "x");
    index("a2", "aaab", "y");
    index("b1", "bbbb", "x");
    index("b2", "bbba", "y");
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private void index(String id, String letters, String tag) {
    StringBuilder vector = new StringBuilder("[");
    for (int i = 0; i < DIMENSION; i++) {
      int letter = 'a' + i;
      vector.append(i == 0 ? "" : ",").append(letters.chars().filter(c -> c == letter).count());
    }
    String body = "{\"text\":\"" + letters + "\",\"tag\":\"" + tag + "\",\"v\":" + vector + "]}";
    assertThat(face.put("/letters/_doc/" + id + "?refresh=true", body).status()).isEqualTo(201);
  }

  private List<String> ids(String query) {
    return ids("/letters/_search", query);
  }

  private List<String> ids(String uri, String query) {
    TestFace.Answer answer = face.post(uri, "{\"query\":" + query + "}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<String> ids = new ArrayList<>();
    answer.json().at("/hits/hits").forEach(hit -> ids.add(hit.path("_id").asString()));
    return ids;
  }

  @Test
  void textFindsTheNearestVectorsFirst() {
    assertThat(ids("{\"neural\":{\"v\":{\"query_text\":\"a\",\"k\":2}}}"))
        .containsExactly("a1", "a2");
    assertThat(ids("{\"neural\":{\"v\":{\"query_text\":\"b\",\"min_score\":0.6}}}"))
        .startsWith("b1", "b2");
  }

  @Test
  void filterIsInsideSoThatTheNearestOfItsDocumentsAreFound() {
    String neural = "{\"neural\":{\"v\":{\"query_text\":\"a\",\"k\":1}}}";
    String tag = "{\"term\":{\"tag\":\"y\"}}";
    assertThat(ids("{\"hybrid\":{\"queries\":[" + neural + "],\"filter\":" + tag + "}}"))
        .containsExactly("a2");
    assertThat(ids("{\"bool\":{\"must\":[" + neural + "],\"filter\":[" + tag + "]}}"))
        .containsExactly("a2");
  }

  @Test
  void hybridOfTextAndMeaningHasTheDocumentsOfBoth() {
    String hybrid =
        "{\"hybrid\":{\"queries\":[{\"match\":{\"text\":\"bbbb\"}},"
            + "{\"neural\":{\"v\":{\"query_text\":\"a\",\"k\":1}}}]}}";
    assertThat(ids(hybrid)).containsExactlyInAnyOrder("a1", "b1");
    assertThat(face.post("/letters/_count", "{\"query\":" + hybrid + "}").at("/count"))
        .isEqualTo("2");
    assertThat(
            face.post("/letters/_validate/query?explain=true", "{\"query\":" + hybrid + "}").body())
        .contains("\"valid\":true");
  }

  @Test
  void modelWhoseVectorsDoNotFitIsNamed() {
    assertThat(
            face.put(
                    "/short",
                    "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":3}}}}")
                .status())
        .isEqualTo(200);
    TestFace.Answer refused =
        face.post("/short/_search", "{\"query\":{\"neural\":{\"v\":{\"query_text\":\"a\"}}}}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/root_cause/0/type")).isEqualTo("query_shard_exception");
    assertThat(refused.at("/error/root_cause/0/reason"))
        .contains("Query vector has invalid dimension: 384. Dimension should be: 3, field [v]")
        .contains("the model [all-minilm-l6-v2]");
  }

  @Test
  void pipelineNamesTheModelOfAQueryThatNamesNone() {
    String enricher = "{\"neural_query_enricher\":{\"neural_field_default_id\":{\"v\":\"none\"}}}";
    assertThat(
            face.put("/_search/pipeline/p", "{\"request_processors\":[" + enricher + "]}").status())
        .isEqualTo(200);
    String uri = "/letters/_search?search_pipeline=p";
    String unnamed = "{\"query\":{\"neural\":{\"v\":{\"query_text\":\"a\"}}}}";
    TestFace.Answer refused = face.post(uri, unnamed);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/reason"))
        .contains("Failed to find model with the provided model id: none");
    assertThat(
            ids(
                uri,
                "{\"neural\":{\"v\":{\"query_text\":\"a\",\"k\":1,"
                    + "\"model_id\":\"all-minilm-l6-v2\"}}}"))
        .containsExactly("a1");
  }
}
