package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.SpaceType;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.vector.VectorSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a search with hybrid, filters and vectors is refused for: always 400, with a reason that
 * names the clause and says what to do.
 */
final class HybridRefusalsTest {

  private final TestIndex index =
      new TestIndex(
          "i",
          TestIndex.mapping(
              Map.of(
                  "t",
                  FieldType.Keyword.DEFAULT,
                  "v",
                  new FieldType.KnnVector(2, SpaceType.L2, KnnMethod.DEFAULT))),
          1);

  @AfterEach
  void close() {
    index.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {hybrid:{queries:[M],filter:[T]}}       | [filter] | put them into the [filter] of one [bool]
          {hybrid:{queries:[M,T],weights:[1]}}    | [weights] | weights=1 queries=2
          {hybrid:{weights:[0.5,0.25,0.25],queries:[M,T]}} | [weights] | one for each in their order
          {hybrid:{queries:[M,T],weights:[0.5]}}  | [weights] | weights=1 queries=2
          {knn:{v:{vector:[1,2,3],k:1}}}          | Query vector has invalid dimension: 3. Dimension should be: 2 | field [v]
          {knn:{field:'v',vector:[1,2],k:1}}      | [knn] has no field before [field] | {"knn": {"my_field": {"vector"
          {knn:{vector:[1,2],field:'v',k:1}}      | [knn] has no field before [vector] | the name of the field is the key
          {neural:{field:'v',query_text:'a'}}     | [neural] has no field before [field] | {"neural": {"my_field": {"query_text"
          {hybrid:{queries:[M,T],weights:[0.5,0.4]}} | [weights] | must sum to 1.0, sum=0.9
          {hybrid:{queries:[M,T],weights:[1.5,-0.5]}} | [weights] | between 0.0 and 1.0, got [1.5]
          {hybrid:{queries:[M],weights:1}}        | [weights] | must be an array
          {hybrid:{queries:[M],weights:[]}}       | [weights] | must sum to 1.0
          {hybrid:{queries:[M],weights:['x']}}    | [weights] | must be a number
          {hybrid:{queries:[M],filter:'x'}}       | [filter] | must be a query object
          {hybrid:{queries:[M],filter:7}}         | [filter] | must be a query object
          {hybrid:{queries:[M],filter:null}}      | [filter] | must be a query object
          {hybrid:{queries:[M],filter:K}}         | [knn]    | Put it into the queries that it is meant for
          {hybrid:{queries:[M],filter:{function_score:{weight:2,min_score:1}}}} | [function_score] | [min_score] of the search
          {hybrid:{queries:[M],filter:{script_score:{query:M,script:'2',min_score:1}}}} | [script_score] | [min_score] of the search
          {hybrid:{queries:[M],filter:{bool:{should:[K]}}}} | [knn] | Put it into the queries that it is meant for
          {hybrid:{queries:[M],filter:H}}         | [hybrid] | Put it into the queries that it is meant for
          {hybrid:{queries:[H]}}                  | [hybrid] | list its queries in the outer one
          {bool:{must:[H]}}                       | [hybrid] | use [bool] with [should]
          {bool:{filter:[H]}}                     | [hybrid] | use [bool] with [should]
          {dis_max:{queries:[H]}}                 | [hybrid] | use [bool] with [should]
          {constant_score:{filter:H}}             | [hybrid] | use [bool] with [should]
          {function_score:{query:H}}              | [hybrid] | use [bool] with [should]
          {script_score:{query:H,script:'2'}}     | [hybrid] | use [bool] with [should]
          {boosting:{negative:H}}                 | [hybrid] | use [bool] with [should]
          {knn:{v:{vector:[1,2],k:1,filter:H}}}   | [hybrid] | use [bool] with [should]
          {hybrid:{queries:[M,M,M,M,M,M]}}        | [hybrid] | index.weir.hybrid.max_queries
          {knn:{v:{vector:[1,2],k:0}}}            | [knn]    | range [1, 10000], k=0
          {knn:{v:{vector:[1,2],k:10001}}}        | [knn]    | range [1, 10000], k=10001
          {hybrid:{queries:[{knn:{v:{vector:[1,2],k:-1}}}]}} | [knn] | range [1, 10000], k=-1
          {knn:{v:{vector:[1,2],k:1,min_score:0.5}}} | [knn] | exactly one of k, max_distance or min_score
          {knn:{v:{vector:[1,2],max_distance:1,min_score:0.5}}} | [knn] | exactly one of k, max_distance or min_score
          {knn:{v:{vector:[1,2]}}}                | [knn]    | exactly one of k, max_distance or min_score
          {knn:{v:{vector:[1,2],k:1,filter:[T]}}} | [knn]    | it must be one query object
          {knn:{v:{vector:[1,2],k:1,outer_filters:'x'}}} | [outer_filters] | [inside]
          {knn:{v:{vector:[1,2,3],k:1}}}          | invalid dimension: 3 | should be: 2
          {bool:{must:[{knn:{v:{vector:[1],k:1}}},T]}} | invalid dimension: 1 | should be: 2
          {knn:{t:{vector:[1,2],k:1}}}            | [knn]    | needs a field of type [knn_vector]
          """)
  void refuses(String query, String clause, String remedy) {
    SearchException refusal = refusal(new TestSearches(index.open()), query);
    assertThat(refusal.status()).as(query).isEqualTo(400);
    String said = refusal.error() + " " + refusal.rootCauses();
    assertThat(said).contains(clause).contains(remedy);
  }

  @Test
  void anIndexMayAllowMoreQueriesOrFewer() {
    SearchSettings seven =
        new SearchSettings(
            SearchSettings.DEFAULT_MAX_RESULT_WINDOW,
            100,
            null,
            7,
            100,
            VectorSettings.DEFAULT,
            Slicing.DEFAULT);
    TestSearches searches = new TestSearches(index.open(seven));
    assertThat(searches.ids("i", body("{hybrid:{queries:[M,M,M,M,M,M,M]}}"))).isEmpty();
    SearchException refusal = refusal(searches, "{hybrid:{queries:[M,M,M,M,M,M,M,M]}}");
    assertThat(refusal.error().reason()).contains("which is 7 and was 8");
  }

  @Test
  void aQueryThatAnIndexDoesNotAllowIsNotValidThere() {
    TestSearches searches = new TestSearches(index.open());
    var query =
        dev.weir.search.query.QueryParser.DEFAULT.parseBody(
            dev.weir.search.json.StrictJson.parser(body("{hybrid:{queries:[M,M,M,M,M,M]}}")));
    ValidationResponse verdict = searches.searches.validate("i", query, AnswerBudget.unbounded());
    assertThat(verdict.isValid()).isFalse();
    assertThat(List.of(String.valueOf(verdict.explanations().getFirst().error())))
        .allMatch(error -> error.contains("index.weir.hybrid.max_queries"));
  }

  private static SearchException refusal(TestSearches searches, String query) {
    SearchException refusal =
        catchThrowableOfType(SearchException.class, () -> searches.search("i", body(query)));
    assertThat(refusal).as(query).isNotNull();
    return refusal;
  }

  private static String body(String query) {
    return ("{query:" + query + "}")
        .replaceAll("\\bH\\b", "{hybrid:{queries:[M]}}")
        .replaceAll("\\bK\\b", "{knn:{v:{vector:[1,2],k:1}}}")
        .replaceAll("\\bM\\b", "{match_all:{}}")
        .replaceAll("\\bT\\b", "{term:{t:'x'}}")
        .replaceAll("([a-z_]+):", "\"$1\":")
        .replace('\'', '"');
  }
}
