package dev.weir.search.execute;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.NumericKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What collapsing promises beside the ranking, and what it refuses. */
class CollapseTest {
  private TestIndex index;
  private TestSearches search;

  @BeforeEach
  void write() {
    index =
        new TestIndex(
            "i",
            TestIndex.mapping(
                Map.of(
                    "text",
                    FieldType.Text.DEFAULT,
                    "shop",
                    FieldType.Keyword.DEFAULT,
                    "tags",
                    FieldType.Keyword.DEFAULT,
                    "flag",
                    FieldType.Bool.DEFAULT,
                    "n",
                    FieldType.Numeric.of(NumericKind.LONG))),
            2);
    put(0, "1", "a", "red red", 4);
    put(1, "2", "a", "red", 3);
    put(0, "3", "b", "red blue green", 2);
    put(1, "4", "b", "blue", 1);
    index.put(1, "5", Map.of("text", "red", "n", 5, "tags", List.of("x", "y")), "{\"n\":5}");
    index.put(0, "6", Map.of("text", "green red", "n", 6), "{\"n\":6}");
    search = new TestSearches(index.open());
  }

  private void put(int shard, String id, String shop, String text, int n) {
    index.put(
        shard,
        id,
        Map.of("text", text, "shop", shop, "n", n, "flag", n > 2, "tags", List.of(shop, text)));
  }

  @AfterEach
  void close() {
    index.close();
  }

  private String answer(String body) {
    return TestSearches.json(search.search("i", body.replace('\'', '"'))::write);
  }

  @Test
  void aHitTellsTheValueOfItsGroup() {
    assertThat(answer("{'sort':'n','collapse':{'field':'shop'},'_source':false}"))
        .contains(
            ("'total':{'value':6,'relation':'eq'},'max_score':null,'hits':["
                    + "{'_index':'i','_id':'4','_score':null,'fields':{'shop':['b']},'sort':[1]},"
                    + "{'_index':'i','_id':'2','_score':null,'fields':{'shop':['a']},'sort':[3]},"
                    + "{'_index':'i','_id':'5','_score':null,'sort':[5]}]")
                .replace('\'', '"'));
  }

  @Test
  void aggregationsSeeWhatIsNotShown() {
    assertThat(
            answer(
                "{'collapse':{'field':'shop'},'size':1,"
                    + "'aggs':{'n':{'sum':{'field':'n'}},'of':{'terms':{'field':'shop'}}}}"))
        .contains("\"n\":{\"value\":21.0}")
        .contains("{\"key\":\"a\",\"doc_count\":2},{\"key\":\"b\",\"doc_count\":2}");
  }

  @Test
  void innerHitsShowWhatASearchWouldShow() {
    String answer =
        answer(
            "{'query':{'match':{'text':{'query':'red','_name':'r'}}},'sort':'n',"
                + "'collapse':{'field':'shop','max_concurrent_group_searches':4,'inner_hits':{"
                + "'name':'more','size':1,'from':1,'sort':[{'n':'desc'}],'_source':['n'],"
                + "'version':true,'seq_no_primary_term':true,'track_scores':true,'explain':true,"
                + "'highlight':{'fields':{'text':{}}}}},'size':2}");
    assertThat(answer)
        .contains(
            ("'inner_hits':{'more':{'hits':{'total':{'value':2,'relation':'eq'},'max_score':null,"
                    + "'hits':[{'_index':'i','_id':'2','_version':3,'_seq_no':1,'_primary_term':1,"
                    + "'_score':")
                .replace('\'', '"'))
        .contains("\"highlight\":{\"text\":[\"<em>red</em>\"]},\"sort\":[3]")
        .contains("\"matched_queries\":[\"r\"]")
        .contains("\"_explanation\"");
  }

  @Test
  void groupsOfAHybridCarrySummedScores() {
    String hybrid =
        "{'query':{'hybrid':{'queries':[{'constant_score':{'filter':{'match':{'text':'red'}},"
            + "'boost':2}},{'constant_score':{'filter':{'match':{'text':'green'}},'boost':3}}]}},"
            + "'collapse':{'field':'shop','inner_hits':{'name':'all'}}}";
    SearchResponse found = search.search("i", hybrid.replace('\'', '"'));
    assertThat(found.hits()).extracting(Hit::id).containsExactly("3", "6", "1");
    assertThat(found.hits().getFirst().score()).isEqualTo(1f);
    assertThat(requireNonNull(found.hits().get(1).nesting().innerHits().get("all")).hits())
        .extracting(Hit::id, Hit::score)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple("6", 5f),
            org.assertj.core.api.Assertions.tuple("5", 2f));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{} ~ must have a [field]",
        "{'field':'shop','fields':1} ~ unknown field [fields]",
        "{'field':'shop','max_concurrent_group_searches':0} ~ max_concurrent_group_searches",
        "{'field':'shop','inner_hits':[{},{}]} ~ already contains an entry for key [shop]",
        "{'field':'shop','inner_hits':{'size':-1}} ~ illegal [size]",
        "{'field':'shop','inner_hits':{'sort':{'n':'up'}}} ~ [asc] or [desc]",
        "{'field':'shop','inner_hits':{'collapse':{'field':'n'}}} ~ [collapse] is not supported",
        "{'field':'shop','inner_hits':{'size':200}} ~ index.max_inner_result_window",
        "{'field':'nope'} ~ no mapping found for `nope` in order to collapse on",
        "{'field':'text'} ~ only keywords and numbers are accepted, type=text",
        "{'field':'flag'} ~ only keywords and numbers are accepted, type=boolean",
        "{'field':'tags'} ~ must be single valued, field=tags values=2",
      })
  void whatCannotBeCollapsedByIsRefused(String collapse, String reason) {
    refused("'collapse':" + collapse, reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "'rescore':{'query':{'rescore_query':{'match_all':{}}}} ~ in conjunction with `rescore`",
        "'sort':'n','search_after':[1] ~ unless the search is sorted on the same field",
        "'sort':['shop','n'],'search_after':['a',1] ~ Multiple sort fields are not allowed",
      })
  void whatDoesNotGoTogetherIsRefused(String options, String reason) {
    refused("'collapse':{'field':'shop'}," + options, reason);
  }

  private void refused(String members, String reason) {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class,
            () -> search.search("i", ("{" + members + "}").replace('\'', '"')));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(TestSearches.json(refusal::write)).contains(reason);
  }
}
