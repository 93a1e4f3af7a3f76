package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.aggregation.result.Result;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.mapping.SpaceType;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerMemory;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A search ends when its time is over, when it is cancelled, or when nobody waits for it, wherever
 * it is. The clock goes on with each look at it, so that time is looks.
 */
class SearchEndsTest {
  private static final int DOCUMENTS = 200;
  private static final int PARTS = 300;
  private static final int AGGREGATIONS = 10_000;

  private final TestIndex index =
      new TestIndex(
          "i",
          TestIndex.mapping(
              Map.of(
                  "n",
                  FieldType.Numeric.of(NumericKind.INTEGER),
                  "id",
                  FieldType.Keyword.DEFAULT,
                  "t",
                  FieldType.Text.DEFAULT,
                  "v",
                  new FieldType.KnnVector(2, SpaceType.L2, KnnMethod.DEFAULT))),
          2);
  private final AnswerMemory memory = new AnswerMemory(1 << 30);
  private TestSearches search = new TestSearches();

  @BeforeEach
  void fill() {
    for (int i = 0; i < DOCUMENTS; i++) {
      Map<String, Object> document = new HashMap<>();
      document.put("n", i);
      document.put("id", "id" + i);
      document.put("t", "whale w" + i + " x" + i);
      document.put("v", new float[] {i, 1});
      index.put(i % 2, "d" + i, document);
    }
    search = new TestSearches(index.open());
    search.msEachLook = 1;
  }

  @AfterEach
  void close() {
    index.close();
    assertThat(memory.figures().heldBytes()).isZero();
  }

  private static String many(String part) {
    return IntStream.range(0, PARTS)
        .mapToObj(i -> part.replace("$", Integer.toString(i)))
        .collect(Collectors.joining(","));
  }

  /** As large as the bounds allow, or nearly so. */
  static java.util.List<String> dearQueries() {
    return java.util.List.of(
        "{\"bool\":{\"should\":[" + many("{\"range\":{\"n\":{\"gte\":$}}}") + "]}}",
        "{\"bool\":{\"should\":[" + many("{\"wildcard\":{\"id\":\"*d$*\"}}") + "]}}",
        "{\"bool\":{\"should\":[" + many("{\"prefix\":{\"id\":\"i\"}}") + "]}}",
        "{\"bool\":{\"filter\":["
            + many("{\"bool\":{\"must_not\":[{\"term\":{\"id\":\"x$\"}}]}}")
            + "]}}",
        "{\"bool\":{\"should\":["
            + many("{\"match\":{\"t\":{\"query\":\"w$\",\"fuzziness\":1,\"max_expansions\":2}}}")
            + "]}}",
        "{\"query_string\":{\"default_field\":\"t\",\"query\":\""
            + many("w$").replace(",", " OR ")
            + "\"}}",
        "{\"hybrid\":{\"queries\":[{\"match\":{\"t\":\"whale\"}},{\"knn\":{\"v\":{\"vector\":[0,0],"
            + "\"k\":5}}}],\"filter\":{\"bool\":{\"should\":["
            + many("{\"range\":{\"n\":{\"gte\":$}}}")
            + "]}}}}",
        "{\"knn\":{\"v\":{\"vector\":[0,0],\"k\":5,\"filter\":{\"bool\":{\"must_not\":["
            + many("{\"prefix\":{\"id\":\"x$\"}}")
            + "]}}}}}");
  }

  @ParameterizedTest
  @MethodSource("dearQueries")
  void theDearestQueryEndsSoonAfterItsTime(String query) {
    String body = "{\"timeout\":\"%s\",\"size\":500,\"query\":" + query + "}";
    SearchResponse whole = search.search("i", String.format(body, "1h"));
    assertThat(TestSearches.json(whole::write)).contains("\"timed_out\":false");
    assertThat(search.looks).isGreaterThan(PARTS);
    int all = search.looks;
    for (int timeoutMs = 1; timeoutMs < all / 2; timeoutMs = timeoutMs * 3 / 2 + 1) {
      search = new TestSearches(index.open());
      search.msEachLook = 1;
      SearchResponse cut = search.search("i", String.format(body, timeoutMs + "ms"));
      assertThat(search.looks).as("timeoutMs=%d", timeoutMs).isLessThan(timeoutMs + 10);
      assertThat(TestSearches.json(cut::write)).contains("\"timed_out\":true");
      assertThat(cut.hits()).extracting(Hit::id).isSubsetOf(ids(whole));
    }
  }

