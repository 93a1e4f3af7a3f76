package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentRoutesTest {
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
  void aDocumentLivesFromPutToDelete() {
    Answer created = face.put("/books/_doc/7", "{\"title\":\"One\"}");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.body())
        .isEqualTo(
            "{\"_index\":\"books\",\"_id\":\"7\",\"_version\":1,\"result\":\"created\","
                + "\"_shards\":{\"total\":2,\"successful\":1,\"failed\":0},"
                + "\"_seq_no\":0,\"_primary_term\":1}");

    Answer updated = face.post("/books/_doc/7?refresh=true", "{\"title\":\"Two\"}");
    assertThat(updated.status()).isEqualTo(200);
    assertThat(updated.at("/result")).isEqualTo("updated");
    assertThat(updated.at("/forced_refresh")).isEqualTo("true");

    Answer got = face.get("/books/_doc/7");
    assertThat(got.status()).isEqualTo(200);
    assertThat(got.body())
        .isEqualTo(
            "{\"_index\":\"books\",\"_id\":\"7\",\"_version\":2,\"_seq_no\":1,"
                + "\"_primary_term\":1,\"found\":true,\"_source\":{\"title\":\"Two\"}}");

    Answer deleted = face.delete("/books/_doc/7?if_seq_no=1&if_primary_term=1");
    assertThat(deleted.status()).isEqualTo(200);
    assertThat(deleted.at("/result")).isEqualTo("deleted");

    Answer missing = face.get("/books/_doc/7");
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.body()).isEqualTo("{\"_index\":\"books\",\"_id\":\"7\",\"found\":false}");
    Answer again = face.delete("/books/_doc/7");
    assertThat(again.status()).isEqualTo(404);
    assertThat(again.at("/result")).isEqualTo("not_found");
    assertThat(again.at("/_version")).isEqualTo("4");
  }

  @Test
  void anIdIsMadeUpWhereNoneIsGiven() {
    Answer created = face.post("/books/_doc", "{}");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.at("/_id")).matches("[A-Za-z0-9_-]{20}");
  }

  @Test
  void anIdMayHoldWhatPathsAreMadeOf() {
    assertThat(face.put("/books/_doc/a%2Fb%20c+d", "{}").at("/_id")).isEqualTo("a/b c+d");
    assertThat(face.get("/books/_doc/a%2Fb%20c+d").status()).isEqualTo(200);
  }

  @Test
  void headTellsWhetherADocumentIsThere() {
    face.put("/books/_doc/1", "{}");
    assertThat(face.send("HEAD", "/books/_doc/1", "").status()).isEqualTo(200);
    assertThat(face.send("HEAD", "/books/_doc/2", "").status()).isEqualTo(404);
    assertThat(face.send("HEAD", "/books/_source/1", "").status()).isEqualTo(200);
    assertThat(face.send("HEAD", "/books/_source/2", "").status()).isEqualTo(404);
  }

  @Test
  void theSourceIsFiltered() {
    face.put("/books/_doc/1", "{\"a\":1,\"b\":{\"c\":2,\"d\":3}}");
    assertThat(face.get("/books/_source/1").body()).isEqualTo("{\"a\":1,\"b\":{\"c\":2,\"d\":3}}");
    assertThat(face.get("/books/_source/1?_source_includes=b.c").body())
        .isEqualTo("{\"b\":{\"c\":2}}");
    assertThat(face.get("/books/_doc/1?_source=a").at("/_source")).isEqualTo("{\"a\":1}");
    assertThat(face.get("/books/_doc/1?_source=false").at("/_source")).isEqualTo("absent");
  }

  @Test
  void anUpdateChangesAPart() {
    face.put("/books/_doc/1", "{\"a\":1,\"b\":2}");
    assertThat(face.post("/books/_update/1", "{\"doc\":{\"b\":3}}").at("/result"))
        .isEqualTo("updated");
    Answer same = face.post("/books/_update/1", "{\"doc\":{\"b\":3}}");
    assertThat(same.at("/result")).isEqualTo("noop");
    assertThat(same.at("/_shards/total")).isEqualTo("0");
    assertThat(face.get("/books/_source/1").body()).isEqualTo("{\"a\":1,\"b\":3}");
    assertThat(face.post("/books/_update/2", "{\"doc\":{\"b\":3},\"doc_as_upsert\":true}").status())
        .isEqualTo(201);
  }

  @Test
  void severalAreReadAtOnce() {
    face.put("/books/_doc/1", "{\"a\":1,\"b\":2}");
    Answer answer =
        face.post(
            "/books/_mget",
            "{\"docs\":[{\"_id\":\"1\",\"_source\":[\"a\"]},{\"_id\":\"2\"},"
                + "{\"_index\":\"nope\",\"_id\":\"1\"}]}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/docs/0/_source")).isEqualTo("{\"a\":1}");
    assertThat(answer.at("/docs/1/found")).isEqualTo("false");
    assertThat(answer.at("/docs/2/error/type")).isEqualTo("index_not_found_exception");
    assertThat(face.get("/books/_mget?_source=false").status()).isEqualTo(400);
  }

  @Test
  void moreDocumentsThanMayWaitForAThreadAreRead() {
    face.put("/books/_doc/1", "{}");
    Answer answer = face.post("/books/_mget", "{\"ids\":[" + "\"1\",".repeat(4999) + "\"2\"]}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/docs/4998/found")).isEqualTo("true");
    assertThat(answer.at("/docs/4999/found")).isEqualTo("false");
  }

  @Test
  void anUnknownIndexIsMadeUnlessThatIsForbidden() {
    Answer refused = face.put("/more/_doc/1?require_alias=true", "{}");
    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.at("/error/type")).isEqualTo("index_not_found_exception");
    assertThat(face.put("/more/_doc/1", "{}").status()).isEqualTo(201);
  }
}
