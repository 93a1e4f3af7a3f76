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

class BulkRoutesTest {
  @TempDir private Path directory;
  private TestFace face;

  @BeforeEach
  void start() {
    face = new TestFace(directory);
  }

  @AfterEach
  void stop() {
    face.close();
  }

  @Test
  void resultsComeInTheOrderOfTheActionsWhateverBecameOfEach() {
    Answer answer =
        face.post(
            "/books/_bulk?refresh=true",
            """
            {"index":{"_id":"1"}}
            {"title":"one"}
            {"create":{"_id":"1"}}
            {"title":"uno"}
            {"update":{"_id":"1"}}
            {"doc":{"pages":3}}
            {"update":{"_id":"2"}}
            {"doc":{"pages":3}}
            {"delete":{"_id":"3"}}
            {"index":{"_id":"4"}}
            {"pages":"many"}
            {"delete":{"_id":"1"}}
            """);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/errors")).isEqualTo("true");
    assertThat(answer.at("/took")).isEqualTo("0");
    assertThat(answer.at("/items/0/index/status")).isEqualTo("201");
    assertThat(answer.at("/items/0/index/result")).isEqualTo("created");
    assertThat(answer.at("/items/0/index/forced_refresh")).isEqualTo("true");
    assertThat(answer.at("/items/1/create/status")).isEqualTo("409");
    assertThat(answer.at("/items/1/create/error/type"))
        .isEqualTo("version_conflict_engine_exception");
    assertThat(answer.at("/items/1/create/error/index")).isEqualTo("books");
    assertThat(answer.at("/items/1/create/error/index_uuid")).hasSize(22);
    assertThat(answer.at("/items/2/update/result")).isEqualTo("updated");
    assertThat(answer.at("/items/3/update/status")).isEqualTo("404");
    assertThat(answer.at("/items/3/update/error/type")).isEqualTo("document_missing_exception");
    assertThat(answer.at("/items/4/delete/status")).isEqualTo("404");
    assertThat(answer.at("/items/4/delete/result")).isEqualTo("not_found");
    assertThat(answer.at("/items/5/index/status")).isEqualTo("400");
    assertThat(answer.at("/items/5/index/error/type")).isEqualTo("mapper_parsing_exception");
    assertThat(answer.at("/items/5/index/error/caused_by/type")).isNotEqualTo("absent");
    assertThat(answer.at("/items/6/delete/result")).isEqualTo("deleted");
    assertThat(answer.at("/items/7")).isEqualTo("absent");
  }

  @Test
  void linesNameIndexesOfTheirOwnAndMayLackAnId() {
    Answer answer =
        face.put(
            "/_bulk",
            "{\"index\":{\"_index\":\"a\"}}\r\n{\"x\":1}\r\n{\"create\":{\"_index\":\"b\"}}\n{}\n");
    assertThat(answer.at("/errors")).isEqualTo("false");
    assertThat(answer.at("/items/0/index/_index")).isEqualTo("a");
    assertThat(answer.at("/items/0/index/_id")).hasSize(20);
    assertThat(answer.at("/items/1/create/_index")).isEqualTo("b");
    assertThat(face.get("/a/_source/" + answer.at("/items/0/index/_id")).body())
        .isEqualTo("{\"x\":1}");
  }

  @Test
  void anIndexThatMayNotBeMadeFailsItsItemsOnly() {
    Answer answer =
        face.post(
            "/_bulk",
            """
            {"index":{"_index":"Upper","_id":"1"}}
            {}
            {"index":{"_index":"lower","_id":"1"}}
            {}
            """);
    assertThat(answer.at("/items/0/index/status")).isEqualTo("400");
    assertThat(answer.at("/items/0/index/error/type")).isEqualTo("invalid_index_name_exception");
    assertThat(answer.at("/items/1/index/status")).isEqualTo("201");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `{"index":{"_id":"1"}}~{}~{"indx":{}}~{}~`     | 3 | indx
          `{"index":{"_id":"1"}}~{}~{"index":[]}~{}~`    | 3 | START_OBJECT
          `{"index":{"_idd":"1"}}~{}~`                   | 1 | _idd
          `~{"index":{"_id":"1"}}~{}~nonsense~`          | 4 | nonsense
          `{"index":{"_id":"1"}}~`                       | 1 | document
          """)
  void aMalformedActionIsRefusedByItsLineBeforeAnythingIsWritten(
      String body, int line, String part) {
    Answer answer = face.post("/books/_bulk", body.replace('~', '\n'));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.at("/error/reason")).contains("line [" + line + "]").contains(part);
    assertThat(face.send("HEAD", "/books", "").status()).isEqualTo(404);
  }
}