  private static java.util.List<String> ids(SearchResponse response) {
    return response.hits().stream().map(Hit::id).toList();
  }

  /** Whatever the hits, their number is counted last. */
  @ParameterizedTest
  @ValueSource(strings = {"", ",\"sort\":[{\"n\":\"desc\"}]", ",\"profile\":true"})
  void aHybridSearchOutOfTimeAtAnyMomentIsAnsweredInPartByAllShards(String extra) {
    String body =
        "{\"timeout\":\"%dms\",\"size\":5"
            + extra
            + ",\"query\":{\"hybrid\":{\"pagination_depth\":20,\"queries\":[{\"match\":{\"t\":\"whale\"}},"
            + "{\"knn\":{\"v\":{\"vector\":[0,0],\"k\":5}}}]}}}";
    search.search("i", String.format(body, 3_600_000));
    int looks = search.looks;
    for (int ms = 1; ms <= looks; ms++) {
      search = new TestSearches(index.open());
      search.msEachLook = 1;
      assertThat(TestSearches.json(search.search("i", String.format(body, ms))::write))
          .as("after %d of %d looks", ms, looks)
          .contains("\"failed\":0");
    }
  }

  /** The last clause can't be translated, and nobody does: the time is over before. */
  @Test
  void clausesAreNotTranslatedAfterTheTimeIsOver() {
    String query =
        "{\"bool\":{\"must\":["
            + many("{\"term\":{\"id\":\"id$\"}}")
            + ",{\"range\":{\"n\":{\"gte\":\"x\"}}}]}}";
    String body = "{\"timeout\":\"%s\",\"query\":" + query + "}";
    assertThat(TestSearches.json(search.search("i", String.format(body, "50ms"))::write))
        .contains("\"timed_out\":true");
    assertThatThrownBy(() -> search.search("i", String.format(body, "1h")))
        .isInstanceOf(SearchException.class);
  }

  /** The time may be over while shards are searched or after: hits that are there are whole. */
  @Test
  void hitsThatWereFoundAreScoredAgainHoweverLongItTakes() {
    String body =
        "{\"timeout\":\"%s\",\"size\":200,\"query\":{\"match\":{\"t\":\"whale\"}},\"rescore\":"
            + "{\"window_size\":200,\"query\":{\"rescore_query\":{\"bool\":{\"should\":["
            + many("{\"range\":{\"n\":{\"gte\":$}}}")
            + "]}}}}}";
    Map<String, Hit> whole = hitsById(body, "1h");
    assertThat(whole).hasSize(DOCUMENTS);
    assertThat(Objects.requireNonNull(whole.get("d150")).score()).isGreaterThan(150);
    assertThat(cutHits(body, whole)).as("hits of searches that were out of time").isPositive();
  }

  @Test
  void hitsThatWereFoundShowTheirGroupsHoweverLongItTakes() {
    String body =
        "{\"timeout\":\"%s\",\"size\":200,\"query\":{\"match\":{\"t\":\"whale\"}},"
            + "\"collapse\":{\"field\":\"id\",\"inner_hits\":{\"name\":\"g\",\"sort\":[\"n\"]}}}";
    Map<String, Hit> whole = hitsById(body, "1h");
    assertThat(whole).hasSize(DOCUMENTS);
    assertThat(whole.values())
        .allSatisfy(
            hit ->
                assertThat(Objects.requireNonNull(hit.nesting().innerHits().get("g")).hits())
                    .extracting(Hit::id)
                    .containsExactly(hit.id()));
    assertThat(cutHits(body, whole)).as("hits of searches that were out of time").isPositive();
  }

  private Map<String, Hit> hitsById(String body, String timeout) {
    return search.search("i", String.format(body, timeout)).hits().stream()
        .collect(Collectors.toMap(Hit::id, hit -> hit));
  }

