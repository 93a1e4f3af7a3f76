package dev.weir.rest;

import static dev.weir.rest.TestFace.json;
import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What search pipelines do with a page of hits. The cross-encoder counts the letters that a text
 * has in common with the query's.
 */
final class ResponseProcessorsTest {

  @TempDir private Path directory;
  @TempDir private Path models;
  private TestFace face;

  @BeforeEach
  void start() {
    face = new TestFace(directory, new ModelSetup(new LetterModel(), ModelBounds.of(1), models));
    assertThat(
            face.put(
                    "/docs",
                    json(
                        "{'settings':{'number_of_shards':1},'mappings':{'properties':{"
                            + "'v':{'type':'knn_vector','dimension':1},'text':{'type':'text'},"
                            + "'n':{'type':'integer'}}}}"))
                .status())
        .isEqualTo(200);
    put("1", "{'text':'common a','title':'ab','n':3,'v':[1],'tags':['y','x'],'g':'p'}");
    put("2", "{'text':'common b','title':'abc','n':1.50,'v':[2],'tags':[10,9.5],'g':'q'}");
    put("3", "{'text':'common c','title':'x','n':7,'v':[3],'o':{'t':['abcd']},'g':'p'}");
    put("4", "{'text':'common d','title':'ab','v':[4],'nested':{'n':2}}");
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private void put(String id, String document) {
    assertThat(face.put("/docs/_doc/" + id + "?refresh=true", json(document)).status())
        .isEqualTo(201);
  }

  private String model(String folder) throws IOException {
    Files.createDirectories(models.resolve(folder));
    TestFace.Answer begun =
        face.post(
            "/_plugins/_ml/models/_register",
            json("{'name':'m','path':'" + folder + "','function_name':'TEXT_SIMILARITY'}"));
    for (int i = 0; i < 100_000_000; i++) {
      TestFace.Answer task = face.get("/_plugins/_ml/tasks/" + begun.at("/task_id"));
      if (task.at("/state").equals("COMPLETED")) {
        return task.at("/model_id");
      }
      assertThat(task.at("/state")).as(task.body()).isNotEqualTo("FAILED");
      Thread.onSpinWait();
    }
    throw new AssertionError("the task does not end: " + begun.body());
  }

  @Test
  void rerankingByFieldsThatNoHitHasIsRefused() throws IOException {
    String id = model("letters");
    String rerank =
        "{'rerank':{'ml_opensearch':{'model_id':'"
            + id
            + "'},'context':{'document_fields':['titel']}";
    String text = ",'ext':{'rerank':{'query_context':{'query_text':'abc'}}}";
    TestFace.Answer refused = search(rerank + "}}", text);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/reason"))
        .startsWith(
            "[rerank] found none of its [document_fields] [titel] in the _source of any hit");
    assertThat(search(rerank + ",'ignore_failure':true}}", text).status()).isEqualTo(200);
    String noHit = ",'query':{'match_none':{}}" + text;
    assertThat(search(rerank + "}}", noHit).status()).isEqualTo(200);
  }

  @Test
  void aTextToRerankForIsRefusedWhereNothingReranks() {
    String text = ",'ext':{'rerank':{'query_context':{'query_text':'abc'}}}";
    TestFace.Answer refused = search("{'truncate_hits':{'target_size':1}}", text);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/reason"))
        .startsWith(
            "[ext.rerank] has no effect: the search pipeline of this request has no [rerank]");
    assertThat(face.post("/docs/_search", json("{" + text.substring(1) + "}")).status())
        .isEqualTo(400);
  }

  private TestFace.Answer search(String processors, String rest) {
    return face.post(
        "/docs/_search",
        json("{'search_pipeline':{'response_processors':[" + processors + "]}" + rest + "}"));
  }

  private static List<String> ids(TestFace.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<String> ids = new ArrayList<>();
    answer.json().at("/hits/hits").forEach(hit -> ids.add(hit.path("_id").asString()));
    return ids;
  }

  private static String rerank(String model, String fields) {
    return "{'rerank':{'tag':'r','description':'by letters','ml_opensearch':{'model_id':'"
        + model
        + "'},'context':{'document_fields':["
        + fields
        + "]}}}";
  }

  private static String text(String text) {
    return ",'ext':{'rerank':{'query_context':{'query_text':'" + text + "'}}}";
  }

  // -- rerank by a model

  @Test
  void hitsAreOrderedByTheModelAndEqualOnesStayAsTheyWere() throws IOException {
    TestFace.Answer answer =
        search(rerank(model("m"), "'title'"), ",'sort':[{'n':'desc'}]" + text("abc"));
    assertThat(ids(answer)).containsExactly("2", "1", "4", "3");
    assertThat(answer.at("/hits/max_score")).isEqualTo("3.0");
    assertThat(answer.at("/hits/hits/0/_score")).isEqualTo("3.0");
    assertThat(answer.at("/hits/hits/3/_score")).isEqualTo("0.0");
    assertThat(answer.at("/hits/total/value")).isEqualTo("4");
    assertThat(answer.body()).contains("\"n\":1.50"); // the digits that were given
  }

  @Test
  void theTextOfADocumentIsThatOfAllItsFieldsWhereverTheyAre() throws IOException {
    TestFace.Answer answer = search(rerank(model("m"), "'title','o.t'"), text("abcd"));
    assertThat(ids(answer)).startsWith("3", "2");
    assertThat(answer.at("/hits/max_score")).isEqualTo("4.0");
  }

  @Test
  void itIsThePageThatIsReranked() throws IOException {
    String sorted = ",'sort':[{'n':'desc'}],'from':1,'size':2" + text("abc");
    assertThat(ids(search(rerank(model("m"), "'title'"), sorted))).containsExactly("2", "1");
    TestFace.Answer empty = search(rerank(model("m2"), "'title'"), ",'size':0" + text("abc"));
    assertThat(ids(empty)).isEmpty();
    assertThat(empty.at("/hits/max_score")).isEqualTo("null");
  }

  @Test
  void hybridHitsAreRerankedAfterTheirScoresWereCombined() throws IOException {
    String hybrid =
        ",'query':{'hybrid':{'queries':[{'match':{'text':'common'}},"
            + "{'knn':{'v':{'vector':[4],'k':2}}}],'filter':{'terms':{'g':['p','q']}}}}";
    TestFace.Answer answer =
        face.post(
            "/docs/_search",
            json(
                "{'search_pipeline':{'phase_results_processors':[{'normalization-processor':{}}],"
                    + "'response_processors':["
                    + rerank(model("m"), "'title'")
                    + ",{'hybrid_score_explanation':{}}]}"
                    + hybrid
                    + text("abc")
                    + "}"));
    assertThat(ids(answer)).containsExactly("2", "1", "3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'match':{'title':'abc'}}                                              | query.match.title.query
          {'bool':{'should':[{'match_all':{}},{'match':{'title':'abc'}}]}}       | query.bool.should.1.match.title.query
          {'bool':{'should':[{'term':{'o.t':'abc'}},{'match_all':{}}]}}          | query.bool.should.0.term.o.t.value
          """)
  void theTextMayStandInTheQueryItself(String query, String path) throws IOException {
    TestFace.Answer answer =
        search(
            rerank(model("m"), "'title'"),
            ",'query':"
                + query
                + ",'ext':{'rerank':{'query_context':{'query_text_path':'"
                + path
                + "'}}}");
    assertThat(ids(answer)).startsWith("2");
    assertThat(answer.at("/hits/max_score")).isEqualTo("3.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                                                             | send "ext":{"rerank":{"query_context":{"query_text":"…"}}}
          ,'ext':{'rerank':{'query_context':{}}}                         | needs a [query_text] or a [query_text_path]
          ,'ext':{'rerank':{'query_context':{'query_text':' '}}}         | not blank
          ,'ext':{'rerank':{'query_context':{'query_text':'a','query_text_path':'b'}}} | takes one of
          ,'ext':{'rerank':{'query_context':{'text':'a'}}}               | has no [text]
          ,'ext':{'rerank':{'context':{}}}                               | has no [context], only [query_context]
          ,'ext':{'other':{'a':1}}                                       | [ext.other] is not supported
          ,'ext':{'rerank':{'query_context':{'query_text_path':'query.match.x'}}} | leads to nothing
          ,'ext':{'rerank':{'query_context':{'query_text_path':'query.match_all'}}} | which is no text
          ,'_source':false,'ext':{'rerank':{'query_context':{'query_text':'a'}}} | works on the _source
          """)
  void aRequestThatCannotBeRerankedIsToldWhatToSend(String rest, String reason) throws IOException {
    TestFace.Answer answer = search(rerank(model("m"), "'title'"), rest);
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.at("/error/reason")).contains(reason);
  }

  @Test
  void aMissingModelIs400AndABrokenOne503() throws IOException {
    TestFace.Answer missing = search(rerank("none", "'title'"), text("abc"));
    assertThat(missing.status()).isEqualTo(400);
    assertThat(missing.at("/error/reason"))
        .contains("Failed to find model with the provided model id: none");
    TestFace.Answer embedder = search(rerank("all-minilm-l6-v2", "'title'"), text("abc"));
    assertThat(embedder.status()).isEqualTo(400);
    assertThat(embedder.at("/error/reason")).contains("is for [TEXT_EMBEDDING]");
    String id = model("m");
    face.post("/_plugins/_ml/models/" + id + "/_undeploy", "");
    Files.createFile(models.resolve("m").resolve("broken"));
    TestFace.Answer broken = search(rerank(id, "'title'"), text("abc"));
    assertThat(broken.status()).as(broken.body()).isEqualTo(503);
    assertThat(broken.at("/error/reason")).contains("model [" + id + "] failed").contains("broken");
  }

  @Test
  void aProcessorThatMayFailLeavesTheHitsAsTheyWere() {
    String lenient = rerank("none", "'title'").replace("'tag':'r'", "'ignore_failure':true");
    assertThat(ids(search(lenient, ",'sort':[{'n':'asc'}]"))).containsExactly("2", "1", "3", "4");
  }

  @Test
  void aPageTooLargeForTheModelIsRefused() throws IOException {
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 1_001; i++) {
      bulk.append("{\"index\":{\"_id\":\"x").append(i).append("\"}}\n{\"title\":\"a\"}\n");
    }
    assertThat(face.post("/docs/_bulk?refresh=true", bulk.toString()).at("/errors"))
        .isEqualTo("false");
    String all = ",'size':1001" + text("a");
    String model = model("m");
    TestFace.Answer refused = search(rerank(model, "'title'"), all);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/reason")).contains("1000 hits of a page at most");
    String truncated = "{'truncate_hits':{'target_size':7}}," + rerank(model, "'title'");
    assertThat(ids(search(truncated, all))).hasSize(7);
  }

