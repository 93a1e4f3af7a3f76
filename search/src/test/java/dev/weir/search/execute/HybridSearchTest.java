package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.deadline.Deadline;
import dev.weir.search.error.SearchException;
import dev.weir.search.hybrid.HybridScoring;
import dev.weir.search.json.StrictJson;
import dev.weir.search.mapping.Analyzers;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.mapping.SpaceType;
import dev.weir.search.request.SearchRequestParser;
import dev.weir.search.request.SortValue;
import dev.weir.search.vector.FilterCache;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.search.Explanation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;

/** Hybrid searches through Lucene, over several shards and segments with deletes. */
class HybridSearchTest {
  private static final Mapping MAPPING =
      TestIndex.mapping(
          Map.of(
              "text",
              FieldType.Text.DEFAULT,
              "n",
              FieldType.Numeric.of(NumericKind.INTEGER),
              "v",
              new FieldType.KnnVector(3, SpaceType.L2, KnnMethod.DEFAULT)));
  private static final List<String> WORDS = List.of("red", "green", "blue", "fast", "slow");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void isWhatItsQueriesGiveAlone(long seed) {
    Random random = new Random(seed);
    try (TestIndex index = corpus(random, 1 + random.nextInt(4), 60)) {
      TestSearches search = new TestSearches(index.open());
      List<String> queries = List.of(match(random), knn(random, 7), match(random));
      String filter = "{\"range\":{\"n\":{\"lt\":" + random.nextInt(60) + "}}}";
      Map<String, Double> expected = new TreeMap<>();
      for (String query : queries) {
        Map<String, Double> normalised = minMax(alone(search, filtered(query, filter)));
        normalised.forEach((id, score) -> expected.merge(id, score / queries.size(), Double::sum));
      }
      SearchResponse response = search.search("i", hybrid(queries, filter) + ",\"size\":200}");
      assertThat(response.hits())
          .extracting(Hit::id)
          .containsExactlyInAnyOrderElementsOf(expected.keySet());
      assertThat(response.total())
          .isEqualTo(new TotalHits(expected.size(), TotalHits.Relation.EQUAL));
      for (Hit hit : response.hits()) {
        assertThat(score(hit))
            .as(hit.id())
            .isCloseTo(expected.getOrDefault(hit.id(), -1.0).floatValue(), within(1e-5f));
      }
      assertThat(response.hits())
          .extracting(HybridSearchTest::score)
          .isSortedAccordingTo(Comparator.reverseOrder());
    }
  }

  /** The query with the filter inside, as the user would write it by hand. */
  private static String filtered(String query, String filter) {
    return query.startsWith("{\"knn\"")
        ? query.replace("\"k\":", "\"filter\":" + filter + ",\"k\":")
        : "{\"bool\":{\"must\":" + query + ",\"filter\":" + filter + "}}";
  }

  private static Map<String, Float> alone(TestSearches search, String query) {
    Map<String, Float> scores = new LinkedHashMap<>();
    for (Hit hit : search.search("i", "{\"query\":" + query + ",\"size\":200}").hits()) {
      scores.put(hit.id(), score(hit));
    }
    return scores;
  }