  /** Hits that were found with timeouts that were not enough, each as it is in a whole answer. */
  private int cutHits(String body, Map<String, Hit> whole) {
    int cut = 0;
    boolean isCut = true;
    for (int timeoutMs = 1; isCut; timeoutMs++) {
      assertThat(timeoutMs).as("the page itself takes time of its own").isLessThan(PARTS / 2);
      search = new TestSearches(index.open());
      search.msEachLook = 1;
      SearchResponse found = search.search("i", String.format(body, timeoutMs + "ms"));
      isCut = TestSearches.json(found::write).contains("\"timed_out\":true");
      for (Hit hit : found.hits()) {
        assertThat(json(hit))
            .as("timeoutMs=%d", timeoutMs)
            .isEqualTo(json(Objects.requireNonNull(whole.get(hit.id()))));
      }
      cut += isCut ? found.hits().size() : 0;
    }
    return cut;
  }

  private static String json(Hit hit) {
    return TestSearches.json(out -> hit.write(out, SearchResponse.TotalForm.OBJECT));
  }

  /** Patterns look at the deadline of their request, and are kept with their filters. */
  @Test
  void aFilterThatIsKeptDoesNotKeepTheAnswerThatItWasMadeFor() throws InterruptedException {
    ReferenceQueue<AnswerBudget> gone = new ReferenceQueue<>();
    WeakReference<AnswerBudget> answer = new WeakReference<>(filteredByPatterns(), gone);
    assertThat(search.filterCache.stats().entries()).isPositive();
    for (int i = 0; i < 100 && answer.get() != null; i++) {
      System.gc();
      var _ = gone.remove(100);
    }
    assertThat(answer.get()).isNull();
  }

  private AnswerBudget filteredByPatterns() {
    try (AnswerBudget budget = memory.open()) {
      SearchResponse found =
          search.search(
              "i",
              "{\"query\":{\"knn\":{\"v\":{\"vector\":[0,0],\"k\":5,\"filter\":{\"bool\":{\"must\":["
                  + "{\"prefix\":{\"id\":\"i\"}},{\"wildcard\":{\"id\":\"*d*\"}},"
                  + "{\"wildcard\":{\"id\":{\"value\":\"I*\",\"case_insensitive\":true}}}]}}}}}}",
              Map.of(),
              budget);
      assertThat(found.hits()).isNotEmpty();
      return budget;
    }
  }

  /** What was cut is found again: nothing of it was kept for others. */
  @Test
  void aFilterThatWasCutIsNotKept() {
    String query =
        "{\"knn\":{\"v\":{\"vector\":[0,0],\"k\":500,\"filter\":{\"bool\":{\"should\":["
            + many("{\"term\":{\"n\":$}}")
            + "]}}}}}";
    String body = "{\"timeout\":\"%s\",\"size\":500,\"query\":" + query + "}";
    for (int timeoutMs = 1; timeoutMs < 4 * PARTS; timeoutMs += 61) {
      SearchResponse _ = search.search("i", String.format(body, timeoutMs + "ms"));
      assertThat(search.search("i", String.format(body, "1h")).hits())
          .as("timeoutMs=%d", timeoutMs)
          .hasSize(DOCUMENTS);
      search = new TestSearches(index.open());
      search.msEachLook = 1;
    }
  }

  @Test
  void aggregationsSideBySideEndSoonAfterTheirTime() {
    String aggregations =
        IntStream.range(0, AGGREGATIONS)
            .mapToObj(i -> "\"a" + i + "\":{\"value_count\":{\"field\":\"n\"}}")
            .collect(Collectors.joining(","));
    String body = "{\"size\":0,\"timeout\":\"%s\",\"aggs\":{" + aggregations + "}}";
    assertThat(counted(search.search("i", String.format(body, "1h")))).isEqualTo(DOCUMENTS);
    int all = search.looks;
    assertThat(all).isGreaterThan(4 * AGGREGATIONS); // in two shards, when planned and when begun
    for (int timeoutMs = 1; timeoutMs < all; timeoutMs = timeoutMs * 2 + 1) {
      search = new TestSearches(index.open());
      search.msEachLook = 1;
      SearchResponse cut = search.search("i", String.format(body, timeoutMs + "ms"));
      assertThat(search.looks).as("timeoutMs=%d", timeoutMs).isLessThan(timeoutMs + 10);
      assertThat(TestSearches.json(cut::write)).contains("\"timed_out\":true");
      assertThat(counted(cut)).isLessThan(DOCUMENTS);
    }
  }

