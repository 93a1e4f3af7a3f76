package dev.weir.search.execute;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.aggregation.result.Result;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.mapping.SpaceType;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.query.Query;
import dev.weir.search.request.MinOffsets;
import dev.weir.search.request.SearchRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code terminate_after} and {@code timeout}, over two shards of 30 documents each. */
class SearchLimitsTest {
  private static final int EACH = 30;

  private final TestIndex index =
      new TestIndex(
          "i",
          TestIndex.mapping(
              Map.of(
                  "n",
                  FieldType.Numeric.of(NumericKind.INTEGER),
                  "v",
                  new FieldType.KnnVector(2, SpaceType.L2, KnnMethod.DEFAULT))),
          2);
  private TestSearches search = new TestSearches();

  @BeforeEach
  void fill() {
    for (int shard = 0; shard < 2; shard++) {
      for (int i = 0; i < EACH; i++) {
        Map<String, Object> document = new HashMap<>();
        document.put("n", i);
        document.put("v", new float[] {i, shard});
        index.put(shard, shard + "-" + i, document);
      }
    }
    search = new TestSearches(index.open());
  }

  @AfterEach
  void close() {
    index.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"terminate_after\":7,\"size\":50} | 14 | true",
        "{\"terminate_after\":30,\"size\":50} | 60 | false",
        "{\"terminate_after\":7,\"size\":50,\"sort\":{\"n\":\"desc\"}} | 14 | true",
        "{\"terminate_after\":7,\"size\":50,\"sort\":\"n\",\"track_scores\":true} | 14 | true",
        "{\"terminate_after\":7,\"query\":{\"range\":{\"n\":{\"lt\":5}}}} | 10 | false",
        "{\"terminate_after\":2,\"query\":{\"knn\":{\"v\":{\"vector\":[0,0],\"k\":5}}}} | 4 | true",
        "{\"terminate_after\":7,\"query\":{\"hybrid\":{\"queries\":[{\"match_all\":{}}]}}} | 14 |"
            + " true",
        "{\"terminate_after\":99,\"query\":{\"hybrid\":{\"queries\":[{\"range\":{\"n\":{\"lt\":5}}},{\"range\":{\"n\":{\"gte\":27}}}]}}}"
            + " | 16 | false"
      })
  void aShardCollectsSoManyDocumentsAtMost(String body, int total, boolean terminated) {
    SearchResponse response = search.search("i", body);
    assertThat(response.total()).isEqualTo(new TotalHits(total, TotalHits.Relation.EQUAL));
    assertThat(response.hits().size()).isLessThanOrEqualTo(total);
    assertThat(TestSearches.json(response::write))
        .contains("\"timed_out\":false,\"terminated_early\":" + terminated + ",");
  }

  @Test
  void whoSetsNoNumberIsToldOfNone() {
    SearchResponse response = search.search("i", "{}");
    assertThat(response.total()).isEqualTo(new TotalHits(60, TotalHits.Relation.EQUAL));
    assertThat(TestSearches.json(response::write)).doesNotContain("terminated_early");
  }

  @Test
  void theTotalOfAHybridThatEndedEarlyIsNoLessThanItsHits() {
    SearchResponse response =
        search.search(
            "i",
            "{\"terminate_after\":2,\"size\":50,\"query\":{\"hybrid\":{\"queries\":["
                + "{\"range\":{\"n\":{\"lt\":15}}},{\"range\":{\"n\":{\"gte\":15}}}]}}}");
    assertThat(response.hits()).hasSizeGreaterThan(4);
    assertThat(requireNonNull(response.total()).value()).isEqualTo(response.hits().size());
  }

  @Test
  void aCountCanBeTerminatedToo() {
    Query all = new Query.MatchAll(Query.NO_BOOST, null);
    CountResponse some =
        search.searches.count(
            "i", all, new SearchRequest.Limits(null, 7), AnswerBudget.unbounded());
    assertThat(TestSearches.json(some::write))
        .startsWith("{\"count\":14,\"terminated_early\":true,");
    assertThat(search.searches.count("i", all).count()).isEqualTo(60);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"match_all\":{}}",
        "{\"range\":{\"n\":{\"gte\":0}}}",
        "{\"knn\":{\"v\":{\"vector\":[0,0],\"k\":5}}}",
        "{\"knn\":{\"v\":{\"vector\":[0,0],\"min_score\":0.0001}}}",
        "{\"hybrid\":{\"queries\":[{\"match_all\":{}},"
            + "{\"knn\":{\"v\":{\"vector\":[0,0],\"k\":5}}}]}}"
      })
  void whoseTimeIsOverGetsWhatWasFound(String query) {
    String body = "{\"timeout\":\"1s\",\"query\":" + query + "}";
    search.msEachLook = 1001; // the first look of a shard is too late
    SearchResponse late = search.search("i", body);
    assertThat(late.hits()).isEmpty();
    assertThat(TestSearches.json(late::write)).contains("\"timed_out\":true,");
    search.msEachLook = 0;
    SearchResponse inTime = search.search("i", body);
    assertThat(inTime.hits()).isNotEmpty();
    assertThat(TestSearches.json(inTime::write)).contains("\"timed_out\":false,");
  }

  /** The last filter can't be read, and nobody does: the time is over before. */
  @Test
  void filtersAreNotSetUpAfterTheTimeIsOver() {
    String filters = "{\"match_all\":{}},".repeat(3_000) + "{\"range\":{\"n\":{\"gte\":\"x\"}}}";
    String body = "{\"timeout\":\"%s\",\"aggs\":{\"f\":{\"filters\":{\"filters\":[%s]}}}}";
    search.msEachLook = 1;
    assertThat(TestSearches.json(search.search("i", String.format(body, "1s", filters))::write))
        .contains("\"timed_out\":true,")
        .contains("\"doc_count\":0");
    assertThatThrownBy(() -> search.search("i", String.format(body, "1h", filters)))
        .isInstanceOf(SearchException.class);
  }

  /** The clock goes on with each look, so that more time is more looks. */
  @Test
  void filtersAreCollectedUntilTheTimeIsOver() {
    String filters = "{\"match_all\":{}},".repeat(4_999) + "{\"match_all\":{}}";
    search.msEachLook = 1;
    IntToLongFunction counted =
        timeoutMs -> {
          SearchResponse found =
              search.search(
                  "i",
                  String.format(
                      "{\"size\":0,\"track_total_hits\":false,\"timeout\":\"%dms\","
                          + "\"aggs\":{\"f\":{\"filters\":{\"filters\":[%s]}}}}",
                      timeoutMs, filters));
          Result result = found.aggregations().results().getFirst().result();
          return result instanceof Result.Many many ? many.buckets().getLast().docs() : -1;
        };
    int none = 1;
    int some = 60_000;
    assertThat(counted.applyAsLong(some)).isEqualTo(2 * EACH);
    while (some - none > 1) {
      int between = (none + some) / 2;
      if (counted.applyAsLong(between) == 0) {
        none = between;
      } else {
        some = between;
      }
    }
    long first = counted.applyAsLong(some);
    assertThat(first).isBetween(1L, 2L * EACH - 1);
    assertThat(counted.applyAsLong(some + 10)).isBetween(first + 1, 2L * EACH - 1);
  }

  @Test
  void aShardThatWasInTimeIsInTheResult() {
    search.msEachLook = 1;
    int timeoutMs = 1;
    SearchResponse part = within(timeoutMs);
    while (part.hits().isEmpty()) {
      part = within(++timeoutMs);
    }
    assertThat(TestSearches.json(part::write)).contains("\"timed_out\":true,");
    assertThat(part.hits()).extracting(Hit::id).hasSize(EACH).allMatch(id -> id.startsWith("0-"));
  }

  private SearchResponse within(int timeoutMs) {
    return search.search("i", "{\"timeout\":\"" + timeoutMs + "ms\",\"size\":50}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"17 | {0=18, 1=6}", "0 | {0=1, 1=1}", "1:5 | {1=6}", "1:5,0:2 | {0=3, 1=6}"})
  void offsetsAreOfAllShardsOrByShard(String text, String ends) {
    assertThat(MinOffsets.parse(text).endOffsets(List.of(100L, 6L))).hasToString(ends);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "-1",
        "0:",
        ":1",
        "0:1,0:2",
        "-1:2",
        "0:-1",
        "1,2",
        "9223372036854775807"
      })
  void whatIsNoListOfOffsetsIsRefused(String text) {
    assertThatThrownBy(() -> MinOffsets.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[weir_min_offset]");
  }

  @Test
  void aShardThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> MinOffsets.parse("2:5").endOffsets(List.of(9L, 9L)))
        .hasMessageContaining("names shard [2] of an index with 2");
  }

  @Test
  void nobodyWaitsForWhatIsNotAppended() {
    assertThatThrownBy(() -> MinOffsets.parse("1:9").endOffsets(List.of(100L, 9L)))
        .hasMessageContaining("offset [9] of shard [1], whose log ends at [9]");
  }
}