  // -- rerank by a field

  @Test
  void hitsAreOrderedByANumberOfTheirDocuments() {
    TestFace.Answer answer =
        search(
            "{'rerank':{'by_field':{'target_field':'n','remove_target_field':true,"
                + "'keep_previous_score':true}}}",
            ",'query':{'constant_score':{'filter':{'exists':{'field':'g'}},'boost':2}}");
    assertThat(ids(answer)).containsExactly("3", "1", "2");
    assertThat(answer.at("/hits/max_score")).isEqualTo("7.0");
    assertThat(answer.at("/hits/hits/2/_score")).isEqualTo("1.5");
    assertThat(answer.at("/hits/hits/2/_source/n")).isEqualTo("absent");
    assertThat(answer.at("/hits/hits/2/_source/previous_score")).isEqualTo("2.0");
    TestFace.Answer named =
        search(
            "{'rerank':{'by_field':{'target_field':'nested.n','previous_score_field':'was'}}}",
            ",'query':{'ids':{'values':['4']}}");
    assertThat(named.at("/hits/hits/0/_source/was")).isEqualTo("1.0");
    assertThat(named.at("/hits/hits/0/_source/nested/n")).isEqualTo("2");
  }

  @Test
  void aHitWithoutTheNumberIsNamed() {
    TestFace.Answer answer = search("{'rerank':{'by_field':{'target_field':'n'}}}", "");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.at("/error/reason"))
        .contains(
            "[rerank] by field [n] needs a number in each hit, and the document [4] has none");
    TestFace.Answer text = search("{'rerank':{'by_field':{'target_field':'title'}}}", ",'size':1");
    assertThat(text.at("/error/reason")).contains("has [\"ab\"]");
  }

  // -- the others

  @Test
  void fieldsAreRenamedAndTheirArraysSorted() {
    String rest = ",'query':{'ids':{'values':['1','2']}},'sort':['_doc']";
    TestFace.Answer answer =
        search(
            "{'sort':{'field':'tags','target_field':'ordered'}},"
                + "{'sort':{'field':'tags','order':'desc'}},"
                + "{'rename_field':{'field':'title','target_field':'name'}}",
            rest);
    assertThat(answer.at("/hits/hits/0/_source/ordered")).isEqualTo("[\"x\",\"y\"]");
    assertThat(answer.at("/hits/hits/0/_source/tags")).isEqualTo("[\"y\",\"x\"]");
    assertThat(answer.at("/hits/hits/1/_source/ordered")).isEqualTo("[9.5,10]");
    assertThat(answer.at("/hits/hits/0/_source/title")).isEqualTo("absent");
    assertThat(answer.at("/hits/hits/0/_source/name")).isEqualTo("ab");
    TestFace.Answer missing = search("{'rename_field':{'field':'tags','target_field':'name'}}", "");
    assertThat(missing.status()).isEqualTo(400);
    assertThat(missing.at("/error/reason"))
        .contains("[rename_field] found no field [tags] in the document [3]");
  }

  @Test
  void hitsOfOneValueAreCollapsedToTheFirst() {
    assertThat(ids(search("{'collapse':{'field':'g'}}", ",'sort':['_doc']")))
        .containsExactly("1", "2", "4");
  }

  @Test
  void moreHitsAreAskedForAndCutBackAfterwards() {
    String pipeline =
        json(
            "{'request_processors':[{'oversample':{'sample_factor':1.5,'context_prefix':'mine'}}],"
                + "'response_processors':[{'rerank':{'by_field':{'target_field':'n'}}},"
                + "{'truncate_hits':{'context_prefix':'mine'}}]}");
    assertThat(face.put("/_search/pipeline/p", pipeline).status()).isEqualTo(200);
    TestFace.Answer answer =
        face.post("/docs/_search?search_pipeline=p", json("{'size':2,'sort':['_doc']}"));
    assertThat(ids(answer)).containsExactly("3", "1"); // the best two of three
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'response_processors':[{'rerank':{}}]                                         | needs either [ml_opensearch]
          'response_processors':[{'rerank':{'ml_opensearch':{'model_id':'m'}}}]         | needs [context] with [document_fields]
          'response_processors':[{'rerank':{'ml_opensearch':{'model_id':'m'},'context':{'document_fields':'a'}}}] | must be an array
          'response_processors':[{'rerank':{'ml_opensearch':{'model_id':'m'},'by_field':{'target_field':'n'}}}] | needs either
          'response_processors':[{'rerank':{'by_field':{}}}]                            | [by_field.target_field] required property is missing
          'response_processors':[{'rerank':{'by_field':{'field':'n'}}}]                 | has no parameter [field]
          'response_processors':[{'rerank':{'best':1}}]                                 | configuration parameters [best]
          'response_processors':[{'rename_field':{'field':'a'}}]                        | [target_field] required property is missing
          'response_processors':[{'truncate_hits':{'target_size':-1}}]                  | must not be negative
          'response_processors':[{'sort':{'field':'a','order':'up'}}]                   | [order] must be [asc] or [desc]
          'response_processors':[{'collapse':{}}]                                       | [field] required property is missing
          'response_processors':[{'oversample':{'sample_factor':2}}]                    | Invalid processor type oversample
          'request_processors':[{'oversample':{}}]                                      | [sample_factor] required property is missing
          'request_processors':[{'oversample':{'sample_factor':0.5}}]                   | must be 1 or more, got [0.5]
          'request_processors':[{'rerank':{}}]                                          | Invalid processor type rerank
          """)
  void aProcessorThatMeansNothingIsRefusedWhenThePipelineIsMade(String part, String reason) {
    TestFace.Answer answer = face.put("/_search/pipeline/p", json("{" + part + "}"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.at("/error/reason")).contains(reason);
  }
}