  /** What the last of the aggregations counts. */
  private static long counted(SearchResponse response) {
    return response.aggregations().results().getLast().result() instanceof Result.Count(long count)
        ? count
        : -1;
  }

  private static final String EVERYTHING =
      "{\"timeout\":\"1h\",\"size\":50,\"query\":{\"bool\":{\"should\":["
          + "{\"match\":{\"t\":\"whale\"}},{\"wildcard\":{\"id\":\"*\"}}],"
          + "\"filter\":[{\"range\":{\"n\":{\"gte\":5}}}]}},"
          + "\"highlight\":{\"fields\":{\"t\":{}}},"
          + "\"aggs\":{\"a\":{\"terms\":{\"field\":\"id\"},\"aggs\":{\"b\":{\"top_hits\":{}}}}}}";

  @Test
  void whoHangsUpAtAnyMomentEndsTheSearchAndLeavesNothing() {
    int all = looksOf(EVERYTHING);
    for (int last = 1; last <= all; last++) {
      search = new TestSearches(index.open());
      AnswerBudget budget = memory.open();
      int until = last;
      search.atLook =
          () -> {
            if (search.looks == until) {
              budget.abandon();
            }
          };
      assertThatThrownBy(() -> search.search("i", EVERYTHING, Map.of(), budget))
          .as("abandoned at look %d of %d", last, all)
          .isInstanceOfSatisfying(
              SearchException.class,
              ended -> assertThat(ended.error().type()).isEqualTo(ErrorType.TASK_CANCELLED));
      assertThat(budget.heldBytes()).isZero();
      assertThat(search.looks).isLessThan(last + 10);
      assertThat(search.counters.counts().requests().abandoned()).isEqualTo(1);
      assertThat(search.counters.counts().requests().failed()).isZero();
      budget.close();
    }
  }

  private int looksOf(String body) {
    SearchResponse _ = search.search("i", body);
    return search.looks - 1; // the last one tells how long it took, when all is done
  }

  @Test
  void aSearchIsAnsweredWholeOrCancelledAndNeverInPart() {
    String whole = answerWithin("1h");
    int cancelled = 0;
    int ms = 1;
    for (; ms < 100_000 && cancelled == ms - 1; ms++) {
      try {
        assertThat(answerWithin(ms + "ms")).isEqualTo(whole);
      } catch (SearchException ended) {
        assertThat(ended.error().type()).isEqualTo(ErrorType.TASK_CANCELLED);
        assertThat(ended.status()).isEqualTo(500);
        assertThat(ended.error().reason())
            .contains("cancelled after " + ms + " ms")
            .contains("[cancel_after_time_interval]");
        cancelled++;
      }
    }
    assertThat(cancelled).isGreaterThan(20);
    assertThat(answerWithin((ms + 1) + "ms")).isEqualTo(whole);
  }

  private String answerWithin(String cancelAfter) {
    search = new TestSearches(index.open());
    search.msEachLook = 1;
    AnswerBudget budget = memory.open();
    try (budget) {
      SearchResponse found =
          search.search("i", EVERYTHING, Map.of("cancel_after_time_interval", cancelAfter), budget);
      return TestSearches.json(found::write).replaceFirst("\"took\":[0-9]+", "");
    }
  }

  @Test
  void aSearchWhoseClientHasGoneBeforeItBeginsDoesNothing() {
    try (AnswerBudget budget = memory.open()) {
      budget.abandon();
      assertThatThrownBy(() -> search.search("i", "{}", Map.of(), budget))
          .hasMessageContaining("hung up");
      assertThat(search.looks).isEqualTo(1); // the one that every search begins with
    }
  }
}
