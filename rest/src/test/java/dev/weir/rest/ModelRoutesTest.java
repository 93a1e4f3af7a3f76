package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.model.ModelBounds;
import dev.weir.search.model.ModelSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API of models as clients use it: register, ask for the task until it ends, predict. */
final class ModelRoutesTest {
  private static final String MODELS = "/_plugins/_ml/models";
  private static final int POLLS_MAX = 100_000;

  @TempDir private Path directory;
  private TestFace face;
  private Path models;

  @BeforeEach
  void start() throws IOException {
    models = Files.createDirectories(directory.resolve("models"));
    face =
        new TestFace(
            directory.resolve("data"),
            new ModelSetup(new LetterModel(), ModelBounds.of(2), models));
  }

  @AfterEach
  void stop() {
    face.close();
  }

  /** The task's last answer. */
  private TestFace.Answer ended(TestFace.Answer begun) {
    assertThat(begun.status()).as(begun.body()).isEqualTo(200);
    assertThat(begun.at("/status")).isEqualTo("CREATED");
    for (int i = 0; i < POLLS_MAX; i++) {
      TestFace.Answer task = face.get("/_plugins/_ml/tasks/" + begun.at("/task_id"));
      String state = task.at("/state");
      if (state.equals("COMPLETED") || state.equals("FAILED")) {
        return task;
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("the task does not end: " + begun.body());
  }

  private String registered(String body) {
    TestFace.Answer task = ended(face.post(MODELS + "/_register", body));
    assertThat(task.at("/state")).as(task.body()).isEqualTo("COMPLETED");
    return task.at("/model_id");
  }

  @Test
  void defaultModelIsThereAndNotInMemory() {
    TestFace.Answer model = face.get(MODELS + "/all-minilm-l6-v2");
    assertThat(model.at("/model_state")).isEqualTo("REGISTERED");
    assertThat(model.at("/model_config/embedding_dimension")).isEqualTo("384");
    assertThat(face.delete(MODELS + "/all-minilm-l6-v2").status()).isEqualTo(400);
    assertThat(registered("{\"name\":\"huggingface/sentence-transformers/all-MiniLM-L6-v2\"}"))
        .isEqualTo("all-minilm-l6-v2");
  }

  @Test
  void registeredModelIsTriedKeptAndForgotten() throws IOException {
    Files.createDirectories(models.resolve("letters"));
    String id = registered("{\"name\":\"letters\",\"path\":\"letters\",\"version\":\"1.0.1\"}");
    TestFace.Answer model = face.get(MODELS + "/" + id);
    assertThat(model.at("/model_config/embedding_dimension")).isEqualTo("26");
    assertThat(model.at("/model_version")).isEqualTo("1.0.1");
    assertThat(model.at("/model_state")).isEqualTo("REGISTERED");
    assertThat(ended(face.post(MODELS + "/" + id + "/_deploy", "")).at("/model_id")).isEqualTo(id);
    assertThat(face.get(MODELS + "/" + id).at("/model_state")).isEqualTo("DEPLOYED");
    String found = MODELS + "/_search";
    assertThat(
            face.post(found, "{\"query\":{\"match\":{\"name\":\"letters\"}}}")
                .at("/hits/hits/0/_id"))
        .isEqualTo(id);
    assertThat(face.get(found).at("/hits/total/value")).isEqualTo("2");
    assertThat(face.post(MODELS + "/" + id + "/_undeploy", "").at("/abc/stats/" + id))
        .isEqualTo("undeployed");
    assertThat(face.post(MODELS + "/" + id + "/_undeploy", "").at("/abc/stats/" + id))
        .isEqualTo("not_found");
    assertThat(face.delete(MODELS + "/" + id).at("/result")).isEqualTo("deleted");
    assertThat(face.get(MODELS + "/" + id).status()).isEqualTo(404);
    assertThat(face.delete(MODELS + "/" + id).status()).isEqualTo(404);
    assertThat(face.post(MODELS + "/" + id + "/_deploy", "").status()).isEqualTo(404);
  }

  @Test
  void predictionGivesVectorsAndScores() throws IOException {
    Files.createDirectories(models.resolve("letters"));
    String id = registered("{\"name\":\"letters\",\"url\":\"file:letters\"}");
    TestFace.Answer vectors =
        face.post(
            "/_plugins/_ml/_predict/text_embedding/" + id, "{\"text_docs\":[\"abba\",\"c\"]}");
    assertThat(vectors.at("/inference_results/0/output/0/name")).isEqualTo("sentence_embedding");
    assertThat(vectors.at("/inference_results/0/output/0/shape/0")).isEqualTo("26");
    assertThat(vectors.at("/inference_results/0/output/0/data/1")).isEqualTo("2.0");
    assertThat(vectors.at("/inference_results/1/output/0/data/2")).isEqualTo("1.0");
    String pairs =
        registered("{\"name\":\"p\",\"path\":\"letters\",\"function_name\":\"TEXT_SIMILARITY\"}");
    String body = "{\"query_text\":\"abc\",\"text_docs\":[\"bad\",\"xyz\"]}";
    TestFace.Answer scores = face.post(MODELS + "/" + pairs + "/_predict", body);
    assertThat(scores.at("/inference_results/0/output/0/data/0")).isEqualTo("2.0");
    assertThat(scores.at("/inference_results/1/output/0/data/0")).isEqualTo("0.0");
    assertThat(face.post("/_plugins/_ml/_predict/text_embedding/" + pairs, body).status())
        .isEqualTo(400);
  }

  @Test
  void brokenModelFailsItsTaskAndIsNotKept() throws IOException {
    Files.createDirectories(models.resolve("bad"));
    Files.writeString(models.resolve("bad/broken"), "");
    TestFace.Answer task =
        ended(face.post(MODELS + "/_register", "{\"name\":\"bad\",\"path\":\"bad\"}"));
    assertThat(task.at("/state")).isEqualTo("FAILED");
    assertThat(task.at("/error")).contains("model.onnx cannot be loaded: broken");
    assertThat(face.get(MODELS + "/_search").at("/hits/total/value")).isEqualTo("1");
  }

  @Test
  void dimensionThatIsNotTheModelsFailsTheTask() throws IOException {
    Files.createDirectories(models.resolve("letters"));
    TestFace.Answer task =
        ended(
            face.post(
                MODELS + "/_register",
                "{\"name\":\"x\",\"path\":\"letters\",\"model_config\":"
                    + "{\"embedding_dimension\":300}}"));
    assertThat(task.at("/error")).isEqualTo("[embedding_dimension] is 300, and the model gives 26");
  }

  @Test
  void unknownMembersOfAConfigurationAreRefused() throws IOException {
    Files.createDirectories(models.resolve("letters"));
    TestFace.Answer mistyped =
        face.post(
            MODELS + "/_register",
            "{\"name\":\"x\",\"path\":\"letters\",\"model_config\":{\"embeding_dimension\":26}}");
    assertThat(mistyped.status()).isEqualTo(400);
    assertThat(mistyped.at("/error/reason"))
        .contains("[model_config] of a model doesn't support [embeding_dimension]")
        .endsWith("did you mean [embedding_dimension]?");
    TestFace.Answer noFlag =
        face.post(
            MODELS + "/_register",
            "{\"name\":\"x\",\"path\":\"letters\",\"model_config\":{\"normalize_result\":\"no\"}}");
    assertThat(noFlag.at("/error/reason"))
        .isEqualTo("[normalize_result] must be [true] or [false], got [no]");
    assertThat(
            face.post(MODELS + "/_register", "{\"name\":\"x\",\"pth\":\"a\"}").at("/error/reason"))
        .contains("doesn't support [pth]")
        .endsWith("did you mean [path]?");
    registered(
        "{\"name\":\"x\",\"path\":\"letters\",\"model_config\":{\"model_type\":\"bert\","
            + "\"framework_type\":\"sentence_transformers\",\"embedding_dimension\":26}}");
  }

  @Test
  void foldersElsewhereAreRefused() throws IOException {
    Path outside = Files.createDirectories(directory.resolve("outside"));
    Files.createSymbolicLink(models.resolve("link"), outside);
    for (String path : new String[] {"../outside", outside.toString(), "link", ".", ""}) {
      TestFace.Answer refused =
          face.post(MODELS + "/_register", "{\"name\":\"x\",\"path\":\"" + path + "\"}");
      assertThat(refused.status()).as(path).isEqualTo(400);
    }
    TestFace.Answer absent = face.post(MODELS + "/_register", "{\"name\":\"x\",\"path\":\"no\"}");
    assertThat(absent.at("/error/reason"))
        .isEqualTo(
            "there is no folder [no] below weir.models.dir="
                + models
                + "; put the files of the model there, or name their folder as [path]");
    TestFace.Answer remote =
        face.post(MODELS + "/_register", "{\"name\":\"x\",\"url\":\"https://a/b.zip\"}");
    assertThat(remote.at("/error/reason")).contains("this node downloads nothing");
    assertThat(face.get("/_plugins/_ml/tasks/none").status()).isEqualTo(404);
  }

  @Test
  void nodeWithoutAFolderOfModelsSaysSo() {
    try (TestFace bare = new TestFace(directory.resolve("bare"))) {
      TestFace.Answer refused =
          bare.post(MODELS + "/_register", "{\"name\":\"x\",\"path\":\"letters\"}");
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.at("/error/reason")).contains("set weir.models.dir");
      TestFace.Answer failed =
          bare.post(MODELS + "/all-minilm-l6-v2/_predict", "{\"text_docs\":[\"a\"]}");
      assertThat(failed.status()).isEqualTo(503);
    }
  }
}
