package dev.weir.rest;

import static dev.weir.rest.TestFace.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What is explained is the score that a search gives, with every filter where it is in a search.
 */
final class ExplainRoutesTest {
  private static final String KNN = "{'knn':{'v':{'vector':[0,0],'k':2}}}";
  private static final String RED = "{'match':{'t':'red'}}";
  private static final String STOCK = "{'term':{'stock':true}}";
  private static final String HYBRID =
      "{'hybrid':{'queries':[" + RED + "," + KNN + "],'filter':" + STOCK + "}}";

  private TestFace face;

  @BeforeEach
  void start(@TempDir Path directory) {
    face = new TestFace(directory);
    face.put(
        "/shop",
        json(
            "{'settings':{'number_of_shards':3},'mappings':{'properties':{"
                + "'stock':{'type':'boolean'},'t':{'type':'text'},"
                + "'v':{'type':'knn_vector','dimension':2,'space_type':'l2'}}}}"));
    Random random = new Random(17);
    for (int i = 0; i < 40; i++) {
      String text = "red ".repeat(random.nextInt(4)) + "blue ".repeat(random.nextInt(3));
      put("d" + i, i % 3 > 0, text, random.nextInt(20), random.nextInt(20));
    }
    put("near", /* stock= */ false, "red", 0, 0);
    put("far", /* stock= */ true, "blue", 90, 90);
    face.post("/shop/_refresh", "");
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private void put(String id, boolean stock, String text, int x, int y) {
    String document =
        String.format(Locale.ROOT, "{'stock':%s,'t':'%s','v':[%d,%d]}", stock, text.strip(), x, y);
    assertThat(face.put("/shop/_doc/" + id, json(document)).status()).isEqualTo(201);
  }

  /** One reason, and not that a window was too small as well. */
  @Test
  void aDocumentThatTheFilterLeavesOutIsNotMatchedByTheSubQueries() {
    String body = face.post("/shop/_explain/near", json("{'query':" + HYBRID + "}")).body();
    assertThat(body).contains("not matched by:").doesNotContain("not ranked within the window");
  }

  private Answer explain(String where, String query) {
    return face.post(where, json("{'query':" + query + "}"));
  }

  @Test
  void explainsTheScoreThatASearchGives() {
    for (String query :
        new String[] {
          RED,
          KNN,
          HYBRID,
          "{'bool':{'must':[" + KNN + "],'filter':[" + STOCK + "]}}",
          "{'function_score':{'query':" + RED + ",'weight':3}}"
        }) {
      JsonNode hits =
          face.post("/shop/_search", json("{'size':100,'explain':true,'query':" + query + "}"))
              .json()
              .at("/hits/hits");
      assertThat(hits).as(query).isNotEmpty();
      for (JsonNode hit : hits) {
        Answer explained = explain("/shop/_explain/" + hit.at("/_id").asString(), query);
        assertThat(explained.status()).as(explained.body()).isEqualTo(200);
        assertThat(explained.at("/_index")).isEqualTo("shop");
        assertThat(explained.at("/_id")).isEqualTo(hit.at("/_id").asString());
        assertThat(explained.at("/matched")).as(explained.body()).isEqualTo("true");
        float score = hit.at("/_score").floatValue();
        assertThat(explained.json().at("/explanation/value").floatValue())
            .isCloseTo(score, within(1e-6f));
        assertThat(hit.at("/_explanation/value").floatValue()).isCloseTo(score, within(1e-6f));
      }
    }
  }

  @Test
  void aHybridIsExplainedByCombinedNormalisedAndRawScores() {
    String best =
        face.post("/shop/_search", json("{'size':1,'query':" + HYBRID + "}"))
            .at("/hits/hits/0/_id");
    Answer explained = explain("/shop/_explain/" + best, HYBRID);
    assertThat(explained.at("/explanation/description"))
        .isEqualTo("arithmetic_mean combination of:");
    assertThat(explained.json().at("/explanation/details")).hasSize(2);
    assertThat(explained.at("/explanation/details/0/description"))
        .isEqualTo("min_max normalization of:");
    assertThat(explained.json().at("/explanation/details/0/details/0/value").floatValue())
        .isPositive();
  }

  @Test
  void explainOfASearchTellsTheSameWithAndWithoutItsProcessor() {
    String plain = "{'explain':true,'query':" + HYBRID + "}";
    String asked =
        "{'explain':true,'query':"
            + HYBRID
            + ",'search_pipeline':{'response_processors':[{'hybrid_score_explanation':{}}]}}";
    Answer without = face.post("/shop/_search", json(plain));
    Answer with = face.post("/shop/_search", json(asked));
    assertThat(with.status()).as(with.body()).isEqualTo(200);
    assertThat(with.at("/hits")).isEqualTo(without.at("/hits"));
    for (JsonNode hit : with.json().at("/hits/hits")) {
      assertThat(hit.at("/_explanation/value").floatValue())
          .isEqualTo(hit.at("/_score").floatValue());
    }
  }

  @Test
  void thePipelineIsTheOneOfTheSearch() {
    face.put(
        "/_search/pipeline/ranks",
        json(
            "{'phase_results_processors':[{'score-ranker-processor':"
                + "{'combination':{'technique':'rrf'}}}]}"));
    String best =
        face.post("/shop/_search?search_pipeline=ranks", json("{'query':" + HYBRID + "}"))
            .at("/hits/hits/0/_id");
    String uri = "/shop/_explain/" + best;
    assertThat(explain(uri + "?search_pipeline=ranks", HYBRID).at("/explanation/description"))
        .isEqualTo("rrf combination of:");
    face.put("/shop/_settings", json("{'index.search.default_pipeline':'ranks'}"));
    assertThat(explain(uri, HYBRID).at("/explanation/description"))
        .isEqualTo("rrf combination of:");
    assertThat(explain(uri + "?search_pipeline=_none", HYBRID).at("/explanation/description"))
        .isEqualTo("arithmetic_mean combination of:");
  }

  @Test
  void aDocumentThatIsFilteredOutDoesNotMatch() {
    Answer explained = explain("/shop/_explain/near", HYBRID);
    assertThat(explained.status()).isEqualTo(200);
    assertThat(explained.at("/matched")).isEqualTo("false");
    assertThat(explained.at("/explanation/value")).isEqualTo("0.0");
    assertThat(explain("/shop/_explain/near", KNN).at("/matched")).isEqualTo("true");
    face.post(
        "/_aliases",
        json("{'actions':[{'add':{'index':'shop','alias':'stocked','filter':" + STOCK + "}}]}"));
    assertThat(explain("/stocked/_explain/near", KNN).at("/matched")).isEqualTo("false");
    assertThat(explain("/stocked/_explain/far", "{'match_all':{}}").at("/matched"))
        .isEqualTo("true");
  }

  @Test
  void aDocumentThatIsMissingIs404() {
    Answer missing = explain("/shop/_explain/nobody", RED);
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.body())
        .isEqualTo("{\"_index\":\"shop\",\"_id\":\"nobody\",\"matched\":false}");
    face.delete("/shop/_doc/far?refresh=true");
    assertThat(explain("/shop/_explain/far", RED).status()).isEqualTo(404);
  }

