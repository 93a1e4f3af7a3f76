package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pattern costs is bounded before it is paid; {@code «xN»} stands for N times x. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PatternBoundsTest {
  private final TestIndex index =
      new TestIndex(
          "i",
          TestIndex.mapping(Map.of("k", FieldType.Keyword.DEFAULT, "t", FieldType.Text.DEFAULT)),
          1);

  {
    index.put(0, "a", Map.of("k", "Apple", "t", "apple pie"));
    index.put(0, "b", Map.of("k", "banana*", "t", "banana split"));
  }

  @AfterEach
  void close() {
    index.close();
  }

  private static String body(String query) {
    StringBuilder body = new StringBuilder("{'query':");
    String[] parts = query.split("[«»]", -1);
    for (String part : parts) {
      if (part.matches(".[0-9]{2,7}")) {
        body.append(part.substring(0, 1).repeat(Integer.parseInt(part.substring(1))));
      } else {
        body.append(part);
      }
    }
    return body.append("}").toString().replace('\'', '"');
  }

  private SearchException refusal(String body) {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class, () -> new TestSearches(index.open()).search("i", body));
    assertThat(refusal).isNotNull();
    assertThat(refusal.status()).isEqualTo(400);
    return refusal;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      value = {
        "{'wildcard':{'k':'«*12000»'}} # a b",
        "{'wildcard':{'k':{'value':'«*12000»','case_insensitive':true}}} # a b",
        "{'wildcard':{'k':{'value':'a«*12000»E','case_insensitive':true}}} # a",
        "{'wildcard':{'k':'b«*5000»n?«*5000»?a«*50»'}} # b",
        "{'wildcard':{'k':'?*?*?*?*?*'}} # a b",
        "{'wildcard':{'k':'?*?*?*?*?*?'}} # b",
        "{'wildcard':{'k':'*\\\\*'}} # b",
        "{'wildcard':{'k':'*\\\\**'}} # b",
        "{'query_string':{'query':'t:a«*12000»e'}} # a",
        "{'simple_query_string':{'query':'appl«*12000»','fields':['t']}} # ",
        "{'multi_match':{'query':'apple','fields':['«*20000»t']}} # a",
      })
  void starsInARowAreOne(String query, String ids) {
    assertThat(new TestSearches(index.open()).ids("i", body(query)))
        .containsExactlyInAnyOrder(ids == null ? new String[0] : ids.split(" "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'wildcard':{'k':'«?1001»'}}",
        "{'wildcard':{'k':{'value':'«x1001»','case_insensitive':true}}}",
        "{'prefix':{'k':'«x1001»'}}",
        "{'prefix':{'k':{'value':'«x30000»','case_insensitive':true}}}",
        "{'term':{'k':{'value':'«x30000»','case_insensitive':true}}}",
        "{'query_string':{'query':'t:«x1001»*'}}",
        "{'query_string':{'query':'t:a?«x1001»*'}}",
        "{'simple_query_string':{'query':'«x1001»*','fields':['t']}}",
      })
  void longerPatternsThanTheBoundAreRefused(String query) {
    assertThat(TestSearches.json(refusal(body(query))::write)).contains("maximum of [1000]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'wildcard':{'k':'«?1000»'}}",
        "{'prefix':{'k':'«x1000»'}}",
        "{'prefix':{'k':{'value':'«x1000»','case_insensitive':true}}}",
        "{'term':{'k':{'value':'«x1000»','case_insensitive':true}}}",
        "{'term':{'k':'«x30000»'}}",
        "{'wildcard':{'k':'*a«?09»'}}",
      })
  void patternsWithinTheBoundsAreAnswered(String query) {
    assertThat(new TestSearches(index.open()).ids("i", body(query))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void aPatternOfTwentyStarsIsAnswered(String ignoresCase) {
    StringBuilder pattern = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      pattern.append('*').append((char) ('a' + i % 26));
    }
    String query =
        "{'wildcard':{'k':{'value':'" + pattern + "','case_insensitive':" + ignoresCase + "}}}";
    assertThat(new TestSearches(index.open()).ids("i", body(query))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'wildcard':{'k':'*a«?50»'}}",
        "{'wildcard':{'k':{'value':'*a«?50»','case_insensitive':true}}}"
      })
  void patternsThatAreTooComplexAreRefused(String query) {
    assertThat(TestSearches.json(refusal(body(query))::write)).contains("too complex");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'«?990»'", "{'value':'*a?????????','case_insensitive':true}"})
  void patternsThatTakeTooMuchTogetherAreRefused(String pattern) {
    String one = body("{'wildcard':{'k':" + pattern + "}}").substring("{\"query\":".length());
    String clause = one.substring(0, one.length() - 1);
    String bool =
        "{\"query\":{\"bool\":{\"should\":[" + (clause + ",").repeat(999) + clause + "]}}}";
    assertThat(TestSearches.json(refusal(bool)::write)).contains("take more than", "together");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "«(1001»",
        "a{1000}{1000}{1000}",
        "((a{100}){100}){100}",
        "«(400»a«)400»{1001}",
        "(a{500}|b{501})",
        "a{2000000000}"
      })
  void regularExpressionsOfTermsAreBounded(String regexp) {
    String expression = body(regexp).replace("{\"query\":", "");
    String aggregation =
        "{'aggs':{'a':{'terms':{'field':'k','include':'"
            + expression.substring(0, expression.length() - 1)
            + "'}}}}";
    assertThat(refusal(aggregation.replace('\'', '"'))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"A[p]{2}le", "«(100»Apple«)100»", ".{0,1000}", "(.*){500}"})
  void regularExpressionsWithinTheBoundsAreAnswered(String regexp) {
    String expression = body(regexp).replace("{\"query\":", "");
    String aggregation =
        "{'size':0,'aggs':{'a':{'terms':{'field':'k','include':'"
            + expression.substring(0, expression.length() - 1)
            + "'}}}}";
    SearchResponse answer =
        new TestSearches(index.open()).search("i", aggregation.replace('\'', '"'));
    assertThat(answer.aggregations().results()).hasSize(1);
  }
}
