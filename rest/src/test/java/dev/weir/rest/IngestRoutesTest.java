package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import dev.weir.search.model.ModelBounds;
import dev.weir.search.model.ModelSetup;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ingest pipelines as a client meets them; the default model counts letters. */
final class IngestRoutesTest {
  @TempDir private Path directory;
  private TestFace face;

  @BeforeEach
  void start() {
    face = new TestFace(directory, new ModelSetup(new LetterModel(), ModelBounds.of(1), null));
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private void pipeline(String id, String processors) {
    Answer answer = face.put("/_ingest/pipeline/" + id, "{\"processors\":[" + processors + "]}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private static String set(String field, String value) {
    return "{\"set\":{\"field\":\"" + field + "\",\"value\":\"" + value + "\"}}";
  }

  private String source(String uri) {
    return face.get(uri).json().at("/_source").toString();
  }

  @Test
  void definitionIsKeptAsItWasGivenUntilItIsDeleted() {
    assertThat(face.get("/_ingest/pipeline/p").status()).isEqualTo(404);
    assertThat(face.get("/_ingest/pipeline/p").body()).isEqualTo("{}");
    assertThat(face.get("/_ingest/pipeline").body()).isEqualTo("{}");
    String definition = "{\"description\":\"x\",\"processors\":[{\"drop\":{}}],\"version\":3}";
    assertThat(face.put("/_ingest/pipeline/p1", definition).body())
        .isEqualTo("{\"acknowledged\":true}");
    pipeline("p2", "");
    assertThat(face.get("/_ingest/pipeline/p1").body()).isEqualTo("{\"p1\":" + definition + "}");
    assertThat(face.get("/_ingest/pipeline/p*").json().size()).isEqualTo(2);
    assertThat(face.get("/_ingest/pipeline").json().size()).isEqualTo(2);
    assertThat(face.delete("/_ingest/pipeline/p1").status()).isEqualTo(200);
    assertThat(face.get("/_ingest/pipeline/p1").status()).isEqualTo(404);
    Answer missing = face.delete("/_ingest/pipeline/p1");
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.at("/error/type")).isEqualTo("resource_not_found_exception");
    assertThat(missing.at("/error/reason")).isEqualTo("pipeline [p1] is missing");
  }

  @Test
  void definitionsThatAreNotUnderstoodNameTheProcessorAndTheKey() {
    Answer unknown = face.put("/_ingest/pipeline/p", "{\"processors\":[{\"sets\":{}}]}");
    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.at("/error/type")).isEqualTo("parse_exception");
    assertThat(unknown.at("/error/processor_type")).isEqualTo("sets");
    Answer missing = face.put("/_ingest/pipeline/p", "{\"processors\":[{\"set\":{\"value\":1}}]}");
    assertThat(missing.at("/error/reason")).isEqualTo("[field] required property is missing");
    assertThat(missing.at("/error/property_name")).isEqualTo("field");
    Answer key = face.put("/_ingest/pipeline/p", "{\"processor\":[]}");
    assertThat(key.status()).isEqualTo(400);
    assertThat(face.put("/_ingest/pipeline/a*", "{\"processors\":[]}").status()).isEqualTo(400);
  }

  @Test
  void pipelineOfTheUrlIsAppliedBeforeTheDocumentIsWritten() {
    pipeline("p", set("by", "p"));
    assertThat(face.put("/books/_doc/1?pipeline=p", "{\"n\":1.50}").status()).isEqualTo(201);
    assertThat(face.put("/books/_create/2?pipeline=p", "{\"n\":2}").status()).isEqualTo(201);
    assertThat(face.get("/books/_doc/1").body()).contains("\"_source\":{\"n\":1.50,\"by\":\"p\"}");
    assertThat(source("/books/_doc/2")).contains("\"by\":\"p\"");
  }

