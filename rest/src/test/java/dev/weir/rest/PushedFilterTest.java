package dev.weir.rest;

import static dev.weir.rest.TestFace.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Filters from every place of a request reach the vector search: the nearest document is out of
 * stock, and with {@code k: 1} a filter that came after the search would leave nothing.
 */
final class PushedFilterTest {

  private static final String KNN = "{'knn':{'v':{'vector':[0,0],'k':1}}}";
  private static final String AFTER =
      "{'knn':{'v':{'vector':[0,0],'k':1,'outer_filters':'after'}}}";
  private static final String STOCK = "{'term':{'stock':true}}";
  private static final String PIPELINE =
      "{'request_processors':[{'filter_query':{'query':" + STOCK + "}}]}";

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

  private Answer search(String parameters, String body) {
    Answer found = face.post("/shop/_search" + parameters, json(body));
    assertThat(found.status()).as(found.body()).isEqualTo(200);
    return found;
  }

  private void finds(Answer found, String id) {
    assertThat(found.at("/hits/total/value")).isEqualTo("1");
    assertThat(found.at("/hits/hits/0/_id")).isEqualTo(id);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'bool':{'must':[KNN,STOCK]}}
          {'bool':{'must':[KNN],'filter':STOCK}}
          {'bool':{'filter':[KNN,STOCK]}}
          {'bool':{'should':[KNN],'must':[STOCK],'minimum_should_match':1}}
          {'bool':{'must':[{'constant_score':{'filter':KNN}}],'filter':[STOCK]}}
          {'bool':{'must':[{'function_score':{'query':KNN,'weight':2}}],'filter':[STOCK]}}
          {'bool':{'must':[{'script_score':{'query':KNN,'script':'_score'}}],'filter':[STOCK]}}
          {'bool':{'must':[KNN,{'query_string':{'query':'stock:true'}}]}}
          {'hybrid':{'queries':[KNN],'filter':STOCK}}
          {'hybrid':{'queries':[{'bool':{'must':[KNN]}}],'filter':STOCK}}
          {'hybrid':{'queries':[{'bool':{'must':[KNN,STOCK]}}]}}
          """)
  void everyRequiredClauseDoes(String query) {
    String body = query.replace("KNN", KNN).replace("STOCK", STOCK);
    finds(search("", "{'query':" + body + "}"), "far");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'bool':{'must':[AFTER,STOCK]}}
          {'hybrid':{'queries':[AFTER],'filter':STOCK}}
          {'hybrid':{'queries':[{'bool':{'must':[KNN]}}],'filter':STOCK,'filter_push_down':'shallow'}}
          {'bool':{'must':[KNN],'must_not':[{'term':{'stock':false}}]}}
          """)
  void whatIsSaidToComeAfterDoes(String query) {
    String body = query.replace("KNN", KNN).replace("AFTER", AFTER).replace("STOCK", STOCK);
    assertThat(search("", "{'query':" + body + "}").at("/hits/total/value")).isEqualTo("0");
  }

  @Test
  void clausesThatRequireNothingDoNot() {
    String optional = "{'bool':{'must':[" + KNN + "],'should':[" + STOCK + "]}}";
    finds(search("", "{'query':" + optional + "}"), "near");
    String negative =
        "{'boosting':{'positive':"
            + KNN
            + ",'negative':{'bool':{'filter':["
            + STOCK
            + "]}},'negative_boost':0.5}}";
    finds(search("", "{'query':" + negative + "}"), "near");
  }

  @Test
  void aPipelineDoesHoweverItIsChosen() {
    face.put("/_search/pipeline/stock", json(PIPELINE));
    String plain = "{'query':" + KNN + "}";
    String hybrid = "{'query':{'hybrid':{'queries':[" + KNN + "]}}}";
    for (String body : new String[] {plain, hybrid}) {
      finds(search("", body), "near");
      finds(search("?search_pipeline=stock", body), "far");
    }
    finds(search("", "{'query':" + KNN + ",'search_pipeline':" + PIPELINE + "}"), "far");
    finds(search("", "{'query':" + KNN + ",'search_pipeline':'stock'}"), "far");
    face.put("/shop/_settings", json("{'index':{'search.default_pipeline':'stock'}}"));
    for (String body : new String[] {plain, hybrid}) {
      finds(search("", body), "far");
      finds(search("?search_pipeline=_none", body), "near");
    }
    assertThat(search("", "{'query':" + AFTER + "}").at("/hits/total/value")).isEqualTo("0");
  }

  @Test
  void validateShowsThePushedTree() {
    Answer shown =
        face.post(
            "/shop/_validate/query?explain=true",
            json("{'query':{'bool':{'must':[" + KNN + "," + STOCK + "]}}}"));
    assertThat(shown.at("/valid")).isEqualTo("true");
    assertThat(shown.at("/explanations/0/explanation"))
        .startsWith(
            json(
                "{'bool':{'must':[{'knn':{'v':{'vector':[0.0,0.0],'k':1,"
                    + "'filter':{'term':{'stock':{'value':true}}}}}},"
                    + "{'term':{'stock':{'value':true}}}]}} as "));
  }
}
