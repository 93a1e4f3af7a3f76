package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.execute.Hit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions give scores to nested documents, which no search sees by themselves. */
final class NestedFunctionsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'script_score':{'query':{'match_all':{}},'script':{'source':'7'}}} | 7",
        "{'script_score':{'query':{'match_all':{}},'script':{'source':'7'},'min_score':5}} | 7",
        "{'function_score':{'query':{'match_all':{}},'weight':7}} | 7",
        "{'function_score':{'query':{'match_all':{}},'field_value_factor':{'field':'c.n'}}} | 2",
      })
  void nestedDocumentsHaveTheScoreOfTheFunction(String inner, float score) {
    NestedIndex index =
        new NestedIndex(json("{'c':{'type':'nested','properties':{'n':{'type':'integer'}}}}"));
    index.put("gone", json("{'c':[{'n':9}]}"));
    index.put("1", json("{'c':[{'n':1},{'n':3}]}"));
    index.refresh();
    index.delete("gone");
    index.refresh();
    String nested = json("{'query':{'nested':{'path':'c','query':" + inner + "}}}");
    assertThat(index.search(nested).hits()).extracting(Hit::id).containsExactly("1");
    assertThat(index.search(nested).hits()).extracting(Hit::score).containsExactly(score);
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
