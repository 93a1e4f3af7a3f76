package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import dev.weir.search.model.ModelBounds;
import dev.weir.search.model.ModelSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text that is found by its meaning; the model here counts letters. */
final class SemanticFieldTest {
  @TempDir private Path directory;
  private Path models;
  private TestFace face;

  @BeforeEach
  void start() throws IOException {
    models = Files.createDirectory(directory.resolve("models"));
    face =
        new TestFace(
            directory.resolve("data"),
            new ModelSetup(new LetterModel(), ModelBounds.of(1), models));
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private void create(String index, String parameters) {
    Answer answer =
        face.put(
            "/" + index,
            "{\"mappings\":{\"properties\":{\"body\":{\"type\":\"semantic\""
                + parameters
                + "},\"tag\":{\"type\":\"keyword\"}}}}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private void put(String index, String id, String body, String tag) {
    Answer answer =
        face.put(
            "/" + index + "/_doc/" + id + "?refresh=wait_for",
            "{\"body\":\"" + body + "\",\"tag\":\"" + tag + "\"}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
  }

  private List<String> ids(String index, String query) {
    Answer answer = face.post("/" + index + "/_search", "{\"query\":" + query + "}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<String> ids = new ArrayList<>();
    answer.json().at("/hits/hits").forEach(hit -> ids.add(hit.path("_id").asString()));
    return ids;
  }

  private static String neural(String text, int k) {
    return "{\"neural\":{\"body\":{\"query_text\":\"" + text + "\",\"k\":" + k + "}}}";
  }

  private static final String TAG_Y = "{\"term\":{\"tag\":\"y\"}}";

  private void fourDocuments(String index) {
    put(index, "a1", "aaaa", "x");
    put(index, "a2", "aaab", "y");
    put(index, "b1", "bbbb", "x");
    put(index, "b2", "bbba", "y");
  }

  @Test
  void textIsFoundByMeaningAndByWords() {
    create("letters", "");
    fourDocuments("letters");
    assertThat(ids("letters", neural("a", 2))).containsExactly("a1", "a2");
    assertThat(ids("letters", "{\"match\":{\"body\":\"BBBA\"}}")).containsExactly("b2");
    assertThat(ids("letters", "{\"exists\":{\"field\":\"body\"}}")).hasSize(4);
    assertThat(face.get("/letters/_doc/a1").json().at("/_source").toString())
        .isEqualTo("{\"body\":\"aaaa\",\"tag\":\"x\"}");
    assertThat(face.get("/letters/_mapping").at("/letters/mappings/properties/body"))
        .isEqualTo("{\"type\":\"semantic\",\"dimension\":384}");
    assertThat(face.post("/letters/_count", "{\"query\":" + neural("a", 3) + "}").at("/count"))
        .isEqualTo("3");
    assertThat(
            face.post("/letters/_explain/a1", "{\"query\":" + neural("a", 3) + "}").at("/matched"))
        .isEqualTo("true");
  }

  @Test
  void filterReachesTheVectorsOfWholeTextsAndOfChunks() {
    create("whole", "");
    create("chunks", ",\"chunking\":true");
    for (String index : List.of("whole", "chunks")) {
      fourDocuments(index);
      String nearest = neural("a", 1);
      assertThat(ids(index, nearest)).as(index).containsExactly("a1");
      assertThat(
              ids(index, "{\"hybrid\":{\"queries\":[" + nearest + "],\"filter\":" + TAG_Y + "}}"))
          .as(index)
          .containsExactly("a2");
      assertThat(
              ids(
                  index,
                  "{\"hybrid\":{\"queries\":["
                      + nearest
                      + ",{\"match\":{\"body\":\"bbba bbbb\"}}],\"filter\":"
                      + TAG_Y
                      + "}}"))
          .as(index)
          .containsExactlyInAnyOrder("a2", "b2");
      assertThat(ids(index, "{\"bool\":{\"must\":[" + nearest + "],\"filter\":[" + TAG_Y + "]}}"))
          .as(index)
          .containsExactly("a2");
      assertThat(
              ids(
                  index,
                  "{\"neural\":{\"body\":{\"query_text\":\"a\",\"k\":1,\"filter\":"
                      + TAG_Y
                      + "}}}"))
          .as(index)
          .containsExactly("a2");
    }
  }

  @Test
  void aliasFilterReachesTheVectorsToo() {
    create("letters", ",\"chunking\":true");
    fourDocuments("letters");
    face.post(
        "/_aliases",
        "{\"actions\":[{\"add\":{\"index\":\"letters\",\"alias\":\"ys\",\"filter\":"
            + TAG_Y
            + "}}]}");
    assertThat(ids("ys", neural("a", 1))).containsExactly("a2");
  }

  @Test
  void documentIsFoundByTheBestOfItsChunksAndCountsOnce() {
    create("letters", ",\"chunking\":true");
    String bs = "bbbb ".repeat(180);
    put("letters", "end", bs + bs + "cccc", "x");
    put("letters", "mixed", "bbbc ".repeat(400), "x");
    put("letters", "short", "bbcc", "x");
    assertThat(ids("letters", neural("c", 2))).containsExactly("end", "short");
    assertThat(ids("letters", neural("b", 3))).hasSize(3).startsWith("end");
  }

  @Test
  void hitsShowTheChunksThatAnswer() {
    create("letters", ",\"chunking\":true");
    String as = "aaaa ".repeat(180);
    put("letters", "long", as + "bbbb ".repeat(180) + "cccc", "y");
    put("letters", "short", "acbb", "y");
    put("letters", "other", "cccc", "x");
    String body =
        "{\"_source\":false,\"query\":{\"hybrid\":{\"queries\":[{\"match\":{\"body\":\"bbbb\"}},"
            + neural("c", 9)
            + "],\"filter\":"
            + TAG_Y
            + "}},\"highlight\":{\"pre_tags\":[\"<b>\"],\"post_tags\":[\"</b>\"],"
            + "\"fields\":{\"body\":{\"type\":\"semantic\",\"number_of_fragments\":2}}}}";
    Answer found = face.post("/letters/_search", body);
    assertThat(found.status()).as(found.body()).isEqualTo(200);
    assertThat(found.at("/hits/hits/0/_id")).isEqualTo("long");
    assertThat(found.json().at("/hits/hits/0/highlight/body").toString())
        .isEqualTo("[\"<b>cccc</b>\",\"<b>" + as.strip() + "</b>\"]");
    assertThat(found.json().at("/hits/hits/1/highlight").toString())
        .isEqualTo("{\"body\":[\"<b>acbb</b>\"]}");
    assertThat(found.json().at("/hits/hits").size()).isEqualTo(2);
    Answer refused =
        face.post("/letters/_search", body.replace("\"body\":{\"type", "\"tag\":{\"type"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/reason"))
        .contains("[tag] is of type [keyword]; use [unified] or [plain]");
  }

  @Test
  void changedTextHasItsNewVectorOnly() {
    create("letters", "");
    put("letters", "1", "aaaa", "x");
    put("letters", "2", "abab", "x");
    face.put("/letters/_doc/1?refresh=wait_for", "{\"body\":\"cccc\"}");
    assertThat(ids("letters", neural("a", 1))).containsExactly("2");
    face.post("/letters/_update/2?refresh=wait_for", "{\"doc\":{\"body\":\"dddd\"}}");
    assertThat(ids("letters", neural("d", 1))).containsExactly("2");
    face.delete("/letters/_doc/2?refresh=wait_for");
    assertThat(ids("letters", neural("d", 1))).containsExactly("1");
  }

  @Test
  void documentWithoutTextHasNoVector() {
    create("letters", "");
    face.put("/letters/_doc/1?refresh=wait_for", "{\"body\":null,\"tag\":\"x\"}");
    face.put("/letters/_doc/2?refresh=wait_for", "{\"body\":\" \"}");
    face.put("/letters/_doc/3?refresh=wait_for", "{\"body\":[\"aa\",\"bb\"]}");
    assertThat(ids("letters", neural("a", 5))).containsExactly("3");
    Answer refused = face.put("/letters/_doc/4", "{\"body\":{\"a\":1}}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/type")).isEqualTo("mapper_parsing_exception");
    Answer own = face.put("/letters/_doc/5", "{\"body_semantic_info\":{\"embedding\":[1]}}");
    assertThat(own.status()).isEqualTo(400);
    assertThat(own.body()).contains("belongs to a semantic field");
  }

  private String registered(String folder) throws IOException {
    Files.createDirectory(models.resolve(folder));
    Answer task =
        face.post("/_plugins/_ml/models/_register", "{\"name\":\"m\",\"path\":\"" + folder + "\"}");
    assertThat(task.status()).as(task.body()).isEqualTo(200);
    String id = task.at("/task_id");
    while (true) {
      Answer state = face.get("/_plugins/_ml/tasks/" + id);
      switch (state.at("/state")) {
        case "COMPLETED" -> {
          return state.at("/model_id");
        }
        case "FAILED" -> throw new AssertionError(state.body());
        default -> Thread.onSpinWait();
      }
    }
  }

  @Test
  void modelOfAFieldIsItsOwnAndCannotBeDeletedUnderIt() throws IOException {
    String model = registered("m");
    create("own", ",\"model_id\":\"" + model + "\"");
    fourDocuments("own");
    assertThat(ids("own", neural("a", 1))).containsExactly("a1");
    assertThat(face.get("/own/_mapping").at("/own/mappings/properties/body/dimension"))
        .isEqualTo("26");
    Answer refused = face.delete("/_plugins/_ml/models/" + model);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/reason")).contains("[body] of index [own]");
    Answer other =
        face.post(
            "/own/_search",
            "{\"query\":{\"neural\":{\"body\":{\"query_text\":\"a\","
                + "\"model_id\":\"all-minilm-l6-v2\"}}}}");
    assertThat(other.status()).isEqualTo(400);
    assertThat(other.at("/error/reason")).contains("leave [model_id] out");
    create("default", "");
    Answer both = face.post("/own,default/_search", "{\"query\":" + neural("a", 1) + "}");
    assertThat(both.status()).isEqualTo(400);
    assertThat(both.at("/error/reason")).contains("vectors of different models");
    face.delete("/own");
    assertThat(face.delete("/_plugins/_ml/models/" + model).status()).isEqualTo(200);
  }

  @Test
  void mappingsThatCannotBeAreRefusedByName() {
    assertThat(refusal("\"b\":{\"type\":\"semantic\",\"model_id\":\"none\"}"))
        .contains("Failed to find model with the provided model id: none");
    assertThat(refusal("\"b\":{\"type\":\"semantic\",\"dimension\":3}"))
        .contains("[dimension] of semantic field [b] is 3, and its model gives 384");
    assertThat(refusal("\"b\":{\"type\":\"semantic\",\"modelid\":\"x\"}"))
        .contains("unknown parameter [modelid]");
    assertThat(
            refusal("\"n\":{\"type\":\"nested\",\"properties\":{\"b\":{\"type\":\"semantic\"}}}"))
        .contains("cannot be within the nested field [n]");
    assertThat(refusal("\"b\":{\"type\":\"semantic\"},\"b_semantic_info\":{\"type\":\"keyword\"}"))
        .contains("give one of them another name");
    create("letters", "");
    Answer changed =
        face.put(
            "/letters/_mapping",
            "{\"properties\":{\"body\":{\"type\":\"semantic\",\"chunking\":true}}}");
    assertThat(changed.status()).isEqualTo(400);
    Answer text = face.put("/letters/_mapping", "{\"properties\":{\"body\":{\"type\":\"text\"}}}");
    assertThat(text.status()).isEqualTo(400);
    assertThat(text.at("/error/reason"))
        .contains("cannot be changed from type [semantic] to type [text]");
    Answer vectors =
        face.put(
            "/letters/_mapping",
            "{\"properties\":{\"body_semantic_info\":{\"properties\":"
                + "{\"embedding\":{\"type\":\"keyword\"}}}}}");
    assertThat(vectors.status()).isEqualTo(400);
    assertThat(vectors.at("/error/reason"))
        .contains("[body_semantic_info]", "the semantic field [body]");
    assertThat(
            face.put(
                    "/letters/_mapping",
                    "{\"properties\":{\"body\":{\"type\":\"semantic\"},"
                        + "\"more\":{\"type\":\"semantic\"}}}")
                .status())
        .isEqualTo(200);
  }

  private String refusal(String properties) {
    Answer answer = face.put("/refused", "{\"mappings\":{\"properties\":{" + properties + "}}}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    return answer.body();
  }
}
