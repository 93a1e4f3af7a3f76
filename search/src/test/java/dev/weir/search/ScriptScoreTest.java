package dev.weir.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.error.SearchException;
import dev.weir.search.execute.Hit;
import dev.weir.search.execute.TestSearches;
import dev.weir.search.json.StrictJson;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import dev.weir.search.query.QueryWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonParser;

/** Exact search by {@code script_score}: every space on every kind of field, by hand. */
final class ScriptScoreTest {

  private @TempDir Path directory;
  private RunningEngine engine;

  @BeforeEach
  void start() {
    engine = RunningEngine.on(directory);
    engine.create(
        "v",
        "{'mappings':{'properties':{'n':{'type':'integer'},'text':{'type':'text'},"
            + "'f':{'type':'knn_vector','dimension':3,'compression_level':'32x'},"
            + "'c':{'type':'knn_vector','dimension':3,'space_type':'cosinesimil'},"
            + "'y':{'type':'knn_vector','dimension':3,'data_type':'byte'},"
            + "'b':{'type':'knn_vector','dimension':24,'data_type':'binary'}}}}");
    engine.put("v", "1", "{'n':5,'text':'one','f':[4,-3,1],'c':[4,-3,1],'y':[4,-3,1],'b':[5,0,0]}");
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "f|l2|[1,1,1]|0.0384615", // 9 + 16
        "f|l1|[1,1,1]|0.125",
        "f|linf|[1,1,1]|0.2",
        "f|cosinesimil|[8,-6,2]|1",
        "f|innerproduct|[1,1,1]|3",
        "f|innerproduct|[-1,-1,-1]|0.333333",
        "c|l2|[1,1,1]|0.0384615",
        "c|cosinesimil|[8,-6,2]|1",
        "y|l2|[1,1,1]|0.0384615",
        "y|l1|[1,1,1]|0.125",
        "y|linf|[1,1,1]|0.2",
        "y|cosinesimil|[8,-6,2]|1",
        "y|innerproduct|[1,1,1]|3",
        "b|hamming|[6,0,0]|0.333333",
        "b|hammingbit|[6,0,0]|0.333333",
      })
  void knnScoreIsThatOfTheSpaceAsked(String field, String space, String vector, double score) {
    assertThat(score(nearness(field, space, vector))).isCloseTo(score, within(1e-5));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "1.0 + cosineSimilarity(params.q, doc['f'])|[8,-6,2]|2",
        "cosineSimilarity(params.q, doc['f']) + 1.0|[-8,6,-2]|0",
        "1 / (1 + l2Squared(params.q, doc['f']))|[1,1,1]|0.0384615",
        "1 / (1 + l1Norm(params.q, doc['y']))|[1,1,1]|0.125",
        "1 / (1 + lInfNorm(params.q, doc['y']))|[1,1,1]|0.2",
        "innerProduct(params.q, doc['c'])|[1,1,1]|2",
        "1.0 / (1 + hamming(params.q, doc['b']))|[6,0,0]|0.333333",
        "_score * doc['n'].value + innerProduct(params.q, doc['f'])|[1,1,1]|7",
      })
  void formulasOfVectorsAreComputed(String source, String vector, double score) {
    assertThat(score(formula(source, vector, "{'match_all':{}}"))).isCloseTo(score, within(1e-5));
  }

  @Test
  void theQueryChoosesAndTheScriptOrders() {
    engine.put("v", "2", "{'n':6,'text':'two','f':[1,1,1]}");
    engine.put("v", "3", "{'n':7,'text':'two','f':[1,1,2]}");
    String near = "1 / (1 + l2Squared(params.q, doc['f']))";
    assertThat(ids(formula(near, "[1,1,2]", "{'match':{'text':'two'}}"))).containsExactly("3", "2");
    assertThat(ids(formula(near, "[1,1,2]", "{'match_all':{}}"))).containsExactly("3", "2", "1");
    assertThat(
            ids(
                formula(near, "[1,1,2]", "{'match_all':{}}")
                    .replace("'script':", "'min_score':0.9,'script':")))
        .containsExactly("3");
  }

  @Test
  void aDocumentWithoutTheVectorScoresZeroOrWhatTheFormulaSays() {
    engine.put("v", "2", "{'n':6}");
    assertThat(ids(nearness("f", "l2", "[4,-3,1]"))).containsExactly("1", "2");
    assertThat(engine.search("v", nearness("f", "l2", "[4,-3,1]")).getLast().score()).isZero();
    String guarded = "doc['f'].size() == 0 ? 9 : innerProduct(params.q, doc['f'])";
    assertThat(ids(formula(guarded, "[1,1,1]", "{'match_all':{}}"))).containsExactly("2", "1");
    refused(formula("innerProduct(params.q, doc['f'])", "[1,1,1]", "{'match_all':{}}"), "size()");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "innerProduct(params.q, doc['f']) - 100|[1,1,1]|invalid score",
        "1 / (l2Squared(params.q, doc['f']))|[4,-3,1]|invalid score",
        "l2Squared(params.q, doc['f'])|[1,1]|dimension",
        "l2Squared(params.q, doc['n'])|[1,1,1]|knn_vector",
        "l2Squared(params.q, doc['none'])|[1,1,1]|unmapped",
        "l2Squared(params.q, doc['b'])|[1,1,1]|hamming",
        "hamming(params.q, doc['f'])|[1,1,1]|hamming",
        "l2Squared(params.q, doc['y'])|[1.5,1,1]|-128 to 127",
        "doc['text'].value|[1]|doc values",
        "Math.exp(1)|[1]|supported are",
      })
  void whatCannotBeComputedIsRefusedWithTheReason(String source, String vector, String reason) {
    refused(formula(source, vector, "{'match_all':{}}"), reason);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'lang':'knn','source':'knn_distance'|knn_score",
        "'lang':'knn','source':'knn_score'|query_value",
        "'lang':'knn','source':'knn_score','params':{'query_value':[1,1,1],'field':'f'}|space_type",
        "'lang':'knn','source':'knn_score','params':{'query_value':[1,1,1],'field':'f',"
            + "'space_type':'l9'}|l9",
        "'lang':'mustache','source':'1'|mustache",
        "'source':'1 + params.q','params':{'q':['a']}|array of numbers",
      })
  void scriptsThatAreNoneAreRefused(String script, String reason) {
    refused("{'script_score':{'query':{'match_all':{}},'script':{" + script + "}}}", reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'script_score':{'query':{'match_all':{}},'script':{'source':"
            + "'1.0 + cosineSimilarity(params.q, doc[\"f\"])','params':{'q':[1,2.5],'w':3}}}}",
        "{'script_score':{'query':{'match_all':{}},'script':{'lang':'knn','source':'knn_score',"
            + "'params':{'field':'f','query_value':[1,2],'space_type':'l1'}}}}",
      })
  void aScriptIsWrittenAsItWasRead(String text) {
    Query query = parse(text.replace("\"", "\\\"").replace('\'', '"'));
    assertThat(parse(TestSearches.json(out -> QueryWriter.write(query, out)))).isEqualTo(query);
  }

  private static Query parse(String json) {
    try (JsonParser in = StrictJson.parser(json)) {
      return QueryParser.DEFAULT.parse(in);
    }
  }

  private void refused(String query, String reason) {
    assertThatThrownBy(() -> engine.search("v", query))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> {
              assertThat(TestSearches.json(e::write)).contains(reason);
              assertThat(e.status()).isEqualTo(400);
            });
  }

  private double score(String query) {
    return Objects.requireNonNull(engine.search("v", query).getFirst().score());
  }

  private List<String> ids(String query) {
    return engine.search("v", query).stream().map(Hit::id).toList();
  }

  private static String nearness(String field, String space, String vector) {
    return "{'script_score':{'query':{'match_all':{}},'script':{'lang':'knn','source':'knn_score',"
        + "'params':{'field':'%s','query_value':%s,'space_type':'%s'}}}}"
            .formatted(field, vector, space);
  }

  /** The names in a formula are quoted twice, so that quotes within quotes stay apart. */
  private static String formula(String source, String vector, String query) {
    return "{'script_score':{'query':%s,'script':{'source':'%s','params':{'q':%s}}}}"
        .formatted(query, source.replace("'", "\\'"), vector);
  }
}