  private static Map<String, Double> minMax(Map<String, Float> scores) {
    double min = scores.values().stream().mapToDouble(Float::doubleValue).min().orElse(0);
    double max = scores.values().stream().mapToDouble(Float::doubleValue).max().orElse(0);
    Map<String, Double> normalised = new HashMap<>();
    scores.forEach(
        (id, score) ->
            normalised.put(
                id, max == min ? 1 : score == min ? 0.001 : (score - min) / (max - min)));
    return normalised;
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void aPageNeverChangesTheRanking(long seed) {
    Random random = new Random(seed);
    try (TestIndex index = corpus(random, 1 + random.nextInt(3), 80)) {
      TestSearches search = new TestSearches(index.open());
      String query =
          "{\"query\":{\"hybrid\":{\"pagination_depth\":5,\"queries\":["
              + match(random)
              + ","
              + knn(random, 30)
              + "]}}";
      List<String> whole = page(search, query, 0, 500);
      for (int size = 1; size < 40; size += 1 + random.nextInt(7)) {
        List<String> paged = new ArrayList<>();
        for (int from = 0; from < whole.size(); from += size) {
          paged.addAll(page(search, query, from, size));
        }
        assertThat(paged).as("size=" + size).isEqualTo(whole);
      }
      assertThat(page(search, query, whole.size() + 5, 10)).isEmpty();
    }
  }

  private static List<String> page(TestSearches search, String query, int from, int size) {
    return search
        .search("i", query + ",\"from\":" + from + ",\"size\":" + size + "}")
        .hits()
        .stream()
        .map(hit -> hit.id() + " " + hit.score())
        .toList();
  }

  @Test
  void aCommonFilterIsEvaluatedOnceInEachSegment() throws IOException {
    Random random = new Random(21);
    try (TestIndex index = corpus(random, 1, 50)) {
      SearchableIndex open = index.open();
      ShardRef shard = new ShardRef(0, open, open.view().shards().getFirst());
      int segments = shard.shard().searcher().getLeafContexts().size();
      assertThat(segments).isGreaterThan(2);
      String hybrid =
          hybrid(
              List.of(match(random), knn(random, 5), match(random), knn(random, 3)),
              "{\"range\":{\"n\":{\"lt\":25}}}");
      ShardSearch search = ShardSearch.prepare(shard, plan(hybrid + "}"), Runnable::run);
      search.run();
      assertThat(search.filterEvaluations()).isEqualTo(segments);
    }
  }

  @Test
  void anInnerFilterIsCombinedWithTheCommonOneWithoutEvaluatingThatAgain() throws IOException {
    Random random = new Random(22);
    try (TestIndex index = corpus(random, 1, 50)) {
      SearchableIndex open = index.open();
      ShardRef shard = new ShardRef(0, open, open.view().shards().getFirst());
      int segments = shard.shard().searcher().getLeafContexts().size();
      String inner = "{\"match\":{\"text\":\"red\"}}";
      String hybrid =
          hybrid(
              List.of(match(random), filtered(knn(random, 5), inner)),
              "{\"range\":{\"n\":{\"lt\":25}}}");
      ShardSearch search = ShardSearch.prepare(shard, plan(hybrid + "}"), Runnable::run);
      search.run();
      // the common filter, and what the vector search is left with
      assertThat(search.filterEvaluations()).isEqualTo(2 * segments);
    }
  }

  @Test
  void aCommonFilterInsteadOfOthersIsEvaluatedOnceInEachSegment() throws IOException {
    Random random = new Random(24);
    try (TestIndex index = corpus(random, 1, 50)) {
      SearchableIndex open = index.open();
      ShardRef shard = new ShardRef(0, open, open.view().shards().getFirst());
      int segments = shard.shard().searcher().getLeafContexts().size();
      String own = "{\"match\":{\"text\":\"red\"}}";
      String other = "{\"match\":{\"text\":\"green\"}}";
      String common = "{\"range\":{\"n\":{\"lt\":25}}}";
      String or = twoSearches(random, own, other, common, "or");
      assertThat(evaluations(shard, or, new FilterCache(0))).isEqualTo(3 * segments);
    }
  }

  @Test
  void filtersThatAreJoinedAreKeptOneByOne() throws IOException {
    Random random = new Random(23);
    try (TestIndex index = corpus(random, 1, 50)) {
      SearchableIndex open = index.open();
      ShardRef shard = new ShardRef(0, open, open.view().shards().getFirst());
      int segments = shard.shard().searcher().getLeafContexts().size();
      FilterCache cache = new FilterCache(1 << 20);
      String own = "{\"range\":{\"n\":{\"gte\":5}}}";
      String other = "{\"range\":{\"n\":{\"gte\":9}}}";
      String common = "{\"range\":{\"n\":{\"lt\":25}}}";
      String either = "{\"bool\":{\"should\":[" + own + "," + other + "]}}";
      String without = "{\"bool\":{\"must_not\":[" + other + "]}}";
      String first = twoSearches(random, own, either, common, "and");
      assertThat(evaluations(shard, first, cache)).isEqualTo(3 * segments);
      assertThat(evaluations(shard, first, cache)).isZero();
      // One joined by "or" has its bits from the same three.
      String or = twoSearches(random, either, own, common, "or");
      assertThat(evaluations(shard, or, cache)).isZero();
      assertThat(evaluations(shard, or, new FilterCache(0))).isEqualTo(3 * segments);
      assertThat(evaluations(shard, twoSearches(random, own, without, common, "and"), cache))
          .isZero();
    }
  }

  private static String twoSearches(
      Random random, String own, String other, String common, String mode) {
    return hybrid(
            List.of(match(random), filtered(knn(random, 5), own), filtered(knn(random, 3), other)),
            common)
        .replace(
            "\"filter\":" + common + "}}",
            "\"filter\":" + common + ",\"filter_mode\":\"" + mode + "\"}}");
  }

  private static int evaluations(ShardRef shard, String hybrid, FilterCache cache)
      throws IOException {
    ShardSearch search = ShardSearch.prepare(shard, plan(hybrid + "}", cache), Runnable::run);
    search.run();
    return search.filterEvaluations();
  }

  private static SearchPlan plan(String body) {
    return plan(body, new FilterCache(0));
  }

  private static SearchPlan plan(String body, FilterCache cache) {
    try (JsonParser in = StrictJson.parser(body)) {
      return new SearchPlan(
          SearchRequestParser.DEFAULT.parse(in, Map.of()),
          HybridScoring.DEFAULT,
          new Analyzers(),
          cache,
          0,
          Deadline.none());
    }
  }

  @Test
  void everyShardGivesItsNearest() {
    Random random = new Random(31);
    try (TestIndex index = new TestIndex("i", MAPPING, 3)) {
      int[] matching = new int[3];
      for (int doc = 0; doc < 90; doc++) {
        int shard = random.nextInt(3);
        index.put(shard, "d" + doc, Map.of("n", doc, "v", vector(random)), "{}");
        matching[shard] += doc < 20 ? 1 : 0;
      }
      TestSearches search = new TestSearches(index.open());
      for (int k : new int[] {1, 5, 50}) {
        int expected = 0;
        for (int count : matching) {
          expected += Math.min(k, count);
        }
        String query = filtered(knn(random, k), "{\"range\":{\"n\":{\"lt\":20}}}");
        for (String body :
            List.of(
                "{\"query\":" + query,
                hybrid(List.of(knn(random, k)), "{\"range\":{\"n\":{\"lt\":20}}}"),
                "{\"query\":{\"bool\":{\"must\":[" + query + "]}}")) {
          SearchResponse response = search.search("i", body + "}");
          assertThat(response.total()).isEqualTo(new TotalHits(expected, TotalHits.Relation.EQUAL));
        }
      }
    }
  }

  @Test
  void weightsDecideAndMustBeAsManyAsQueries() {
    Random random = new Random(41);
    try (TestIndex index = corpus(random, 2, 40)) {
      TestSearches search = new TestSearches(index.open());
      String match = match(random);
      String queries = hybrid(List.of(match, knn(random, 5)), null);
      assertThat(
              search.ids(
                  "i", queries + ",\"size\":1,\"search_pipeline\":" + weights("[1,0]") + "}"))
          .isEqualTo(search.ids("i", "{\"query\":" + match + ",\"size\":1}"));
      SearchException refusal =
          catchThrowableOfType(
              SearchException.class,
              () -> search.ids("i", queries + ",\"search_pipeline\":" + weights("[1]") + "}"));
      assertThat(refusal.status()).isEqualTo(400);
      assertThat(TestSearches.json(refusal::write))
          .contains(
              "\"type\":\"search_phase_execution_exception\"",
              "\"phase\":\"\"",
              "weights=1 queries=2");
    }
  }

  private static String weights(String weights) {
    return "{\"phase_results_processors\":[{\"normalization-processor\":{\"combination\":"
        + "{\"parameters\":{\"weights\":"
        + weights
        + "}}}}]}";
  }

  @Test
  void sortsByFieldsInsteadOfScores() {
    Random random = new Random(51);
    try (TestIndex index = corpus(random, 2, 40)) {
      TestSearches search = new TestSearches(index.open());
      String hybrid = hybrid(List.of(match(random), knn(random, 5)), null);
      SearchResponse sorted =
          search.search("i", hybrid + ",\"sort\":{\"n\":\"desc\"},\"size\":100}");
      assertThat(sorted.hits()).allMatch(hit -> hit.score() == null);
      assertThat(sorted.hits())
          .extracting(hit -> ((SortValue.Whole) hit.sort().getFirst()).value())
          .isSortedAccordingTo(Comparator.reverseOrder())
          .doesNotHaveDuplicates();
      assertThat(sorted.hits())
          .extracting(Hit::id)
          .containsExactlyInAnyOrderElementsOf(search.ids("i", hybrid + ",\"size\":100}"));
      assertThat(search.ids("i", hybrid + ",\"sort\":\"_score\"}"))
          .isEqualTo(search.ids("i", hybrid + "}"));
      assertThat(
              catchThrowableOfType(
                      SearchException.class,
                      () -> search.ids("i", hybrid + ",\"sort\":[\"_score\",\"n\"]}"))
                  .status())
          .isEqualTo(400);
    }
  }

  @Test
  void aMinimumAppliesToTheCombinedScore() {
    Random random = new Random(61);
    try (TestIndex index = corpus(random, 2, 40)) {
      TestSearches search = new TestSearches(index.open());
      String hybrid = hybrid(List.of(match(random), knn(random, 20)), null);
      List<Hit> all = search.search("i", hybrid + ",\"size\":100}").hits();
      List<Hit> best = search.search("i", hybrid + ",\"size\":100,\"min_score\":0.4}").hits();
      assertThat(best)
          .extracting(Hit::id)
          .isEqualTo(all.stream().filter(hit -> score(hit) >= 0.4f).map(Hit::id).toList());
      assertThat(best).isNotEmpty().hasSizeLessThan(all.size());
    }
  }

  @Test
  void aPostFilterComesBeforeTheStatistics() {
    Random random = new Random(71);
    try (TestIndex index = corpus(random, 1, 40)) {
      TestSearches search = new TestSearches(index.open());
      String hybrid = hybrid(List.of(match(random), match(random)), null);
      String id = search.ids("i", hybrid + ",\"size\":100}").getLast();
      SearchResponse one =
          search.search("i", hybrid + ",\"post_filter\":{\"ids\":{\"values\":[\"" + id + "\"]}}}");
      assertThat(one.hits()).extracting(Hit::id).containsExactly(id);
      assertThat(one.total()).isEqualTo(new TotalHits(1, TotalHits.Relation.EQUAL));
      assertThat(one.maxScore()).isIn(0.5f, 1f); // alone in each list that has it
    }
  }

  @Test
  void namesAndExplanationsOfEveryPartReachTheHits() {
    Random random = new Random(81);
    try (TestIndex index = corpus(random, 2, 40)) {
      TestSearches search = new TestSearches(index.open());
      String named =
          "{\"query\":{\"hybrid\":{\"_name\":\"whole\",\"queries\":["
              + "{\"match\":{\"text\":{\"query\":\"red green\",\"_name\":\"words\"}}},"
              + knn(random, 5).replace("\"k\":", "\"_name\":\"near\",\"k\":")
              + "]}},\"explain\":true,\"size\":100}";
      List<Hit> hits = search.search("i", named).hits();
      assertThat(hits)
          .allMatch(hit -> hit.matchedQueries().contains("whole"))
          .anyMatch(hit -> hit.matchedQueries().equals(List.of("near", "whole", "words")))
          .anyMatch(hit -> hit.matchedQueries().equals(List.of("whole", "words")));
      for (Hit hit : hits) {
        Explanation explanation = hit.explanation();
        assertThat(explanation == null ? null : explanation.getValue().floatValue())
            .isEqualTo(hit.score());
      }
    }
  }

  @Test
  void aNameInTheCommonFilterReachesHitsOfVectorSearchesToo() {
    Random random = new Random(83);
    try (TestIndex index = corpus(random, 2, 40)) {
      TestSearches search = new TestSearches(index.open());
      String filter =
          "{\"bool\":{\"_name\":\"F\",\"should\":["
              + "{\"range\":{\"n\":{\"lt\":10,\"_name\":\"low\"}}},{\"range\":{\"n\":{\"gte\":5}}}]}}";
      String query = "{\"queries\":[" + knn(random, 30) + "],\"filter\":" + filter + "}";
      List<Hit> hits =
          search.search("i", "{\"size\":40,\"query\":{\"hybrid\":" + query + "}}").hits();
      assertThat(hits).hasSizeGreaterThan(20);
      for (Hit hit : hits) {
        boolean isLow = Integer.parseInt(hit.id().substring(1)) < 10;
        assertThat(hit.matchedQueries()).isEqualTo(isLow ? List.of("F", "low") : List.of("F"));
      }
    }
  }

  @Test
  void aDepthOutOfRangeIsRefused() {
    Random random = new Random(91);
    try (TestIndex index = corpus(random, 1, 5)) {
      TestSearches search = new TestSearches(index.open());
      for (int depth : new int[] {-1, 0, 10_001}) {
        String body =
            "{\"query\":{\"hybrid\":{\"pagination_depth\":"
                + depth
                + ",\"queries\":["
                + match(random)
                + "]}}}";
        assertThat(
                catchThrowableOfType(SearchException.class, () -> search.ids("i", body)).status())
            .isEqualTo(400);
      }
    }
  }

  private static TestIndex corpus(Random random, int shards, int docs) {
    TestIndex index = new TestIndex("i", MAPPING, shards);
    for (int doc = 0; doc < docs; doc++) {
      Map<String, Object> fields = new HashMap<>();
      fields.put("n", doc);
      StringBuilder text = new StringBuilder();
      for (String word : WORDS) {
        text.append((word + " ").repeat(random.nextInt(3)));
      }
      fields.put("text", text.toString());
      if (random.nextInt(5) > 0) {
        fields.put("v", vector(random));
      }
      int shard = random.nextInt(shards);
      index.put(shard, "d" + doc, fields, "{}");
      if (random.nextInt(8) == 0) {
        index.cut(shard);
      }
      if (random.nextInt(10) == 0) {
        index.delete(shard, "d" + doc);
      }
    }
    return index;
  }

  private static float[] vector(Random random) {
    return new float[] {random.nextFloat(), random.nextFloat(), random.nextFloat()};
  }

  private static String match(Random random) {
    return "{\"match\":{\"text\":\""
        + WORDS.get(random.nextInt(WORDS.size()))
        + " "
        + WORDS.get(random.nextInt(WORDS.size()))
        + "\"}}";
  }

  private static String knn(Random random, int k) {
    return String.format(
        Locale.ROOT,
        "{\"knn\":{\"v\":{\"vector\":[%.3f,%.3f,%.3f],\"k\":%d}}}",
        random.nextFloat(),
        random.nextFloat(),
        random.nextFloat(),
        k);
  }

  /** A body that is still open. */
  private static String hybrid(List<String> queries, @Nullable String filter) {
    return "{\"query\":{\"hybrid\":{\"queries\":["
        + String.join(",", queries)
        + "]"
        + (filter == null ? "" : ",\"filter\":" + filter)
        + "}}";
  }

  private static float score(Hit hit) {
    Float score = hit.score();
    return score == null ? Float.NaN : score;
  }
}
