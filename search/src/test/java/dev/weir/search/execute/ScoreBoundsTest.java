package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.NumericKind;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What multiplies scores beyond what a 32-bit number holds is refused, and never shown. */
final class ScoreBoundsTest {

  private final TestIndex index =
      new TestIndex(
          "i",
          TestIndex.mapping(
              Map.of("t", FieldType.Text.DEFAULT, "n", FieldType.Numeric.of(NumericKind.DOUBLE))),
          1);

  {
    index.put(0, "a", Map.of("t", "red green", "n", 1e300), "{}");
    index.put(0, "b", Map.of("t", "red", "n", 0.0), "{}");
    index.put(0, "c", Map.of("t", "green", "n", 2.0), "{}");
  }

  @AfterEach
  void close() {
    index.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'query':{'match':{'t':{'query':'red','boost':1e39}}} # [boost]",
        "'query':{'boosting':{'positive':{'match_all':{}},'negative':{'match_all':{}},'negative_boost':1e39}}"
            + " # [negative_boost]",
        "'query':{'function_score':{'weight':1e39}} # [weight]",
        "'query':{'function_score':{'weight':1,'max_boost':1e39}} # [max_boost]",
        "'query':{'function_score':{'field_value_factor':{'field':'n','factor':1e39}}} # [factor]",
        "'query':{'match_all':{}},'min_score':1e39 # [min_score]",
        "'query':{'match_all':{}},'rescore':{'query':{'rescore_query':{'match_all':{}},'query_weight':1e39}}"
            + " # [query_weight]",
        "'query':{'match_all':{}},'indices_boost':[{'i':1e39}] # must fit a 32-bit number",
        "'query':{'query_string':{'query':'t:red^1000000000000000000000000000000000000000'}} #"
            + " finite"
      })
  void whatFitsNoNumberIsRefusedWhereItIsRead(String asked) {
    refused(asked);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'query':{'bool':{'boost':1e30,'must':{'match':{'t':{'query':'red','boost':1e30}}}}} #"
            + " [boost] of 1.0E30 makes",
        "'query':{'bool':{'boost':1e-30,'must':{'constant_score':{'boost':1e30,'filter':{'bool':{'boost':1e30,'must':{'match_all':{}}}}}}}}"
            + " # [boost]",
        "'query':{'bool':{'boost':0,'must':{'bool':{'boost':1e30,'must':{'term':{'t':{'value':'red','boost':1e30}}}}}}}"
            + " # [boost]",
        "'query':{'bool':{'filter':{'bool':{'boost':1e30,'must':{'term':{'t':{'value':'red','boost':1e30}}}}}}}"
            + " # [boost]",
        "'query':{'multi_match':{'query':'red','fields':['t^1e30'],'boost':1e30}} # [fields] of"
            + " 1.0E30 makes",
        "'query':{'match_all':{'boost':1e30}},'indices_boost':[{'i':1e30}] # [boost] of 1.0E30"
            + " makes",
        "'query':{'match_all':{}},'indices_boost':[{'i':3e38}] # [indices_boost]",
        "'query':{'function_score':{'boost':1e30,'weight':1e30}} # lower the boosts",
        "'query':{'function_score':{'functions':[{'weight':3e38},{'weight':3e38}],'score_mode':'sum','boost_mode':'sum','query':{'constant_score':{'boost':9e35,'filter':{'match_all':{}}}}}}"
            + " # invalid score",
        "'query':{'function_score':{'functions':[{'weight':3e38},{'weight':3e38}],'score_mode':'multiply','query':{'constant_score':{'boost':2,'filter':{'match_all':{}}}}}}"
            + " # invalid score",
        "'query':{'script_score':{'query':{'match_all':{}},'script':{'source':'1e300 * 1e300'}}} #"
            + " invalid",
        "'query':{'match_all':{}},'rescore':{'query':{'rescore_query':{'match_all':{'boost':1e30}},'rescore_query_weight':1e30}}"
            + " # [rescore]",
        "'query':{'match_all':{'boost':1e30}},'rescore':{'query':{'rescore_query':{'match_all':{'boost':1e30}},'score_mode':'multiply'}}"
            + " # [rescore]",
        "'query':{'match_all':{'boost':1e30}},'rescore':{'query':{'rescore_query':{'match_none':{}},'query_weight':1e30}}"
            + " # [rescore]",
        "'query':{'hybrid':{'queries':[{'match_all':{}},{'function_score':{'boost':1e30,'weight':1e30}}]}}"
            + " # lower the boosts",
        "'query':{'function_score':{'boost':1e30,'weight':1e30}},'sort':'n','track_scores':true #"
            + " lower the boosts",
        "'query':{'function_score':{'boost':1e30,'weight':1e30}},'sort':['_score','n'] # lower the"
            + " boosts",
        "'query':{'function_score':{'boost':1e30,'weight':1e30}},'size':0,'aggs':{'a':{'top_hits':{}}}"
            + " # lower the boosts",
        "'query':{'function_score':{'boost':1e30,'weight':1e30}},'collapse':{'field':'n'} # lower"
            + " the boosts"
      })
  void whatOverflowsOnlyTogetherIsRefusedAsWell(String asked) {
    refused(asked);
  }

  private void refused(String asked) {
    String[] parts = asked.split(" # ", 2);
    TestSearches search = new TestSearches(index.open());
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class,
            () -> search.search("i", "{" + parts[0].replace('\'', '"') + "}"));
    assertThat(refusal).as(parts[0]).isNotNull();
    String shown = TestSearches.json(refusal::write);
    assertThat(refusal.status()).as(shown).isEqualTo(400);
    assertThat(shown).contains(parts[1]);
  }

  @Test
  void theFactorOfFunctionsIsCutToTheLargestNumber() {
    assertThat(
            scores(
                """
                {"query": {"function_score": {"boost_mode": "replace",
                  "field_value_factor": {"field": "n", "modifier": "reciprocal"}}}}\
                """))
        .isEqualTo(Map.of("a", 0f, "b", Float.MAX_VALUE, "c", 0.5f));
    assertThat(
            scores(
                """
                {"query": {"script_score": {"query": {"term": {"n": 2}},
                  "script": {"source": "_score * 1e300"}}}}\
                """))
        .isEqualTo(Map.of("c", Float.MAX_VALUE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'query':{'match_all':{}},'indices_boost':[{'i':-0.0}]",
        "'query':{'match':{'t':{'query':'red green','boost':-0.0}}}",
        "'query':{'multi_match':{'query':'red green','fields':['t^-0.0','u']}}",
        "'query':{'boosting':{'positive':{'match_all':{}},'negative':{'match_all':{}},"
            + "'negative_boost':-0.0}}",
        "'query':{'function_score':{'weight':-0.0}}",
        "'query':{'function_score':{'functions':[{'weight':-0.0}],'score_mode':'sum'}}"
      })
  void aZeroWithASignIsZero(String asked) {
    assertThat(scores("{" + asked.replace('\'', '"') + "}")).hasSize(3).doesNotContainValue(1f);
    assertThat(scores("{" + asked.replace('\'', '"') + "}").values())
        .allSatisfy(score -> assertThat(score).isZero());
  }

  private Map<String, Float> scores(String body) {
    Map<String, Float> scores = new TreeMap<>();
    new TestSearches(index.open())
        .search("i", body)
        .hits()
        .forEach(hit -> scores.put(hit.id(), hit.score()));
    return scores;
  }
}
