package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.StrictJson;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** The trees that queries written as text mean. */
final class QueryStringTest {

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      textBlock =
          """
          red                    => {match:{t:{query:red}}}
          red green              => {bool:{should:[{match:{t:{query:red}}},{match:{t:{query:green}}}]}}
          red AND green          => {bool:{must:[{match:{t:{query:red}}},{match:{t:{query:green}}}]}}
          red && green           => {bool:{must:[{match:{t:{query:red}}},{match:{t:{query:green}}}]}}
          red OR green           => {bool:{should:[{match:{t:{query:red}}},{match:{t:{query:green}}}]}}
          red AND green OR blue  => {bool:{must:[{match:{t:{query:red}}},{match:{t:{query:green}}}],should:[{match:{t:{query:blue}}}]}}
          red NOT green          => {bool:{should:[{match:{t:{query:red}}}],must_not:[{match:{t:{query:green}}}]}}
          +red -green blue       => {bool:{must:[{match:{t:{query:red}}}],must_not:[{match:{t:{query:green}}}],should:[{match:{t:{query:blue}}}]}}
          -red                   => {bool:{must_not:[{match:{t:{query:red}}}]}}
          ORDER                  => {match:{t:{query:ORDER}}}
          "red green"            => {match_phrase:{t:{query:'red green'}}}
          "red green"~2          => {match_phrase:{t:{query:'red green',slop:2}}}
          re*                    => {prefix:{t:{value:re,case_insensitive:true}}}
          r?d*                   => {wildcard:{t:{value:'r?d*',case_insensitive:true}}}
          rde~                   => {match:{t:{query:rde,fuzziness:'AUTO:3,6'}}}
          rde~1                  => {match:{t:{query:rde,fuzziness:1}}}
          u:red                  => {match:{u:{query:red}}}
          u:(red green)          => {bool:{should:[{match:{u:{query:red}}},{match:{u:{query:green}}}]}}
          u:(red AND v:x)        => {bool:{must:[{match:{u:{query:red}}},{match:{v:{query:x}}}]}}
          (red OR green) AND u:x => {bool:{must:[{bool:{should:[{match:{t:{query:red}}},{match:{t:{query:green}}}]}},{match:{u:{query:x}}}]}}
          n:[1 TO 5]             => {range:{n:{gte:'1',lte:'5'}}}
          n:{1 TO 5]             => {range:{n:{gt:'1',lte:'5'}}}
          n:[* TO 5}             => {range:{n:{lt:'5'}}}
          n:>=5                  => {range:{n:{gte:'5'}}}
          n:<5                   => {range:{n:{lt:'5'}}}
          d:["2024-01-01" TO *]  => {range:{d:{gte:'2024-01-01'}}}
          _exists_:u             => {exists:{field:u}}
          u:*                    => {exists:{field:u}}
          *:*                    => {match_all:{}}
          red^3                  => {bool:{must:[{match:{t:{query:red}}}],boost:3}}
          a\\:b                   => {match:{t:{query:'a:b'}}}
          """)
  void textMeansTree(String text, String tree) {
    assertThat(parse("query_string", text, "'default_field':'t'")).isEqualTo(query(tree));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      textBlock =
          """
          red                    => {match:{t:{query:red}}}
          red green              => {bool:{should:[{match:{t:{query:red}}},{match:{t:{query:green}}}]}}
          red + green            => {bool:{must:[{match:{t:{query:red}}},{match:{t:{query:green}}}]}}
          red | green            => {bool:{should:[{match:{t:{query:red}}},{match:{t:{query:green}}}]}}
          red + -green           => {bool:{must:[{match:{t:{query:red}}},{bool:{must_not:[{match:{t:{query:green}}}]}}]}}
          (red | green) + blue   => {bool:{must:[{bool:{should:[{match:{t:{query:red}}},{match:{t:{query:green}}}]}},{match:{t:{query:blue}}}]}}
          "red green"            => {match_phrase:{t:{query:'red green'}}}
          "red green"~3          => {match_phrase:{t:{query:'red green',slop:3}}}
          re*                    => {prefix:{t:{value:re,case_insensitive:true}}}
          rde~1                  => {match:{t:{query:rde,fuzziness:1}}}
          rde~9                  => {match:{t:{query:rde,fuzziness:2}}}
          "red                   => {match:{t:{query:red}}}
          red)) (                => {match:{t:{query:red}}}
          +-|                    => {match_none:{}}
          """)
  void simpleTextMeansTree(String text, String tree) {
    assertThat(parse("simple_query_string", text, "'fields':['t']")).isEqualTo(query(tree));
  }

  @Test
  void severalFieldsOrNoneAreLookedThroughTogether() {
    assertThat(parse("query_string", "red", "'fields':['t^2','u']"))
        .isEqualTo(query("{multi_match:{query:red,fields:['t^2','u']}}"));
    assertThat(parse("query_string", "re*", "'fields':['t','u'],'tie_breaker':0.5"))
        .isEqualTo(
            query(
                "{dis_max:{queries:[{prefix:{t:{value:re,case_insensitive:true}}},"
                    + "{prefix:{u:{value:re,case_insensitive:true}}}],tie_breaker:0.5}}"));
    assertThat(parse("query_string", "red", "'default_field':'*'"))
        .isEqualTo(query("{multi_match:{query:red,lenient:true}}"));
    assertThat(parse("simple_query_string", "\"red green\"", "'boost':2,'_name':'n'"))
        .isEqualTo(
            query(
                "{bool:{must:[{multi_match:{query:'red green',type:phrase,lenient:true}}],"
                    + "boost:2,_name:n}}"));
  }

  @Test
  void theDefaultOperatorAndTheMinimumHold() {
    assertThat(parse("query_string", "a b OR c", "'default_field':'t','default_operator':'AND'"))
        .isEqualTo(
            query(
                "{bool:{must:[{match:{t:{query:a,operator:and}}}],"
                    + "should:[{match:{t:{query:b,operator:and}}},"
                    + "{match:{t:{query:c,operator:and}}}]}}"));
    assertThat(parse("query_string", "a b c", "'default_field':'t','minimum_should_match':2"))
        .isEqualTo(
            query(
                "{bool:{should:[{match:{t:{query:a}}},{match:{t:{query:b}}},"
                    + "{match:{t:{query:c}}}],minimum_should_match:'2'}}"));
  }

  @Test
  void vectorSearchesBesideItTakeItForAFilter() {
    Query query =
        read(
            "{'bool':{'must':[{'knn':{'v':{'vector':[1],'k':1}}},"
                + "{'query_string':{'query':'red','default_field':'t'}}]}}");
    VectorSearch.Knn knn = (VectorSearch.Knn) ((Query.Bool) query).must().getFirst();
    assertThat(knn.filter()).isEqualTo(query("{match:{t:{query:red}}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      textBlock =
          """
          (red         => [(] without [)]
          red)         => [)] without [(]
          "red         => a quotation mark is not closed
          n:[1 2]      => a range is written [a TO b]
          n:[1 TO 2    => a range is not closed
          n:           => nothing stands behind [n:]
          red AND      => an operator stands before nothing
          red^x        => a number must stand behind [^]
          /re.*/       => regular expressions are not supported
          rde~3        => fuzziness must be 0, 1, 2 or AUTO, got 3
          """)
  void refusesNamingTheText(String text, String reason) {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class, () -> parse("query_string", text, "'default_field':'t'"));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.error().reason())
        .startsWith("[query_string] Failed to parse query [" + text + "]: ")
        .contains(reason);
  }

  @Test
  void patternsWithoutAFieldSayWhatToDo() {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class, () -> parse("query_string", "re*", "'boost':1"));
    assertThat(refusal.error().reason()).contains("write [field:...]").contains("[fields]");
  }

  @Test
  void anyTextIsReadOrRefusedAndASimpleOneAlwaysRead() {
    Cases.run(
        "any text",
        5_000,
        random -> {
          String text = text(random);
          Query simple = parse("simple_query_string", text, "'fields':['t']");
          assertThat(read(QueryWriter.toJson(simple))).isEqualTo(simple);
          try {
            Query query = parse("query_string", text, "'default_field':'t'");
            assertThat(read(QueryWriter.toJson(query))).isEqualTo(query);
          } catch (SearchException refusal) {
            assertThat(refusal.status()).as(text).isEqualTo(400);
          }
        });
  }

  private static String text(RandomGenerator random) {
    String[] pieces =
        "a b* c? ~ ~1 ^2 ( ) [ ] { } \" : + - ! | & && || AND OR NOT TO * ? \\ / < > = u: 1.5 ."
            .split(" ", -1);
    StringBuilder text = new StringBuilder();
    int count = random.nextInt(10);
    for (int i = 0; i < count; i++) {
      text.append(pieces[random.nextInt(pieces.length)]);
      text.append(random.nextBoolean() ? " " : "");
    }
    return text.toString();
  }

  private static Query parse(String kind, String text, String options) {
    String quoted = JsonMapper.shared().writeValueAsString(text);
    return QueryParser.DEFAULT.parse(
        StrictJson.parser(
            "{\"" + kind + "\":{\"query\":" + quoted + "," + options.replace('\'', '"') + "}}"));
  }

  private static Query read(String json) {
    return QueryParser.DEFAULT.parse(StrictJson.parser(json.replace('\'', '"')));
  }

  /** A tree in JSON without quotation marks around plain words. */
  private static Query query(String shorthand) {
    String json = shorthand.replaceAll("'[^']*'|\\b(?!true\\b)[A-Za-z_][A-Za-z_0-9]*", "\"$0\"");
    return read(json.replace("\"'", "\"").replace("'\"", "\""));
  }
}