  @Test
  void unknownPipelineRefusesTheWrite() {
    Answer refused = face.put("/books/_doc/1?pipeline=none", "{\"n\":1}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/type")).isEqualTo("illegal_argument_exception");
    assertThat(refused.at("/error/reason")).isEqualTo("pipeline with id [none] does not exist");
    assertThat(face.get("/books/_doc/1").status()).isEqualTo(404);
  }

  @Test
  void defaultAndFinalPipelineOfAnIndexApply() {
    pipeline("d", set("by", "default"));
    pipeline("f", set("last", "final of {{by}}"));
    pipeline("other", set("by", "other"));
    face.put(
        "/books",
        "{\"settings\":{\"index.default_pipeline\":\"d\",\"index.final_pipeline\":\"f\"}}");
    face.put("/books/_doc/1", "{}");
    face.put("/books/_doc/2?pipeline=other", "{}");
    face.put("/books/_doc/3?pipeline=_none", "{}");
    assertThat(source("/books/_doc/1"))
        .isEqualTo("{\"by\":\"default\",\"last\":\"final of default\"}");
    assertThat(source("/books/_doc/2")).isEqualTo("{\"by\":\"other\",\"last\":\"final of other\"}");
    assertThat(source("/books/_doc/3")).isEqualTo("{\"last\":\"final of \"}");
    face.put("/books/_settings", "{\"index.default_pipeline\":\"_none\"}");
    face.put("/books/_doc/4", "{}");
    assertThat(source("/books/_doc/4")).isEqualTo("{\"last\":\"final of \"}");
  }

  @Test
  void pipelineMaySendDocumentsElsewhereButTheFinalOneMayNot() {
    pipeline("route", set("_index", "b-{{kind}}") + "," + set("_id", "{{kind}}-1"));
    assertThat(face.put("/a/_doc/1?pipeline=route", "{\"kind\":\"x\"}").at("/_index"))
        .isEqualTo("b-x");
    assertThat(face.get("/b-x/_doc/x-1").status()).isEqualTo(200);
    assertThat(face.get("/a").status()).as("nothing was written to it").isEqualTo(404);
    face.put("/c", "{\"settings\":{\"index.final_pipeline\":\"route\"}}");
    Answer refused = face.put("/c/_doc/1", "{\"kind\":\"x\"}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/reason")).contains("can't change the target index");
  }

  @Test
  void itemThatFailsIsAnErrorAndTheOthersGoOn() {
    pipeline("up", "{\"uppercase\":{\"field\":\"t\"}}");
    pipeline("gone", "{\"drop\":{}}");
    Answer answer =
        face.post(
            "/books/_bulk?pipeline=up&refresh=true",
            """
            {"index":{"_id":"1"}}
            {"t":"one"}
            {"index":{"_id":"2"}}
            {"t":2}
            {"index":{"_id":"3","pipeline":"gone"}}
            {"t":"three"}
            {"create":{"_id":"4","pipeline":"none"}}
            {"t":"four"}
            {"index":{"_id":"5","pipeline":"_none"}}
            {"t":"five"}
            {"delete":{"_id":"6"}}
            {"index":{"_id":"7"}}
            {"t":
            {"update":{"_id":"8"}}
            {"doc":{"t":"eight"},"doc_as_upsert":true}
            """);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/errors")).isEqualTo("true");
    assertThat(answer.at("/items/0/index/status")).isEqualTo("201");
    assertThat(answer.at("/items/1/index/status")).isEqualTo("400");
    assertThat(answer.at("/items/1/index/error/type")).isEqualTo("illegal_argument_exception");
    assertThat(answer.at("/items/1/index/error/processor_type")).isEqualTo("uppercase");
    assertThat(answer.at("/items/2/index/status")).isEqualTo("200");
    assertThat(answer.at("/items/2/index/result")).isEqualTo("noop");
    assertThat(answer.at("/items/2/index/_version")).isEqualTo("-3");
    assertThat(answer.at("/items/2/index/_seq_no")).isEqualTo("absent");
    assertThat(answer.at("/items/3/create/error/reason"))
        .isEqualTo("pipeline with id [none] does not exist");
    assertThat(answer.at("/items/4/index/status")).isEqualTo("201");
    assertThat(answer.at("/items/5/delete/status")).isEqualTo("404");
    assertThat(answer.at("/items/6/index/status")).isEqualTo("400");
    assertThat(answer.at("/items/6/index/error/type")).isEqualTo("mapper_parsing_exception");
    assertThat(answer.at("/items/7/update/result")).isEqualTo("created");
    assertThat(source("/books/_doc/1")).isEqualTo("{\"t\":\"ONE\"}");
    assertThat(face.get("/books/_doc/3").status()).isEqualTo(404);
    assertThat(source("/books/_doc/5")).isEqualTo("{\"t\":\"five\"}");
    assertThat(source("/books/_doc/8")).isEqualTo("{\"t\":\"EIGHT\"}");
  }

  @Test
  void operationsOnOneDocumentKeepTheirOrderThroughPipelines() {
    pipeline("p", set("by", "p"));
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 700; i++) { // more than are looked at together
      body.append("{\"index\":{\"_id\":\"1\"}}\n{\"n\":").append(i).append("}\n");
    }
    Answer answer = face.post("/books/_bulk?pipeline=p", body.toString());
    assertThat(answer.at("/errors")).isEqualTo("false");
    assertThat(answer.at("/items/699/index/_version")).isEqualTo("700");
    assertThat(source("/books/_doc/1")).isEqualTo("{\"n\":699,\"by\":\"p\"}");
  }

  @Test
  void itemsThatAPipelineFailsWithCostTheOthersNothing() {
    pipeline(
        "dated",
        "{\"date\":{\"field\":\"d\",\"formats\":[\"ISO8601\"],\"target_field\":\"d\"}},"
            + "{\"rename\":{\"field\":\"sku\",\"target_field\":\"_id\",\"ignore_missing\":true}}");
    Answer answer =
        face.post(
            "/books/_bulk?pipeline=dated",
            """
            {"index":{}}
            {"d":"2026-01-02","sku":123}
            {"index":{"_id":"edge"}}
            {"d":"+999999999-12-31T23:59:59-18:00"}
            {"index":{"_id":"half"}}
            {"d":"2026-01-02","t":"\\ud83d"}
            {"index":{"_id":"last"}}
            {"d":"2026-01-03"}
            """);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.at("/items/0/index/status")).as(answer.body()).isEqualTo("201");
    assertThat(answer.at("/items/0/index/_id")).isEqualTo("123");
    assertThat(answer.at("/items/1/index/status")).isEqualTo("400");
    assertThat(answer.at("/items/1/index/error/reason")).startsWith("unable to parse date");
    assertThat(answer.at("/items/2/index/status")).isNotEqualTo("500");
    assertThat(answer.at("/items/3/index/status")).isEqualTo("201");
    assertThat(source("/books/_doc/123")).isEqualTo("{\"d\":\"2026-01-02T00:00:00.000Z\"}");
  }

  @Test
  void patternThatIsTooDeepIsRefusedAndTheNodeGoesOn() {
    String gsub =
        "{\"gsub\":{\"field\":\"a\",\"replacement\":\"\",\"pattern\":\""
            + "(".repeat(20_000)
            + ")".repeat(20_000)
            + "\"}}";
    String definition = "{\"processors\":[" + gsub + "]}";
    assertThat(face.put("/_ingest/pipeline/deep", definition).status()).isEqualTo(400);
    String simulation = "{\"pipeline\":" + definition + ",\"docs\":[{\"_source\":{}}]}";
    assertThat(face.post("/_ingest/pipeline/_simulate", simulation).status()).isEqualTo(400);
    String mapping =
        "{\"mappings\":{\"properties\":{\"d\":{\"type\":\"date\",\"format\":\""
            + "[yy".repeat(20_000)
            + "\"}}}}";
    assertThat(face.put("/dated", mapping).status()).isEqualTo(400);
    assertThat(face.put("/books/_doc/1", "{}").status()).isEqualTo(201);
  }

  @Test
  void documentThatIsItsOwnUpsertGoesThroughThePipelineWhetherItIsThereOrNot() {
    pipeline("p", set("by", "p"));
    face.put("/books/_doc/1", "{\"n\":1}");
    String update = "{\"doc\":{\"m\":2},\"doc_as_upsert\":true}";
    assertThat(face.post("/books/_update/1?pipeline=p", update).status()).isEqualTo(200);
    assertThat(source("/books/_doc/1")).isEqualTo("{\"n\":1,\"m\":2,\"by\":\"p\"}");
  }

  @Test
  void upsertGoesThroughThePipelineAndAPartialDocumentDoesNot() {
    pipeline("p", set("by", "p"));
    String update = "{\"doc\":{\"n\":2},\"upsert\":{\"n\":1}}";
    assertThat(face.post("/books/_update/1?pipeline=p", update).status()).isEqualTo(201);
    assertThat(source("/books/_doc/1")).isEqualTo("{\"n\":1,\"by\":\"p\"}");
    face.post("/books/_update/1?pipeline=p", "{\"doc\":{\"n\":3}}");
    assertThat(source("/books/_doc/1")).isEqualTo("{\"n\":3,\"by\":\"p\"}");
  }

  @Test
  void simulationTellsWhatWouldComeOut() {
    String docs =
        "\"docs\":[{\"_index\":\"i\",\"_id\":\"x\",\"_source\":{\"t\":\"a\"}},"
            + "{\"_source\":{\"t\":1}}]";
    pipeline("up", "{\"uppercase\":{\"field\":\"t\"}}");
    Answer answer = face.post("/_ingest/pipeline/up/_simulate", "{" + docs + "}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/docs/0/doc/_id")).isEqualTo("x");
    assertThat(answer.at("/docs/0/doc/_source/t")).isEqualTo("A");
    assertThat(answer.at("/docs/0/doc/_ingest/timestamp")).isEqualTo("2026-11-30T12:34:56Z");
    assertThat(answer.at("/docs/1/error/type")).isEqualTo("illegal_argument_exception");
    Answer inline =
        face.post(
            "/_ingest/pipeline/_simulate?verbose=true",
            "{\"pipeline\":{\"processors\":[" + set("a", "1") + ",{\"drop\":{}}]}," + docs + "}");
    assertThat(inline.at("/docs/0/processor_results/0/status")).isEqualTo("success");
    assertThat(inline.at("/docs/0/processor_results/1/status")).isEqualTo("dropped");
    assertThat(face.post("/_ingest/pipeline/none/_simulate", "{" + docs + "}").status())
        .isEqualTo(400);
    assertThat(face.post("/_ingest/pipeline/up/_simulate", "{}").at("/error/reason"))
        .isEqualTo("[docs] required property is missing");
    assertThat(face.get("/i").status()).as("nothing is written").isEqualTo(404);
  }

  // -- models

  private static String embedding(String map) {
    return "{\"text_embedding\":{\"model_id\":\"all-minilm-l6-v2\",\"field_map\":" + map + "}}";
  }

  @Test
  void textsBecomeVectorsThatAreFoundByMeaning() {
    pipeline("embed", embedding("{\"text\":\"v\"}"));
    face.put(
        "/letters",
        "{\"settings\":{\"index.knn\":true,\"index.default_pipeline\":\"embed\"},\"mappings\":"
            + "{\"properties\":{\"v\":{\"type\":\"knn_vector\",\"dimension\":384,"
            + "\"space_type\":\"cosinesimil\"},\"tag\":{\"type\":\"keyword\"}}}}");
    Answer bulk =
        face.post(
            "/letters/_bulk?refresh=true",
            """
            {"index":{"_id":"a1"}}
            {"text":"aaaa","tag":"x"}
            {"index":{"_id":"a2"}}
            {"text":"aaab","tag":"y"}
            {"index":{"_id":"b1"}}
            {"text":"bbbb","tag":"y"}
            {"index":{"_id":"none"}}
            {"text":"  ","tag":"y"}
            """);
    assertThat(bulk.at("/errors")).as(bulk.body()).isEqualTo("false");
    String neural = "{\"neural\":{\"v\":{\"query_text\":\"a\",\"k\":1}}}";
    Answer all = face.post("/letters/_search", "{\"query\":" + neural + "}");
    assertThat(all.at("/hits/hits/0/_id")).isEqualTo("a1");
    Answer filtered =
        face.post(
            "/letters/_search",
            "{\"query\":{\"bool\":{\"must\":["
                + neural
                + "],\"filter\":[{\"term\":{\"tag\":\"y\"}}]}}}");
    assertThat(filtered.at("/hits/hits/0/_id")).isEqualTo("a2");
    assertThat(face.get("/letters/_doc/none").json().at("/_source/v").isMissingNode()).isTrue();
  }

  @Test
  void chunksOfATextBecomeNestedVectorsAndTheBestOneFindsTheDocument() {
    pipeline(
        "chunks",
        "{\"text_chunking\":{\"field_map\":{\"text\":\"chunks\"},\"algorithm\":"
            + "{\"fixed_token_length\":{\"token_limit\":2}}}},"
            + embedding("{\"chunks\":\"vectors\"}"));
    face.put(
        "/letters",
        "{\"settings\":{\"index.knn\":true,\"index.default_pipeline\":\"chunks\"},\"mappings\":"
            + "{\"properties\":{\"vectors\":{\"type\":\"nested\",\"properties\":{\"knn\":"
            + "{\"type\":\"knn_vector\",\"dimension\":384,\"space_type\":\"cosinesimil\"}}}}}}");
    face.put("/letters/_doc/1", "{\"text\":\"aaaa aaaa bbbb bbbb\"}");
    face.put("/letters/_doc/2?refresh=true", "{\"text\":\"bbba abbb cccc cccc\"}");
    Answer found =
        face.post(
            "/letters/_search",
            "{\"query\":{\"nested\":{\"path\":\"vectors\",\"score_mode\":\"max\",\"query\":"
                + "{\"neural\":{\"vectors.knn\":{\"query_text\":\"b\",\"k\":5}}},"
                + "\"inner_hits\":{\"size\":1,\"_source\":false}}}}");
    assertThat(found.at("/hits/hits/0/_id")).isEqualTo("1");
    assertThat(found.at("/hits/hits/0/_source/chunks/1")).isEqualTo("bbbb bbbb");
    assertThat(found.json().at("/hits/hits/0/_source/vectors").size()).isEqualTo(2);
    assertThat(found.at("/hits/hits/0/inner_hits/vectors/hits/hits/0/_nested/offset"))
        .as("the place of the best chunk")
        .isEqualTo("1");
  }

  @Test
  void vectorsThatAreThereStayWhereThePipelineSaysSo() {
    pipeline(
        "embed",
        "{\"text_embedding\":{\"field_map\":{\"o\":{\"t\":\"v.x\"}},\"skip_existing\":true}}");
    face.put("/i/_doc/1?pipeline=embed", "{\"o\":[{\"t\":\"a\",\"v\":{\"x\":[1]}},{\"t\":\"b\"}]}");
    var source = face.get("/i/_doc/1").json().at("/_source/o");
    assertThat(source.at("/0/v/x").size()).isEqualTo(1);
    assertThat(source.at("/1/v/x").size()).isEqualTo(384);
    assertThat(source.at("/1/v/x/1").asDouble()).isEqualTo(1.0);
  }

  @Test
  void modelThatIsNotThereRefusesTheItemOrIsHandled() {
    String missing = "{\"text_embedding\":{\"model_id\":\"m\",\"field_map\":{\"t\":\"v\"}";
    pipeline("strict", missing + "}}");
    pipeline("lenient", missing + ",\"on_failure\":[" + set("failed", "yes") + "]}}");
    Answer refused = face.put("/i/_doc/1?pipeline=strict", "{\"t\":\"a\"}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/reason")).contains("Failed to find model");
    assertThat(face.put("/i/_doc/1?pipeline=lenient", "{\"t\":\"a\"}").status()).isEqualTo(201);
    assertThat(source("/i/_doc/1")).contains("\"failed\":\"yes\"");
  }
}
