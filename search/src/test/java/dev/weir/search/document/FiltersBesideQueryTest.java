package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.execute.SearchResponse;
import dev.weir.search.execute.SearchSettings;
import dev.weir.search.execute.SearchableIndex;
import dev.weir.search.execute.TestSearches;
import dev.weir.search.json.StrictJson;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import dev.weir.search.shard.IndexView;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Vector searches that stand beside the query of a search, under the filter of an alias and of a
 * {@code filter_query} processor: they choose among the documents that it lets through.
 */
final class FiltersBesideQueryTest {

  private static final String FILTER = "{'term':{'lang':'de'}}";

  /** Who asks for the filter. */
  enum By {
    ALIAS,
    PROCESSOR
  }

  private final NestedIndex index =
      new NestedIndex(
          """
          {"lang": {"type": "keyword"}, "v": {"type": "knn_vector", "dimension": 1},
           "c": {"type": "nested", "properties": {
             "v": {"type": "knn_vector", "dimension": 1}}}}\
          """);

  FiltersBesideQueryTest() {
    index.put("1", "{\"lang\":\"en\",\"v\":[1],\"c\":[{\"v\":[1]}]}");
    index.put("2", "{\"lang\":\"de\",\"v\":[2],\"c\":[{\"v\":[7]}]}");
    index.put("3", "{\"lang\":\"de\",\"v\":[3],\"c\":[{\"v\":[5]}]}");
    index.refresh();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // K is the nearest document to 0, C the one with the nearest object.
        "K | 2",
        "C | 3",
        "{'bool':{'should':[K,C]}} | 2 3",
        "{'bool':{'must_not':[K]}} | 3",
        "{'nested':{'path':'c','query':{'match_all':{}},'filter':K}} | 2",
        "{'knn':{'v':{'vector':[9],'k':1,'filter':K}}} | 2",
        "{'knn':{'v':{'vector':[0],'k':1,'outer_filters':'after'}}} | ``",
        "{'term':{'lang':'de'}} | 2 3",
      })
  void aPostFilterChoosesAmongTheFilteredDocuments(String postFilter, String found) {
    for (By by : By.values()) {
      JsonNode answer = search(by, "'post_filter':" + postFilter);
      StringBuilder ids = new StringBuilder();
      answer.at("/hits/hits").forEach(hit -> ids.append(' ').append(hit.at("/_id").asString()));
      assertThat(ids.toString().strip()).as("%s %s", by, postFilter).isEqualTo(found);
    }
  }

  @ParameterizedTest
  @EnumSource(By.class)
  void aRescoreChoosesAmongTheFilteredDocuments(By by) {
    JsonNode answer =
        search(
            by,
            "'explain':true,'rescore':[{'query':{'rescore_query':{'match_all':{}}}},"
                + "{'query':{'rescore_query':{'constant_score':{'filter':C,'boost':100}}}}]");
    JsonNode best = answer.at("/hits/hits/0");
    assertThat(best.at("/_id").asString()).isEqualTo("3");
    assertThat(best.at("/_score").floatValue()).isGreaterThan(100);
    assertThat(best.at("/_explanation/details/2/value").floatValue()).isEqualTo(100);
    assertThat(answer.at("/hits/hits/1/_score").floatValue()).isLessThan(100);
  }

  @ParameterizedTest
  @EnumSource(By.class)
  void anAggregationChoosesAmongTheFilteredDocuments(By by) {
    JsonNode found =
        search(
                by,
                "'aggs':{'one':{'filter':K},'many':{'filters':{'filters':{'k':K,'c':C}}},"
                    + "'below':{'terms':{'field':'lang'},'aggs':{'one':{'filter':K}}},"
                    + "'all':{'global':{},'aggs':{'one':{'filter':K,"
                    + "'aggs':{'lang':{'terms':{'field':'lang'}}}}}}}")
            .at("/aggregations");
    assertThat(found.at("/one/doc_count").intValue()).isEqualTo(1);
    assertThat(found.at("/many/buckets/k/doc_count").intValue()).isEqualTo(1);
    assertThat(found.at("/many/buckets/c/doc_count").intValue()).isEqualTo(1);
    assertThat(found.at("/below/buckets/0/key").asString()).isEqualTo("de");
    assertThat(found.at("/below/buckets/0/one/doc_count").intValue()).isEqualTo(1);
    // An alias has no other documents; a filter of the query is nothing to what is of all.
    assertThat(found.at("/all/one/lang/buckets/0/key").asString())
        .isEqualTo(
            switch (by) {
              case ALIAS -> "de";
              case PROCESSOR -> "en";
            });
  }

  private JsonNode search(By by, String more) {
    String body = "{'query':{'match_all':{}}," + more;
    SearchResponse found =
        switch (by) {
          case ALIAS -> answer(parsed(FILTER), body + "}");
          case PROCESSOR ->
              answer(
                  null,
                  body
                      + ",'search_pipeline':{'request_processors':[{'filter_query':{'query':"
                      + FILTER
                      + "}}]}}");
        };
    return JsonMapper.shared().readTree(TestSearches.json(found::write));
  }

  private SearchResponse answer(@Nullable Query ofAlias, String body) {
    IndexView view =
        index.engine.indices.view(index.engine.indices.index(NestedIndex.NAME).orElseThrow());
    String json =
        body.replaceAll("\\bK\\b", "{'knn':{'v':{'vector':[0],'k':1}}}")
            .replaceAll(
                "\\bC\\b", "{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[0],'k':1}}}}}");
    return new TestSearches(new SearchableIndex(view, SearchSettings.DEFAULT, ofAlias))
        .search(NestedIndex.NAME, NestedIndex.json(json));
  }

  private static Query parsed(String query) {
    return QueryParser.DEFAULT.parse(StrictJson.parser(NestedIndex.json(query)));
  }
}
