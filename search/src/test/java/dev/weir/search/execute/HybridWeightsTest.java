package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.mapping.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Weights in the query: as if the search pipeline had said them, for this request alone. */
class HybridWeightsTest {
  private static final String QUERIES =
      "'queries':[{'match':{'text':'red'}},{'match':{'text':'green'}},{'match':{'text':'blue'}}]";

  private TestIndex index;
  private TestSearches search;

  @BeforeEach
  void write() {
    Random random = new Random(5);
    index = new TestIndex("i", TestIndex.mapping(Map.of("text", FieldType.Text.DEFAULT)), 2);
    for (int i = 0; i < 50; i++) {
      StringBuilder text = new StringBuilder("x");
      for (String word : List.of("red", "green", "blue")) {
        text.append((" " + word).repeat(random.nextInt(4)));
      }
      index.put(i % 2, "d" + i, Map.of("text", text.toString()));
    }
    search = new TestSearches(index.open());
  }

  @AfterEach
  void close() {
    index.close();
  }

  private List<Hit> hits(String hybrid, String pipeline) {
    String body = "{'query':{'hybrid':{" + hybrid + "}},'size':50,'search_pipeline':" + pipeline;
    return search.search("i", (body + "}").replace('\'', '"')).hits();
  }

  private static String normalization(String technique, String parameters) {
    return "{'phase_results_processors':[{'normalization-processor':{'normalization':{'technique':'"
        + technique
        + "'},'combination':{"
        + parameters
        + "}}}]}";
  }

  private static String ranker(String parameters) {
    return "{'phase_results_processors':[{'score-ranker-processor':{'combination':{'technique':'rrf',"
        + "'rank_constant':20"
        + parameters
        + "}}}]}";
  }

  private void assertSame(List<Hit> one, List<Hit> other) {
    assertThat(summary(one)).isNotEmpty().isEqualTo(summary(other));
  }

  private static List<String> summary(List<Hit> hits) {
    List<String> all = new ArrayList<>();
    hits.forEach(hit -> all.add(hit.id() + " " + hit.score()));
    return all;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0.5,0.3,0.2", "1,0,0", "0,0,1", "0.33,0.33,0.33", "0.701,0.3,0.001"})
  void areThoseOfAPipeline(String weights) {
    String own = QUERIES + ",'weights':[" + weights + "]";
    String said = "'parameters':{'weights':[" + weights + "]}";
    String others = "'parameters':{'weights':[0.2,0.2,0.6]}";
    for (String technique : List.of("min_max", "l2", "z_score")) {
      List<Hit> expected = hits(QUERIES, normalization(technique, said));
      assertSame(hits(own, normalization(technique, "")), expected);
      assertSame(hits(own, normalization(technique, others)), expected);
    }
    String geometric = "'technique':'geometric_mean'";
    assertSame(
        hits(own, normalization("l2", geometric)),
        hits(QUERIES, normalization("l2", geometric + "," + said)));
    assertSame(hits(own, ranker("")), hits(QUERIES, ranker("," + said)));
    assertSame(hits(own, ranker("," + others)), hits(QUERIES, ranker("," + said)));
  }

  @Test
  void standInForAPipelineThatIsForAnotherNumberOfQueries() {
    String two = normalization("min_max", "'parameters':{'weights':[0.5,0.5]}");
    assertThat(hits(QUERIES + ",'weights':[0.2,0.3,0.5]", two)).isNotEmpty();
  }

  @Test
  void areShownWhereTheQueryAndTheScoreAre() {
    String hybrid = "{'hybrid':{" + QUERIES + ",'weights':[0.5,0.25,0.25]}}";
    String body = "{'query':" + hybrid + ",'explain':true,'size':1}";
    Hit best = search.search("i", body.replace('\'', '"')).hits().getFirst();
    var explanation = Objects.requireNonNull(best.explanation());
    assertThat(explanation.getDescription())
        .isEqualTo("arithmetic_mean combination, weights=[0.5, 0.25, 0.25], of:");
    assertThat(explanation.getValue().floatValue()).isEqualTo(best.score());
  }
}
