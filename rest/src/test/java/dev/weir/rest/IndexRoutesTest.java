package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexRoutesTest {
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
  void anIndexIsMadeShownFoundAndDeleted() {
    Answer made = face.put("/books", "{\"settings\":{\"index\":{\"number_of_shards\":2}}}");
    assertThat(made.body())
        .isEqualTo("{\"acknowledged\":true,\"shards_acknowledged\":true,\"index\":\"books\"}");
    assertThat(face.send("HEAD", "/books", "").status()).isEqualTo(200);
    assertThat(face.get("/books").at("/books/settings/index/number_of_shards")).isEqualTo("2");
    assertThat(face.get("/books").at("/books/settings/index/provided_name")).isEqualTo("books");
    assertThat(face.get("/books").at("/books/aliases")).isEqualTo("{}");

    assertThat(face.delete("/books").body()).isEqualTo("{\"acknowledged\":true}");
    assertThat(face.send("HEAD", "/books", "").status()).isEqualTo(404);
  }

  @Test
  void aWildcardThatMatchesNothingDeletesNothing() {
    face.put("/books", "");
    assertThat(face.delete("/paper*").status()).isEqualTo(200);
    assertThat(face.delete("/paper?ignore_unavailable=true").status()).isEqualTo(200);
    assertThat(face.send("HEAD", "/books", "").status()).isEqualTo(200);
  }

  @Test
  void listsAndPatternsNameSeveral() {
    face.put("/books-1", "");
    face.put("/books-2", "");
    face.put("/paper", "");
    assertThat(face.get("/books-*,paper/_mapping").json().propertyNames())
        .containsExactly("books-1", "books-2", "paper");
    assertThat(face.get("/_all/_settings").json().propertyNames())
        .containsExactly("books-1", "books-2", "paper");
    assertThat(face.delete("/books-*").status()).isEqualTo(200);
    assertThat(face.get("/_mapping").json().propertyNames()).containsExactly("paper");
  }

  @Test
  void mappingsAreAddedTo() {
    face.put("/books", "{\"mappings\":{\"properties\":{\"a\":{\"type\":\"text\"}}}}");
    Answer put = face.put("/books/_mapping", "{\"properties\":{\"b\":{\"type\":\"keyword\"}}}");
    assertThat(put.body()).isEqualTo("{\"acknowledged\":true}");
    Answer mapping = face.get("/books/_mapping");
    assertThat(mapping.at("/books/mappings/properties/a/type")).isEqualTo("text");
    assertThat(mapping.at("/books/mappings/properties/b/type")).isEqualTo("keyword");
  }

  @Test
  void settingsAreChangedAndFiltered() {
    face.put("/books", "");
    assertThat(face.put("/books/_settings", "{\"index\":{\"refresh_interval\":\"5s\"}}").status())
        .isEqualTo(200);
    assertThat(face.get("/books/_settings/index.refresh*?flat_settings=true").body())
        .isEqualTo("{\"books\":{\"settings\":{\"index.refresh_interval\":\"5s\"}}}");
    assertThat(face.get("/books/_settings").at("/books/settings/index/number_of_replicas"))
        .isEqualTo("1");
  }

  @Test
  void aMergeDropsWhatWasDeleted() {
    String document = "{\"index\":{}}\n{\"title\":\"one\"}\n";
    String known = "{\"index\":{\"_id\":\"1\"}}\n{\"title\":\"one\"}\n";
    face.post("/books/_bulk?refresh=true", known + document.repeat(5));
    face.put("/books/_doc/1?refresh=true", "{\"title\":\"two\"}");
    face.post("/books/_bulk?refresh=true", document.repeat(5));
    assertThat(deleted()).isEqualTo("1");
    String merged = "{\"_shards\":{\"total\":2,\"successful\":1,\"failed\":0}}";
    assertThat(face.post("/books/_forcemerge?max_num_segments=1", "").body()).isEqualTo(merged);
    face.post("/books/_refresh", "");
    assertThat(deleted()).isEqualTo("0");
    assertThat(face.get("/books/_count").at("/count")).isEqualTo("11");
    assertThat(face.post("/books/_forcemerge", "").body()).isEqualTo(merged);
    assertThat(face.post("/books/_forcemerge?only_expunge_deletes=true", "").body())
        .isEqualTo(merged);
  }

  @Test
  void nestedDocumentsCountNeitherWhileTheyLiveNorWhenTheyAreDeleted() {
    face.put("/books", "{\"mappings\":{\"properties\":{\"shops\":{\"type\":\"nested\"}}}}");
    String offers = "{\"shops\":[{\"price\":1},{\"price\":2}]}";
    face.put("/books/_doc/1?refresh=true", offers);
    face.put("/books/_doc/2?refresh=true", offers);
    assertThat(deleted()).isEqualTo("0");
    face.put("/books/_doc/1?refresh=true", offers);
    assertThat(face.get("/books/_count").at("/count")).isEqualTo("2");
    assertThat(deleted()).isIn("0", "1"); // a segment without a document is dropped
    face.post("/books/_forcemerge?max_num_segments=1", "");
    face.put("/books/_doc/1?refresh=true", offers);
    assertThat(deleted()).isEqualTo("1");
  }

  @Test
  void aConflictOfAVectorFieldNamesWhatWasSaid() {
    face.put(
        "/books",
        "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":3,"
            + "\"method\":{\"name\":\"hnsw\",\"engine\":\"lucene\"}}}}}");
    Answer refused =
        face.put(
            "/books/_mapping",
            "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":4}}}");
    assertThat(refused.at("/error/reason"))
        .contains("[dimension] from [3] to [4]")
        .doesNotContain("engine");
    refused =
        face.put(
            "/books/_mapping",
            "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":3}}}");
    assertThat(refused.at("/error/reason")).contains("[engine] from [lucene] to [faiss]");
  }

  private String deleted() {
    return face.get("/_cat/indices/books?format=json&h=docs.deleted").at("/0/docs.deleted");
  }

  @Test
  void aNameCannotForgeALineOfTheLog() {
    Answer refused = face.put("/inj%0aforged", "");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/reason")).contains("control characters");
    assertThat(face.put("/x%00y", "").status()).isEqualTo(400);
  }

  @Test
  void aMergeThatCannotBeIsRefused() {
    face.put("/books", "");
    for (String wanted :
        new String[] {
          "max_num_segments=0",
          "max_num_segments=x",
          "max_num_segments=1&only_expunge_deletes=true",
          "primary_only=true",
          "wait_for_completion=false"
        }) {
      assertThat(face.post("/books/_forcemerge?" + wanted, "").status()).as(wanted).isEqualTo(400);
    }
  }

  @Test
  void whatIsAskedByHabitTellsItsShards() {
    face.put("/books", "{\"settings\":{\"number_of_shards\":3,\"number_of_replicas\":0}}");
    String shards = "{\"_shards\":{\"total\":3,\"successful\":3,\"failed\":0}}";
    assertThat(face.post("/books/_refresh", "").body()).isEqualTo(shards);
    assertThat(face.post("/books/_flush", "").body()).isEqualTo(shards);
    assertThat(face.post("/_forcemerge?max_num_segments=1", "").body()).isEqualTo(shards);
  }

  @Test
  void anIndexWithoutAliasesIsShownWithNone() {
    face.put("/books", "");
    assertThat(face.get("/_alias").body()).isEqualTo("{\"books\":{\"aliases\":{}}}");
    Answer missing = face.get("/_alias/old");
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.body()).isEqualTo("{\"error\":\"alias [old] missing\",\"status\":404}");
    assertThat(face.send("HEAD", "/_alias/old", "").status()).isEqualTo(404);
  }
}
