package dev.weir.rest;

import static dev.weir.rest.TestFace.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A search that tells what it did: times, and for each vector search whose filters it obeyed. */
final class ProfileRoutesTest {
  private static final String KNN = "{'knn':{'v':{'vector':[0,0],'k':1}}}";
  private static final String OWN =
      "{'knn':{'v':{'vector':[0,0],'k':1,'filter':{'exists':{'field':'t'}}}}}";
  private static final String AFTER =
      "{'knn':{'v':{'vector':[0,0],'k':1,'outer_filters':'after'}}}";
  private static final String RED = "{'match':{'t':'red'}}";
  private static final String STOCK = "{'term':{'stock':true}}";
  private static final String LEGS = "/profile/shards/0/filter_report/vector_searches";

  private TestFace face;

  @BeforeEach
  void start(@TempDir Path directory) {
    face = new TestFace(directory);
    face.openShop();
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private Answer search(String where, String body) {
    Answer found = face.post(where, json(body));
    assertThat(found.status()).as(found.body()).isEqualTo(200);
    return found;
  }

  /** What each vector search of the first shard obeyed: origin=query, inside and after. */
  private static List<String> told(Answer answer, String list) {
    List<String> told = new ArrayList<>();
    for (JsonNode leg : answer.json().at(LEGS)) {
      for (JsonNode filter : leg.at("/" + list)) {
        List<String> from = new ArrayList<>();
        filter.at("/from").forEach(origin -> from.add(origin.asString()));
        told.add(String.join("+", from) + "=" + filter.at("/query"));
      }
    }
    return told;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          OWN | knn.filter=EXISTS
          {'bool':{'must':[KNN,STOCK]}} | bool.must=STOCK
          {'bool':{'must':[KNN],'filter':[STOCK]}} | bool.filter=STOCK
          {'bool':{'must':[OWN],'filter':[STOCK]}} | knn.filter=EXISTS bool.filter=STOCK
          {'hybrid':{'queries':[KNN],'filter':STOCK}} | hybrid.filter=STOCK
          {'hybrid':{'queries':[RED,OWN],'filter':STOCK}} | knn.filter=EXISTS hybrid.filter=STOCK
          {'hybrid':{'queries':[{'bool':{'must':[KNN]}}],'filter':STOCK}} | hybrid.filter=STOCK
          {'hybrid':{'queries':[OWN],'filter':STOCK,'filter_mode':'ignore_if_exists'}} | knn.filter=EXISTS
          {'hybrid':{'queries':[{'bool':{'must':[KNN],'filter':[RED]}}],'filter':STOCK}} | hybrid.filter=STOCK bool.filter=RED
          """)
  void eachFilterOfAVectorSearchHasAnOrigin(String query, String expected) {
    String body = query.replace("OWN", OWN).replace("KNN", KNN).replace("STOCK", STOCK);
    Answer found =
        search("/shop/_search", "{'profile':true,'query':" + body.replace("RED", RED) + "}");
    List<String> origins = new ArrayList<>();
    for (String each : told(found, "filter_origins")) {
      origins.add(
          each.replace(json(STOCK), "STOCK")
              .replace("{\"exists\":{\"field\":\"t\"}}", "EXISTS")
              .replace("{\"match\":{\"t\":{\"query\":\"red\"}}}", "RED")
              .replace("{\"term\":{\"stock\":{\"value\":true}}}", "STOCK"));
    }
    assertThat(String.join(" ", origins)).as(found.body()).isEqualTo(expected);
    assertThat(told(found, "filtered_after")).isEmpty();
  }

  @Test
  void filtersThatWereMadeOneHaveAllTheirOrigins() {
    String query = "{'hybrid':{'queries':[" + OWN + "],'filter':" + STOCK + ",'filter_mode':'or'}}";
    Answer found = search("/shop/_search", "{'profile':true,'query':" + query + "}");
    assertThat(told(found, "filter_origins"))
        .singleElement()
        .asString()
        .startsWith("knn.filter+hybrid.filter=");
  }

  @Test
  void filtersOfPipelinesAndAliasesAreToldApart() {
    face.put(
        "/_search/pipeline/stock",
        json("{'request_processors':[{'filter_query':{'query':" + STOCK + "}}]}"));
    face.post(
        "/_aliases",
        json("{'actions':[{'add':{'index':'shop','alias':'reds','filter':" + RED + "}}]}"));
    String body = "{'profile':true,'query':" + KNN + "}";
    Answer named = search("/reds/_search?search_pipeline=stock", body);
    assertThat(named.at("/hits/hits/0/_id")).isEqualTo("far");
    assertThat(told(named, "filter_origins")).hasSize(2);
    assertThat(told(named, "filter_origins").getFirst()).startsWith("filter_query={\"term\"");
    assertThat(told(named, "filter_origins").getLast()).startsWith("alias.filter={\"match\"");
    face.put("/shop/_settings", json("{'index.search.default_pipeline':'stock'}"));
    assertThat(told(search("/shop/_search", body), "filter_origins"))
        .singleElement()
        .asString()
        .startsWith("default_pipeline.filter_query=");
  }

  @Test
  void whatFiltersAfterwardsIsTold() {
    String query =
        "{'bool':{'must':[" + AFTER + "," + RED + "],'must_not':[{'term':{'stock':false}}]}}";
    Answer found =
        search(
            "/shop/_search", "{'profile':true,'query':" + query + ",'post_filter':" + STOCK + "}");
    assertThat(found.at("/hits/total/value")).isEqualTo("0");
    assertThat(told(found, "filter_origins")).isEmpty();
    assertThat(told(found, "filtered_after"))
        .extracting(told -> told.substring(0, told.indexOf('=')))
        .containsExactly("bool.must", "bool.must_not", "post_filter");
  }

  @Test
  void aNestedVectorSearchTellsWhatTheDocumentsAroundMustMatch() {
    String nested =
        "{'nested':{'path':'parts','query':{'knn':{'parts.w':{'vector':[0,0],'k':1}}}}}";
    Answer found =
        search(
            "/shop/_search",
            "{'profile':true,'query':{'hybrid':{'queries':["
                + RED
                + ","
                + nested
                + "],'filter':"
                + STOCK
                + "}}}");
    assertThat(found.at("/hits/hits/0/_id")).isEqualTo("far");
    assertThat(found.at(LEGS + "/0/nested_path")).isEqualTo("parts");
    assertThat(found.at(LEGS + "/0/sub_query")).isEqualTo("1");
    assertThat(told(found, "filter_origins"))
        .singleElement()
        .asString()
        .startsWith("hybrid.filter={\"term\"");
    assertThat(found.at(LEGS + "/0/segments/0/vectors")).isEqualTo("3");
    assertThat(found.at(LEGS + "/0/segments/0/accepted")).isEqualTo("1");
  }

  @Test
  void theNumbersOfASegmentAreThoseOfItsDocuments() {
    String body = "{'profile':true,'query':{'hybrid':{'queries':[KNN],'filter':STOCK}}}";
    String query = body.replace("KNN", KNN).replace("STOCK", STOCK);
    Answer found = search("/shop/_search", query);
    String segment = LEGS + "/0/segments/0";
    assertThat(found.at(segment + "/documents")).isEqualTo("3");
    assertThat(found.at(segment + "/passing")).isEqualTo("2");
    assertThat(found.at(segment + "/vectors")).isEqualTo("3");
    assertThat(found.at(segment + "/accepted")).isEqualTo("2");
    assertThat(found.at(segment + "/strategy")).isEqualTo("exact");
    assertThat(found.at(segment + "/distances")).isEqualTo("2");
    assertThat(found.at(segment + "/steps/0/reason")).isEqualTo("cheap");
    assertThat(found.at(segment + "/filter_bits/cache")).isEqualTo("miss");
    assertThat(found.at(LEGS + "/0/found")).isEqualTo("1");
    assertThat(search("/shop/_search", query).at(segment + "/filter_bits/cache")).isEqualTo("hit");
  }

  @Test
  void theShapeIsTheOneThatClientsRead() {
    Answer found =
        search(
            "/shop/_search",
            "{'profile':true,'query':{'bool':{'must':["
                + RED
                + "],'filter':["
                + STOCK
                + "]}},'aggs':{'s':{'terms':{'field':'stock'}}}}");
    String shard = "/profile/shards/0";
    assertThat(found.at(shard + "/id")).isEqualTo("[abc][shop][0]");
    assertThat(found.json().at(shard + "/aggregations").isArray()).isTrue();
    assertThat(found.json().at(shard + "/aggregations_time_in_nanos").asLong()).isPositive();
    String search = shard + "/searches/0";
    assertThat(found.json().at(search + "/rewrite_time").asLong()).isPositive();
    assertThat(found.at(search + "/collector/0/name")).isEqualTo("TopScoreDocCollector");
    assertThat(found.at(search + "/collector/0/reason")).isEqualTo("search_top_hits");
    assertThat(found.json().at(search + "/collector/0/time_in_nanos").asLong()).isPositive();
    JsonNode query = found.json().at(search + "/query/0");
    assertThat(query.at("/type").asString()).isEqualTo("BooleanQuery");
    assertThat(query.at("/time_in_nanos").asLong()).isPositive();
    assertThat(query.at("/children")).hasSize(2);
    assertThat(query.at("/breakdown/score_count").asInt()).isEqualTo(1);
    assertThat(query.at("/breakdown").size()).isEqualTo(18);
    assertThat(found.at("/profile/shards/0/filter_report/sub_queries")).isEqualTo("absent");
  }

  @Test
  void aHybridTellsOfEachOfItsQueries() {
    Answer found =
        search(
            "/shop/_search",
            "{'profile':true,'query':{'hybrid':{'queries':[" + RED + "," + KNN + "]}}}");
    assertThat(found.json().at("/profile/shards/0/searches")).hasSize(2);
    String queries = "/profile/shards/0/filter_report/sub_queries";
    assertThat(found.at(queries + "/0/hits/value")).isEqualTo("2");
    assertThat(found.at(queries + "/1/hits/value")).isEqualTo("1");
    assertThat(found.at(queries + "/1/kept")).isEqualTo("1");
    assertThat(found.json().at(queries + "/1/search_time_in_nanos").asLong()).isPositive();
    assertThat(found.at(LEGS + "/0/sub_query")).isEqualTo("1");
    assertThat(found.json().at(LEGS + "/0/filter").isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'sort':['_doc']",
        "'sort':['stock'],'track_scores':true",
        "'size':0",
        "'terminate_after':1",
        "'timeout':'10s'",
        "'min_score':0.1",
        "'explain':true",
        "'track_total_hits':false",
        "'rescore':{'query':{'rescore_query':KNN}}",
        "'highlight':{'fields':{'t':{}}}",
        "'aggs':{'m':{'filter':{'bool':{'must':[KNN]}}}}",
        "'post_filter':{'bool':{'must':[KNN]}}"
      })
  void whateverElseIsAskedAProfileIsToldAndChangesNothing(String more) {
    for (String query :
        new String[] {
          RED,
          KNN,
          "{'match_none':{}}",
          "{'hybrid':{'queries':[RED,KNN],'filter':STOCK}}",
          "{'nested':{'path':'parts','inner_hits':{},'query':{'knn':"
              + "{'parts.w':{'vector':[0,0],'k':1,'expand_nested_docs':true}}}}}"
        }) {
      if (query.contains("hybrid") && more.contains("track_scores")) {
        continue; // refused for a hybrid
      }
      String body =
          ("{'query':" + query + "," + more)
              .replace("RED", RED)
              .replace("KNN", KNN)
              .replace("STOCK", STOCK);
      Answer plain = search("/shop/_search", body + "}");
      Answer profiled = search("/shop/_search", body + ",'profile':true}");
      assertThat(profiled.json().at("/profile/shards")).as(body).hasSize(1);
      assertThat(profiled.at("/hits")).as(body).isEqualTo(plain.at("/hits"));
      assertThat(profiled.at("/aggregations")).isEqualTo(plain.at("/aggregations"));
      assertThat(plain.at("/profile")).isEqualTo("absent");
    }
  }

  @Test
  void aSearchForATotalAloneIsProfiledAsOne() {
    Answer counted = search("/shop/_search", "{'profile':true,'size':0,'query':" + RED + "}");
    String search = "/profile/shards/0/searches/0";
    assertThat(counted.at(search + "/collector/0/reason")).isEqualTo("search_count");
    assertThat(counted.json().at(search + "/query")).hasSize(1);
    Answer nothing =
        search(
            "/shop/_search",
            "{'profile':true,'size':0,'track_total_hits':false,'query':" + RED + "}");
    assertThat(nothing.json().at(search + "/query")).isEmpty();
    assertThat(nothing.json().at(search + "/collector")).isEmpty();
  }

  @Test
  void aSearchOfAMultiSearchMayBeProfiled() {
    Answer found =
        face.post(
            "/_msearch",
            json("{'index':'shop'}\n{'query':" + KNN + "}\n")
                + json("{'index':'shop'}\n{'query':" + KNN + ",'profile':true}\n"));
    assertThat(found.at("/responses/0/profile")).isEqualTo("absent");
    assertThat(found.json().at("/responses/1/profile/shards")).hasSize(1);
  }

  @Test
  void aProfileIsTrueOrFalse() {
    assertThat(face.post("/shop/_search", json("{'profile':'perhaps'}")).status()).isEqualTo(400);
    assertThat(search("/shop/_search", "{'profile':false}").at("/profile")).isEqualTo("absent");
  }

  @Test
  void aLongFilterIsNotToldAgainForEverySearch() {
    String ids = "'a" + "','a".repeat(5_000) + "'";
    Answer found =
        search(
            "/shop/_search",
            "{'profile':true,'query':{'bool':{'must':["
                + KNN
                + "],'filter':[{'ids':{'values':["
                + ids
                + "]}}]}}}");
    assertThat(found.at(LEGS + "/0/filter")).startsWith("left out: ");
    assertThat(found.body().length()).isLessThan(40_000);
  }
}
