package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.aggregation.result.ResultWriter;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.StrictJson;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.query.Query;
import dev.weir.search.request.SearchRequestParser;
import dev.weir.search.vector.VectorSettings;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.search.Explanation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;

/** The answer to a search: page, order, totals, and the shape that clients read. */
class SearchesTest {
  private static final Mapping MAPPING =
      TestIndex.mapping(
          Map.of(
              "name", FieldType.Keyword.DEFAULT,
              "text", FieldType.Text.DEFAULT,
              "n", FieldType.Numeric.of(NumericKind.INTEGER),
              "day", FieldType.DateTime.DEFAULT));

  private final TestIndex index = new TestIndex("i", MAPPING, 3);
  private TestSearches search = new TestSearches();

  @BeforeEach
  void write() {
    put(0, "a", "anna", 3, "2024-01-03");
    put(0, "b", "bert", 1, "2024-01-01");
    index.cut(0);
    put(0, "c", "carl", null, null);
    put(1, "d", "dora", 2, "2024-01-02");
    put(2, "e", null, 5, null);
    search = new TestSearches(index.open());
  }

  private void put(
      int shard, String id, @Nullable String name, @Nullable Integer n, @Nullable String day) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("text", "word");
    if (name != null) {
      fields.put("name", name);
    }
    if (n != null) {
      fields.put("n", n);
    }
    if (day != null) {
      fields.put("day", day);
    }
    index.put(shard, id, fields);
  }

  @AfterEach
  void close() {
    index.close();
  }

  @Test
  void theAnswerHasTheShapeThatClientsRead() {
    SearchResponse response =
        search.search(
            "i",
            "{\"query\":{\"bool\":{\"must\":{\"match_all\":{\"boost\":2,\"_name\":\"q\"}},"
                + "\"filter\":{\"term\":{\"name\":\"dora\"}}}},"
                + "\"version\":true,\"seq_no_primary_term\":true}");
    assertThat(TestSearches.json(response::write))
        .isEqualTo(
            "{\"took\":0,\"timed_out\":false,"
                + "\"_shards\":{\"total\":3,\"successful\":3,\"skipped\":0,\"failed\":0},"
                + "\"hits\":{\"total\":{\"value\":1,\"relation\":\"eq\"},\"max_score\":2.0,"
                + "\"hits\":[{\"_index\":\"i\",\"_id\":\"d\",\"_version\":3,\"_seq_no\":3,"
                + "\"_primary_term\":1,\"_score\":2.0,\"_source\":{\"text\":\"word\","
                + "\"name\":\"dora\",\"n\":2,\"day\":\"2024-01-02\"},"
                + "\"matched_queries\":[\"q\"]}]}}");
    assertThat(
            TestSearches.json(
                out ->
                    response.write(
                        out,
                        new SearchResponse.Form(
                            SearchResponse.TotalForm.NUMBER, ResultWriter.Names.PLAIN))))
        .contains("\"hits\":{\"total\":1,");
  }

  @Test
  void withoutHitsThereIsNoBestScore() {
    SearchResponse response = search.search("i", "{\"query\":{\"match_none\":{}}}");
    assertThat(TestSearches.json(response::write))
        .contains("\"total\":{\"value\":0,\"relation\":\"eq\"},\"max_score\":null,\"hits\":[]");
  }

  @Test
  void equalScoresStandInTheOrderOfShardsAndDocuments() {
    assertThat(search.ids("i", "{}")).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void pagesDivideTheResult() {
    assertThat(search.ids("i", "{\"from\":1,\"size\":2}")).containsExactly("b", "c");
    assertThat(search.ids("i", "{\"from\":4,\"size\":2}")).containsExactly("e");
    assertThat(search.ids("i", "{\"from\":40,\"size\":2}")).isEmpty();
    SearchResponse none = search.search("i", "{\"size\":0}");
    assertThat(none.hits()).isEmpty();
    assertThat(none.total()).isEqualTo(new TotalHits(5, TotalHits.Relation.EQUAL));
    assertThat(none.maxScore()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "true, 5, EQUAL",
    "10000, 5, EQUAL",
    "5, 5, EQUAL",
    "4, 4, AT_LEAST",
    "1, 1, AT_LEAST",
  })
  void totalsAreCountedAsFarAsAskedFor(String upTo, int value, TotalHits.Relation relation) {
    assertThat(
            search
                .search(
                    "i",
                    "{\"query\":{\"match\":{\"text\":\"word\"}},\"size\":1,"
                        + "\"track_total_hits\":"
                        + upTo
                        + "}")
                .total())
        .isEqualTo(new TotalHits(value, relation));
  }

  @Test
  void totalsCanBeLeftOut() {
    SearchResponse response = search.search("i", "{\"track_total_hits\":false}");
    assertThat(TestSearches.json(response::write)).contains("\"hits\":{\"max_score\":1.0,");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "'n' ~ b d a e c",
        "{'n':'desc'} ~ e a d b c",
        "{'n':{'order':'desc','missing':'_first'}} ~ c e a d b",
        "{'n':{'missing':'_first'}} ~ c b d a e",
        "{'n':{'missing':2.0}} ~ refused",
        "{'n':{'missing':4}} ~ b d a c e",
        "'name' ~ a b c d e",
        "{'name':'desc'} ~ d c b a e",
        "{'name':{'order':'desc','missing':'_first'}} ~ e d c b a",
        "[{'day':'desc'},'name'] ~ a d b c e",
        "'_doc' ~ a d e b c",
        "{'_score':'asc'} ~ a b c d e",
        "['_score','n'] ~ b d a e c",
        "{'none':{'unmapped_type':'long'}} ~ a b c d e",
      })
  void sorts(String sort, String ids) {
    String body = "{'sort':%s}".formatted(sort).replace('\'', '"');
    if (ids.equals("refused")) {
      assertThat(catchThrowableOfType(SearchException.class, () -> search.ids("i", body)).status())
          .isEqualTo(400);
      return;
    }
    assertThat(String.join(" ", search.ids("i", body))).isEqualTo(ids);
  }

  @Test
  void sortValuesAreShownAndScoresAreNot() {
    SearchResponse response =
        search.search(
            "i",
            "{\"_source\":false,\"sort\":[{\"day\":{\"order\":\"desc\",\"format\":\"yyyy\"}},"
                + "\"name\",\"n\"]}");
    assertThat(TestSearches.json(response::write))
        .contains(
            "\"max_score\":null",
            "{\"_index\":\"i\",\"_id\":\"a\",\"_score\":null," + "\"sort\":[\"2024\",\"anna\",3]}",
            "\"sort\":[-9223372036854775808,\"carl\",2147483647]",
            "\"sort\":[-9223372036854775808,null,5]");
  }

  @Test
  void scoresCanBeTrackedBesideASort() {
    SearchResponse response =
        search.search("i", "{\"sort\":{\"n\":\"asc\"},\"track_scores\":true}");
    assertThat(response.maxScore()).isEqualTo(1f);
    assertThat(response.hits()).allMatch(hit -> hit.score() != null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "text ~ illegal_argument_exception",
        "none ~ query_shard_exception",
        "_id ~ illegal_argument_exception"
      })
  void whatCanNotBeSortedByIsRefused(String field, String type) {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class, () -> search.ids("i", "{\"sort\":\"" + field + "\"}"));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.rootCauses().getFirst().type().typeName()).isEqualTo(type);
  }

  @Test
  void aWindowBeyondTheBoundIsRefused() {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class, () -> search.ids("i", "{\"from\":9999,\"size\":2}"));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(TestSearches.json(refusal::write))
        .contains("illegal_argument_exception", "10000", "10001", "index.max_result_window");
  }

  @Test
  void aMinimumScoreCountsToo() {
    String query =
        "\"query\":{\"bool\":{\"should\":[{\"match_all\":{}},"
            + "{\"constant_score\":{\"filter\":{\"range\":{\"n\":{\"gte\":3}}},\"boost\":2}}]}}";
    SearchResponse response = search.search("i", "{" + query + ",\"min_score\":2.5}");
    assertThat(response.hits()).extracting(Hit::id).containsExactly("a", "e");
    assertThat(response.total()).isEqualTo(new TotalHits(2, TotalHits.Relation.EQUAL));
    assertThat(search.ids("i", "{" + query + ",\"min_score\":2.5,\"sort\":{\"n\":\"desc\"}}"))
        .containsExactly("e", "a");
  }

  @Test
  void aPostFilterLeavesScoresAlone() {
    SearchResponse response =
        search.search(
            "i",
            "{\"query\":{\"match\":{\"text\":\"word\"}},"
                + "\"post_filter\":{\"range\":{\"n\":{\"gte\":3}}}}");
    assertThat(response.hits()).extracting(Hit::id).containsExactlyInAnyOrder("a", "e");
    assertThat(response.total()).isEqualTo(new TotalHits(2, TotalHits.Relation.EQUAL));
    assertThat(response.maxScore()).isPositive();
  }

  @Test
  void explainTellsTheScore() {
    Hit hit =
        search
            .search("i", "{\"query\":{\"match\":{\"text\":\"word\"}},\"explain\":true}")
            .hits()
            .getFirst();
    Explanation explanation = hit.explanation();
    assertThat(explanation == null ? null : explanation.getValue().floatValue())
        .isEqualTo(hit.score());
    assertThat(TestSearches.json(hit::write))
        .contains("\"_explanation\":{\"value\":", "\"details\":[");
  }

  /** It is translated when the shards have been searched. */
  @Test
  void aRescoreOfTooManyWordsIsRefused() {
    String words =
        IntStream.range(0, 5_000).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
    String body =
        "{\"rescore\":{\"query\":{\"rescore_query\":{\"match\":{\"text\":\"" + words + "\"}}}}}";
    assertThatThrownBy(() -> search.search("i", body))
        .isInstanceOfSatisfying(
            SearchException.class, refusal -> assertThat(refusal.status()).isEqualTo(400))
        .hasMessageContaining("the query expands to more than 1024 clauses");
  }

  /** Each number is two queries to Lucene, until it is rewritten. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'bool':{'must':[{'match':{'text':'a'}}],'filter':[%s]}}",
        "{'hybrid':{'queries':[{'match':{'text':'a'}},{'match':{'text':'b'}}],'filter':%s}}"
      })
  void aFilterThatMayStandInOnePlaceMayStandInMany(String around) {
    String clauses =
        IntStream.range(0, 700)
            .mapToObj(i -> "{'term':{'n':" + i + "}}")
            .collect(Collectors.joining(","));
    String filter = "{'bool':{'should':[" + clauses + "]}}";
    search.search("i", ("{'query':" + around.formatted(filter) + "}").replace('\'', '"'));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "{'bool':{'must':[%s]}}",
        "{'hybrid':{'queries':[{'match_all':{}}],'filter':%s}}",
        "{'constant_score':{'filter':%s}}"
      })
  void aQueryOfTooManyWordsIsNotValid(String around) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      words.append("w").append(i).append(' ');
    }
    String body = "{'query':" + around.formatted("{'match':{'text':'" + words + "'}}") + "}";
    Query query;
    try (JsonParser in = StrictJson.parser(body.replace('\'', '"'))) {
      query = SearchRequestParser.DEFAULT.parse(in, Map.of()).query();
    }
    ValidationResponse verdict = search.searches.validate("i", query, AnswerBudget.unbounded());
    assertThat(verdict.isValid()).isFalse();
    assertThat(TestSearches.json(verdict::writeExplained))
        .contains("\"valid\":false", "the query expands to more than 1024 clauses");
  }

  @Test
  void countsAndValidates() {
    Query query = new Query.Exists("n", 1, null);
    assertThat(TestSearches.json(search.searches.count("i", query)::write))
        .startsWith("{\"count\":4,\"_shards\":{\"total\":3,");
    ValidationResponse valid = search.searches.validate("i", query, AnswerBudget.unbounded());
    assertThat(TestSearches.json(valid::writeExplained))
        .contains("\"valid\":true", "\"index\":\"i\"", "{\\\"exists\\\"");
    ValidationResponse invalid =
        search.searches.validate(
            "i",
            new Query.Term(
                "n",
                dev.weir.search.query.Literal.of("x"),
                dev.weir.search.query.LetterCase.SENSITIVE,
                1,
                null),
            AnswerBudget.unbounded());
    assertThat(invalid.isValid()).isFalse();
    assertThat(TestSearches.json(invalid::writeExplained)).contains("\"error\":\"failed to create");
  }

  @Test
  void severalIndexesAreOneResult() {
    Mapping longer = TestIndex.mapping(Map.of("n", FieldType.Numeric.of(NumericKind.DOUBLE)));
    try (TestIndex other = new TestIndex("j", longer, 1)) {
      other.put(0, "x", Map.of("n", 2.5));
      TestSearches both = new TestSearches(index.open(), other.open());
      assertThat(both.ids("_all", "{\"sort\":\"n\"}"))
          .containsExactly("b", "d", "x", "a", "e", "c");
      assertThat(both.search("i,j", "{}").shards().total()).isEqualTo(4);
    }
  }

  @Test
  void textAndNumbersDoNotSortTogether() {
    Mapping texts = TestIndex.mapping(Map.of("n", FieldType.Keyword.DEFAULT));
    try (TestIndex other = new TestIndex("j", texts, 1)) {
      other.put(0, "x", Map.of("n", "two"));
      TestSearches both = new TestSearches(index.open(), other.open());
      SearchException refusal =
          catchThrowableOfType(SearchException.class, () -> both.ids("i,j", "{\"sort\":\"n\"}"));
      assertThat(refusal.status()).isEqualTo(400);
    }
  }

  @Test
  void anIndexThatFailsLeavesTheOthers() {
    try (TestIndex other = new TestIndex("j", TestIndex.mapping(new HashMap<>()), 1)) {
      other.put(0, "x", Map.of());
      TestSearches both = new TestSearches(index.open(), other.open());
      SearchResponse response = both.search("_all", "{\"sort\":\"n\",\"size\":1}");
      assertThat(response.hits()).extracting(Hit::id).containsExactly("b");
      assertThat(TestSearches.json(response::write))
          .contains(
              "\"_shards\":{\"total\":4,\"successful\":3,\"skipped\":0,\"failed\":1,"
                  + "\"failures\":[{\"shard\":0,\"index\":\"j\",\"node\":\"node\"");
    }
  }

  @Test
  void aMissingIndexIsMissed() {
    SearchException refusal =
        catchThrowableOfType(SearchException.class, () -> search.ids("none", "{}"));
    assertThat(refusal.status()).isEqualTo(404);
    assertThat(TestSearches.json(refusal::write))
        .contains("index_not_found_exception", "\"resource.id\":\"none\"");
  }

  @Test
  void noIndexAtAllIsAnEmptyResult() {
    SearchResponse response = new TestSearches().search("_all", "{}");
    assertThat(response.shards().total()).isZero();
    assertThat(response.total()).isEqualTo(TotalHits.NONE);
  }

  @Test
  void anAliasFilterRestrictsAndSettingsHold() {
    SearchableIndex open =
        index.open(
            new SearchSettings(3, 100, null, 5, 100, VectorSettings.DEFAULT, Slicing.DEFAULT));
    TestSearches filtered =
        new TestSearches(
            new SearchableIndex(open.view(), open.settings(), new Query.Exists("day", 1, null)));
    assertThat(filtered.ids("i", "{\"size\":3}")).containsExactly("a", "b", "d");
    assertThat(catchThrowableOfType(SearchException.class, () -> filtered.ids("i", "{\"size\":4}")))
        .isNotNull();
    assertThat(filtered.searches.count("i", new Query.MatchAll(1, null)).count()).isEqualTo(3);
  }

  @Test
  void filtersOfAPipelineRestrict() {
    search
        .pipelines
        .put(
            "p",
            "{\"request_processors\":[{\"filter_query\":{\"query\":{\"exists\":"
                + "{\"field\":\"day\"}}}}]}")
        .join();
    assertThat(search.search("i", "{}", Map.of("search_pipeline", "p")).hits())
        .extracting(Hit::id)
        .containsExactly("a", "b", "d");
    assertThat(search.ids("i", "{\"search_pipeline\":\"p\"}")).containsExactly("a", "b", "d");
    TestSearches byDefault =
        new TestSearches(
            index.open(
                new SearchSettings(10, 100, "p", 5, 100, VectorSettings.DEFAULT, Slicing.DEFAULT)));
    byDefault.pipelines.put("p", "{}").join();
    assertThat(byDefault.ids("i", "{}")).hasSize(5);
    List<String> none = byDefault.ids("i", "{\"search_pipeline\":\"_none\"}");
    assertThat(none).hasSize(5);
  }
}
