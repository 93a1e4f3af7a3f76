package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.SpaceType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HighlightTest {
  private static final String TEXT =
      "A red shoe for the trail. It is light. Nothing is said here of colours at all. The red shoe"
          + " comes in blue & white.";

  private final TestIndex index =
      new TestIndex(
          "i",
          TestIndex.mapping(
              Map.of(
                  "title",
                  FieldType.Text.DEFAULT,
                  "body",
                  FieldType.Text.DEFAULT,
                  "tag",
                  FieldType.Keyword.DEFAULT,
                  "v",
                  new FieldType.KnnVector(1, SpaceType.L2, KnnMethod.DEFAULT))),
          1);
  private TestSearches search = new TestSearches();

  @BeforeEach
  void write() {
    index.put(
        0,
        "1",
        Map.of("title", "Red shoe", "body", TEXT, "tag", "red", "v", new float[] {1}),
        "{\"title\":\"Red shoe\",\"body\":[\"" + TEXT + "\",\"No match.\"],\"tag\":\"red\"}");
    search = new TestSearches(index.open());
  }

  @AfterEach
  void close() {
    index.close();
  }

  private Map<String, List<String>> highlight(String query, String highlight) {
    String body =
        ("{'query':" + query + ",'_source':false,'highlight':" + highlight + "}")
            .replace('\'', '"');
    return search.search("i", body).hits().getFirst().highlight();
  }

  @Test
  void theTermsOfEverySubQueryAreShown() {
    String hybrid =
        "{'hybrid':{'queries':[{'match':{'title':'shoe'}},{'match':{'title':{'query':'red','_name':'n'}}},"
            + "{'knn':{'v':{'vector':[1],'k':1}}}],'filter':{'term':{'tag':'red'}}}}";
    assertThat(highlight(hybrid, "{'fields':{'title':{},'tag':{},'body':{}}}"))
        .isEqualTo(
            Map.of("title", List.of("<em>Red</em> <em>shoe</em>"), "tag", List.of("<em>red</em>")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"unified", "plain"})
  void fragmentsAreAsManyAndAsLongAsAskedFor(String type) {
    String whole = "{'type':'" + type + "','number_of_fragments':0,'fields':{'body':{}}}";
    assertThat(highlight("{'match':{'body':'red'}}", whole).get("body"))
        .containsExactly(TEXT.replace("red", "<em>red</em>"));
    String two =
        "{'type':'"
            + type
            + "','fragment_size':30,'pre_tags':['[['],'post_tags':[']]'],'fields':{'body':{}}}";
    assertThat(highlight("{'match':{'body':'red'}}", two).get("body"))
        .hasSize(2)
        .allMatch(fragment -> fragment.contains("[[red]]") && fragment.length() < 70);
    String one = two.replace("'fragment_size'", "'number_of_fragments':1,'fragment_size'");
    assertThat(highlight("{'match':{'body':'red'}}", one).get("body")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"unified", "plain"})
  void aPhraseIsShownOnlyWhereItStands(String type) {
    assertThat(
            highlight(
                "{'match_phrase':{'body':'red shoe comes'}}",
                "{'type':'" + type + "','fields':{'body':{'number_of_fragments':0}}}"))
        .isEqualTo(
            Map.of(
                "body",
                List.of(
                    TEXT.replace("red shoe comes", "<em>red</em> <em>shoe</em> <em>comes</em>"))));
  }

  @Test
  void optionsOfAFieldComeBeforeThoseOfAll() {
    assertThat(
            highlight(
                "{'match':{'title':'red'}}",
                "{'pre_tags':'<a>','require_field_match':false,'fields':[{'b*':{'pre_tags':'<b>',"
                    + "'number_of_fragments':0}},{'title':{}}]}"))
        .isEqualTo(
            Map.of(
                "body", List.of(TEXT.replace("red", "<b>red</em>")),
                "title", List.of("<a>Red</em> shoe")));
  }

  @Test
  void anotherQueryMayBeHighlightedAndTheTextMadeSafe() {
    assertThat(
            highlight(
                "{'match':{'title':'red'}}",
                "{'encoder':'html','fields':{'body':{'highlight_query':{'match':{'body':'white'}},"
                    + "'fragment_size':0}}}"))
        .isEqualTo(Map.of("body", List.of("The red shoe comes in blue &amp; <em>white</em>.")));
  }

  @Test
  void theBeginningIsShownWhereNothingMatchesIfAskedFor() {
    assertThat(highlight("{'match':{'title':'red'}}", "{'fields':{'body':{'no_match_size':8}}}"))
        .isEqualTo(Map.of("body", List.of("A red")));
    assertThat(highlight("{'match':{'title':'red'}}", "{'fields':{'body':{}}}")).isEmpty();
  }

  @Test
  void whatMustNotMatchIsNotShown() {
    String query =
        "{'bool':{'must':{'match':{'title':'red'}},'must_not':{'match':{'title':'blue'}},"
            + "'should':{'prefix':{'title':'sho'}}}}";
    assertThat(highlight(query, "{'fields':{'title':{}}}"))
        .isEqualTo(Map.of("title", List.of("<em>Red</em> <em>shoe</em>")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{'type':'fvh','fields':{'body':{}}} ~ term vectors",
        "{'fields':{'body':{'phrase_limit':3}}} ~ phrase_limit",
        "{'fields':{'body':3}} ~ must be an object",
        "{'fragment_size':-1,'fields':{}} ~ cannot be negative",
      })
  void whatIsNotServedIsRefused(String highlight, String reason) {
    SearchException refusal =
        catchThrowableOfType(SearchException.class, () -> highlight("{'match_all':{}}", highlight));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.error().reason()).contains(reason);
  }
}