  @Test
  void whatCannotBeExplainedIsRefused() {
    assertThat(face.get("/shop/_explain/far").at("/error/type"))
        .isEqualTo("action_request_validation_exception");
    assertThat(explain("/nothere/_explain/far", RED).status()).isEqualTo(404);
    assertThat(explain("/shop/_explain/far", "{'nonsense':{}}").status()).isEqualTo(400);
    assertThat(face.post("/shop/_explain/far", json("{'size':3}")).status()).isEqualTo(400);
    Answer wrong = explain("/shop/_explain/far", "{'knn':{'v':{'vector':[1],'k':1}}}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.body()).contains("dimension");
    face.put("/other", "");
    Answer several = explain("/shop,other/_explain/far", RED);
    assertThat(several.status()).isEqualTo(400);
    assertThat(several.at("/error/reason")).contains("[shop,other] stands for 2");
  }

  @Test
  void validateShowsTheFilterOfAnAliasWhereItWasPushedTo() {
    face.put(
        "/boxes",
        json(
            "{'mappings':{'properties':{'stock':{'type':'boolean'},'parts':{'type':'nested',"
                + "'properties':{'w':{'type':'knn_vector','dimension':2}}}}}}"));
    face.post(
        "/_aliases",
        json("{'actions':[{'add':{'index':'boxes','alias':'stocked','filter':" + STOCK + "}}]}"));
    String knn = "{'knn':{'parts.w':{'vector':[0,0],'k':1}}}";
    Answer shown =
        face.post(
            "/stocked/_validate/query?explain=true",
            json("{'query':{'nested':{'path':'parts','query':" + knn + "}}}"));
    assertThat(shown.at("/valid")).isEqualTo("true");
    assertThat(shown.at("/explanations/0/explanation"))
        .startsWith(
            json(
                "{'nested':{'path':'parts','query':{'knn':{'parts.w':{'vector':[0.0,0.0],'k':1}}},"
                    + "'filter':{'term':{'stock':{'value':true}}}}} as "));
    Answer hybrid =
        face.post(
            "/stocked/_validate/query?explain=true",
            json(
                "{'query':{'hybrid':{'queries':[{'match_all':{}},{'nested':{'path':'parts',"
                    + "'query':"
                    + knn
                    + "}}],'filter':{'exists':{'field':'stock'}}}}}"));
    assertThat(hybrid.at("/explanations/0/explanation"))
        .contains(json("'filter':[{'exists':{'field':'stock'}},{'term':{'stock':{'value':true}}}]"))
        .contains(
            json(
                "'filter':{'bool':{'must':[{'exists':{'field':'stock'}}],"
                    + "'filter':[{'term':{'stock':{'value':true}}}]}}"));
  }
}
