package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchRoutesTest {
  private static final String MATCH_ONE = "{\"query\":{\"match\":{\"title\":\"one\"}}}";

  @TempDir private Path directory;
  private TestFace face;

  @BeforeEach
  void start() {
    face = new TestFace(directory);
    face.fill(
        "books",
        "{'title':'one','pages':10}",
        "{'title':'two','pages':20}",
        "{'title':'one and two','pages':30}");
  }

  @AfterEach
  void stop() {
    face.close();
  }

  @Test
  void aSearchFindsByBodyWithGetAndPost() {
    for (String method : new String[] {"GET", "POST"}) {
      Answer found = face.send(method, "/books/_search", MATCH_ONE);
      assertThat(found.status()).isEqualTo(200);
      assertThat(found.at("/hits/total/value")).isEqualTo("2");
      assertThat(found.at("/hits/total/relation")).isEqualTo("eq");
      assertThat(found.at("/hits/hits/0/_id")).isEqualTo("1");
      assertThat(found.at("/hits/hits/0/_source/pages")).isEqualTo("10");
      assertThat(found.at("/timed_out")).isEqualTo("false");
      assertThat(found.at("/_shards/failed")).isEqualTo("0");
    }
  }

  @Test
  void aSearchIsCancelledAfterTheTimeThatItSets() {
    Answer cancelled = face.post("/books/_search?cancel_after_time_interval=0ms", MATCH_ONE);
    assertThat(cancelled.status()).isEqualTo(500);
    assertThat(cancelled.at("/error/type")).isEqualTo("task_cancelled_exception");
    assertThat(cancelled.at("/error/reason")).contains("[cancel_after_time_interval]");
    for (String enough : new String[] {"1h", "-1"}) {
      Answer found = face.post("/books/_search?cancel_after_time_interval=" + enough, MATCH_ONE);
      assertThat(found.at("/hits/total/value")).isEqualTo("2");
    }
    Answer malformed = face.post("/books/_search?cancel_after_time_interval=soon", MATCH_ONE);
    assertThat(malformed.status()).isEqualTo(400);
    assertThat(malformed.at("/error/reason"))
        .contains("[cancel_after_time_interval]")
        .contains("[soon]");
  }

  @Test
  void eachSearchOfManyIsCancelledByItself() {
    Answer answer =
        face.post(
            "/books/_msearch?cancel_after_time_interval=0ms",
            "{}\n{}\n{\"cancel_after_time_interval\":\"1h\"}\n{}\n");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/responses/0/status")).isEqualTo("500");
    assertThat(answer.at("/responses/0/error/type")).isEqualTo("task_cancelled_exception");
    assertThat(answer.at("/responses/1/hits/total/value")).isEqualTo("3");
  }

  @Test
  void functionsAreNotAskedForWhatWasDeleted() {
    String search =
        "{\"query\":{\"bool\":{\"must_not\":[{\"function_score\":{\"query\":{\"match_all\":{}},"
            + "\"field_value_factor\":{\"field\":\"pages\"},\"min_score\":25}}]}}}";
    assertThat(face.post("/books/_search", search).at("/hits/total/value")).isEqualTo("2");
    face.delete("/books/_doc/1?refresh=true");
    face.delete("/books/_doc/never?refresh=true");
    Answer found = face.post("/books/_search", search);
    assertThat(found.status()).as(found.body()).isEqualTo(200);
    assertThat(found.at("/hits/total/value")).isEqualTo("1");
  }

  @Test
  void whatClientsSendOutOfHabitIsAccepted() {
    Answer found =
        face.post(
            "/books/_search?typed_keys=true&ignore_unavailable=true&allow_no_indices=true"
                + "&expand_wildcards=open&preference=_local&routing=a&request_cache=true"
                + "&batched_reduce_size=5&ccs_minimize_roundtrips=true"
                + "&max_concurrent_shard_requests=3&search_type=query_then_fetch",
            MATCH_ONE);
    assertThat(found.status()).as(found.body()).isEqualTo(200);
  }

  @Test
  void theUrlShapesTheAnswer() {
    Answer found = face.get("/books/_search?size=1&from=1&sort=pages:desc&_source_includes=title");
    assertThat(found.at("/hits/hits/0/_id")).isEqualTo("2");
    assertThat(found.at("/hits/hits/0/_source")).isEqualTo("{\"title\":\"two\"}");
    assertThat(found.at("/hits/hits/1")).isEqualTo("absent");
  }

  @Test
  void theTotalMayBeABareNumber() {
    assertThat(face.get("/books/_search?rest_total_hits_as_int=true").at("/hits/total"))
        .isEqualTo("3");
    assertThat(face.get("/books/_search?track_total_hits=false").at("/hits/total"))
        .isEqualTo("absent");
  }

  @Test
  void anIndexThatIsMissingMayBePassedOver() {
    Answer both = face.get("/books,nope/_search?ignore_unavailable=true");
    assertThat(both.at("/hits/total/value")).isEqualTo("3");
    Answer none = face.get("/nope/_search?ignore_unavailable=true");
    assertThat(none.status()).isEqualTo(200);
    assertThat(none.at("/_shards/total")).isEqualTo("0");
    assertThat(none.at("/hits/total/value")).isEqualTo("0");
    assertThat(face.get("/no*/_search").at("/_shards/total")).isEqualTo("0");
  }

  @Test
  void matchesAreCounted() {
    assertThat(face.get("/books/_count").at("/count")).isEqualTo("3");
    assertThat(face.post("/_count", MATCH_ONE).body())
        .isEqualTo(
            "{\"count\":2,\"_shards\":{\"total\":1,\"successful\":1,\"skipped\":0,\"failed\":0}}");
  }

  @Test
  void validationSaysWhyAndAnswers200AllTheSame() {
    Answer good = face.post("/books/_validate/query?explain=true", MATCH_ONE);
    assertThat(good.at("/valid")).isEqualTo("true");
    assertThat(good.at("/explanations/0/index")).isEqualTo("books");
    Answer bad = face.post("/books/_validate/query?explain", "{\"query\":{\"mach\":{}}}");
    assertThat(bad.status()).isEqualTo(200);
    assertThat(bad.at("/valid")).isEqualTo("false");
    assertThat(bad.at("/error")).contains("mach");
  }

  @Test
  void severalSearchesAreAnsweredInTheirOrder() {
    Answer answer =
        face.post(
            "/_msearch?typed_keys=true",
            """
            {"index":"books"}
            {"query":{"match":{"title":"two"}},"size":1}
            {"index":["nope"]}
            {}

            {"size":0}
            {"index":"nope","ignore_unavailable":true,"preference":"x"}
            {}
            """);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.at("/responses/0/status")).isEqualTo("200");
    assertThat(answer.at("/responses/0/hits/total/value")).isEqualTo("2");
    assertThat(answer.at("/responses/1/status")).isEqualTo("404");
    assertThat(answer.at("/responses/1/error/type")).isEqualTo("index_not_found_exception");
    assertThat(answer.at("/responses/2/hits/total/value")).isEqualTo("3");
    assertThat(answer.at("/responses/3/hits/total/value")).isEqualTo("0");
    assertThat(answer.at("/responses/4")).isEqualTo("absent");
  }

  @Test
  void aMultiSearchThatCannotBeReadIsRefusedByItsLine() {
    Answer answer = face.post("/_msearch", "{}\n{}\n{}\n{\"quer\":1}\n");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.at("/error/line")).isEqualTo("4");
    Answer header = face.post("/_msearch", "{\"indx\":\"a\"}\n{}\n");
    assertThat(header.at("/error/reason")).contains("[indx]");
    assertThat(header.at("/error/line")).isEqualTo("1");
    Answer half = face.post("/_msearch", "{}\n");
    assertThat(half.at("/error/reason")).contains("line [1]");
  }

  @Test
  void pipelinesAreKeptShownUsedAndDeleted() {
    String definition =
        "{\"phase_results_processors\":[{\"normalization-processor\":{"
            + "\"combination\":{\"parameters\":{\"weights\":[0.7,0.3]}}}}]}";
    assertThat(face.get("/_search/pipeline/").body()).isEqualTo("{}");
    assertThat(face.get("/_search/pipeline/").status()).isEqualTo(200);
    assertThat(face.put("/_search/pipeline/mix", definition).body())
        .isEqualTo("{\"acknowledged\":true}");
    assertThat(face.get("/_search/pipeline/mix").body()).isEqualTo("{\"mix\":" + definition + "}");
    String hybrid =
        "{\"query\":{\"hybrid\":{\"queries\":[{\"match\":{\"title\":\"one\"}},"
            + "{\"match\":{\"title\":\"two\"}}]}}}";
    Answer found = face.post("/books/_search?search_pipeline=mix", hybrid);
    assertThat(found.at("/hits/hits/0/_id")).as(found.body()).isEqualTo("1");
    assertThat(face.delete("/_search/pipeline/mix").body()).isEqualTo("{\"acknowledged\":true}");
    Answer gone = face.get("/_search/pipeline/mix");
    assertThat(gone.status()).isEqualTo(404);
    assertThat(gone.body()).isEqualTo("{}");
  }
}
