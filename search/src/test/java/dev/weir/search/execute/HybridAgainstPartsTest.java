package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.SpaceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A hybrid search gives what its sub-queries give when they run alone and somebody combines their
 * scores by hand: no document is lost, whatever the other sub-queries match.
 */
class HybridAgainstPartsTest {
  private static final List<String> WORDS = List.of("red", "green", "blue", "rare");

  /** What a search may ask for besides. */
  private static final List<String> OTHERS =
      List.of(
          ",\"explain\":true",
          ",\"min_score\":0.3",
          ",\"sort\":[{\"_doc\":\"desc\"}]",
          ",\"track_total_hits\":3",
          ",\"post_filter\":{\"match\":{\"text\":\"green\"}}",
          ",\"highlight\":{\"fields\":{\"text\":{}}}",
          ",\"aggs\":{\"f\":{\"filters\":{\"filters\":{\"r\":{\"match\":{\"text\":\"red\"}}}},"
              + "\"aggs\":{\"best\":{\"top_hits\":{\"size\":4}}}}}",
          ",\"rescore\":{\"window_size\":20,\"query\":{\"rescore_query\":"
              + "{\"match\":{\"text\":\"blue\"}}}}");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19})
  void isWhatItsQueriesGiveAlone(int seed) {
    Random random = new Random(seed);
    Map<String, Integer> shardById = new HashMap<>();
    try (TestIndex index = corpus(random, 1 + random.nextInt(4), shardById)) {
      TestSearches search = new TestSearches(index.open());
      for (int round = 0; round < 15; round++) {
        Technique technique = Technique.values()[random.nextInt(Technique.values().length)];
        List<String> queries = queries(random);
        @Nullable List<Double> weights = weights(random, queries.size());
        int depth = 1 + random.nextInt(random.nextBoolean() ? 12 : 200);
        int size = 1 + random.nextInt(60);
        List<Map<String, Float>> lists = new ArrayList<>();
        for (String query : queries) {
          lists.add(alone(search, query, shardById, depth));
        }
        Map<String, Double> expected = technique.combined(lists, weights);
        String body =
            "{\"query\":{\"hybrid\":{\"pagination_depth\":"
                + depth
                + ",\"queries\":["
                + String.join(",", queries)
                + "]}},\"size\":"
                + size
                + ",\"search_pipeline\":"
                + technique.pipeline(weights)
                + "}";
        assertEqual(search.search("i", body).hits(), expected, size, seed + " " + body);
      }
    }
  }

  /** Three groups of segments where there are as many; a pool that is full now and then. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
  void segmentsSearchedSideBySideGiveTheAnswerOfOneThread(int seed) {
    Random random = new Random(seed);
    SearchSettings sideBySide = sliced(new Slicing(Slicing.Mode.ALL, 3));
    SearchSettings oneThread = sliced(new Slicing(Slicing.Mode.NONE, 0));
    try (TestIndex index = corpus(random, 1 + random.nextInt(3), new HashMap<>());
        ThreadPoolExecutor threads =
            new ThreadPoolExecutor(3, 3, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(2))) {
      TestSearches one = new TestSearches(index.open(oneThread));
      TestSearches several = new TestSearches(index.open(sideBySide)).helpedBy(threads);
      for (int round = 0; round < 30; round++) {
        List<String> queries = queries(random);
        queries.add("{\"knn\":{\"v\":{\"vector\":[1,0.5],\"min_score\":0.9}}}");
        String filter = "{\"match\":{\"text\":\"" + WORDS.get(random.nextInt(3)) + "\"}}";
        String hybrid =
            "{\"hybrid\":{\"queries\":["
                + String.join(",", queries)
                + "],\"filter\":"
                + filter
                + "}}";
        String body =
            "{\"query\":"
                + (random.nextBoolean() ? hybrid : queries.getFirst())
                + ",\"size\":"
                + random.nextInt(40)
                + ",\"from\":"
                + random.nextInt(3)
                + OTHERS.get(random.nextInt(OTHERS.size()))
                + "}";
        assertThat(written(several.search("i", body)))
            .as(seed + " " + body)
            .isEqualTo(written(one.search("i", body)));
      }
    }
  }

  private static SearchSettings sliced(Slicing slicing) {
    SearchSettings settings = SearchSettings.DEFAULT;
    return new SearchSettings(
        settings.maxResultWindow(),
        settings.maxInnerResultWindow(),
        settings.defaultPipeline(),
        settings.hybridQueriesMax(),
        settings.docValueFieldsMax(),
        settings.vectors(),
        slicing);
  }

  private static String written(SearchResponse response) {
    return TestSearches.json(response::write);
  }

  private static void assertEqual(
      List<Hit> hits, Map<String, Double> expected, int size, String what) {
    List<Float> best =
        expected.values().stream()
            .sorted(Comparator.reverseOrder())
            .limit(size)
            .map(Double::floatValue)
            .toList();
    assertThat(hits).as(what).hasSizeGreaterThanOrEqualTo(best.size());
    for (int i = 0; i < hits.size(); i++) {
      float score = score(hits.get(i));
      String id = hits.get(i).id();
      // past the window documents have the score 0
      assertThat(score).as(what + " hit " + i).isCloseTo(i < best.size() ? best.get(i) : 0f, eps());
      assertThat(score)
          .as(what + " id " + id)
          .isCloseTo(expected.getOrDefault(id, 0.0).floatValue(), eps());
    }
    assertThat(hits).extracting(Hit::id).doesNotHaveDuplicates();
  }

  private static org.assertj.core.data.Offset<Float> eps() {
    return within(2e-5f);
  }

  private enum Technique {
    MIN_MAX_ARITHMETIC("min_max", "arithmetic_mean"),
    MIN_MAX_GEOMETRIC("min_max", "geometric_mean"),
    MIN_MAX_HARMONIC("min_max", "harmonic_mean"),
    L2_ARITHMETIC("l2", "arithmetic_mean"),
    L2_GEOMETRIC("l2", "geometric_mean"),
    L2_HARMONIC("l2", "harmonic_mean"),
    Z_SCORE("z_score", "arithmetic_mean"),
    RRF("", "rrf");

    private final String normalization;
    private final String combination;

    Technique(String normalization, String combination) {
      this.normalization = normalization;
      this.combination = combination;
    }

    String pipeline(@Nullable List<Double> weights) {
      String combining =
          "\"combination\":{\"technique\":\""
              + combination
              + "\""
              + (weights == null ? "" : ",\"parameters\":{\"weights\":" + weights + "}")
              + "}";
      String processor =
          this == RRF
              ? "\"score-ranker-processor\":{" + combining + "}"
              : "\"normalization-processor\":{\"normalization\":{\"technique\":\""
                  + normalization
                  + "\"},"
                  + combining
                  + "}";
      return "{\"phase_results_processors\":[{" + processor + "}]}";
    }

    Map<String, Double> combined(List<Map<String, Float>> lists, @Nullable List<Double> weights) {
      List<Map<String, Double>> normalised = lists.stream().map(this::normalised).toList();
      Map<String, Double> combined = new TreeMap<>();
      for (Map<String, Double> list : normalised) {
        for (String id : list.keySet()) {
          double sum = 0;
          double found = 0;
          double all = 0;
          for (int i = 0; i < normalised.size(); i++) {
            double weight = weights == null ? 1 : weights.get(i);
            Double score = normalised.get(i).get(id);
            all += weight;
            if (score != null && score > 0) {
              found += weight;
              sum +=
                  switch (combination) {
                    case "geometric_mean" -> weight * Math.log(score);
                    case "harmonic_mean" -> weight / score;
                    default -> weight * score;
                  };
            }
          }
          double total = sum;
          combined.put(
              id,
              switch (combination) {
                case "geometric_mean" -> found == 0 ? 0 : Math.exp(total / found);
                case "harmonic_mean" -> found == 0 ? 0 : found / total;
                case "rrf" -> total;
                default -> total / all;
              });
        }
      }
      return combined;
    }

    private Map<String, Double> normalised(Map<String, Float> list) {
      double[] scores = list.values().stream().mapToDouble(Float::doubleValue).toArray();
      double min = DoubleStream.of(scores).min().orElse(0);
      double max = DoubleStream.of(scores).max().orElse(0);
      double mean = DoubleStream.of(scores).average().orElse(0);
      double squares = DoubleStream.of(scores).map(score -> score * score).sum();
      double deviation =
          Math.sqrt(
              DoubleStream.of(scores).map(score -> (score - mean) * (score - mean)).sum()
                  / (scores.length - 1));
      Map<String, Double> normalised = new HashMap<>();
      int rank = 0;
      for (Map.Entry<String, Float> entry : list.entrySet()) {
        rank++;
        double score = entry.getValue();
        double value =
            switch (normalization) {
              case "min_max" -> max == min ? 1 : score == min ? 0.001 : (score - min) / (max - min);
              case "l2" -> squares == 0 ? 0 : score / Math.sqrt(squares);
              case "z_score" -> max == min ? score : (score - mean) / deviation;
              default -> 1.0 / (60 + rank);
            };
        normalised.put(
            entry.getKey(), normalization.equals("z_score") && value <= 0 ? 0.001 : value);
      }
      return normalised;
    }
  }

  /** The query's best on each shard, best first; equal scores by shard, then document. */
  private static Map<String, Float> alone(
      TestSearches search, String query, Map<String, Integer> shardById, int depth) {
    Map<String, Float> scores = new LinkedHashMap<>();
    Map<Integer, Integer> taken = new HashMap<>();
    for (Hit hit : search.search("i", "{\"query\":" + query + ",\"size\":500}").hits()) {
      if (taken.merge(shardById.getOrDefault(hit.id(), -1), 1, Integer::sum) <= depth) {
        scores.put(hit.id(), score(hit));
      }
    }
    return scores;
  }

  private static TestIndex corpus(Random random, int shards, Map<String, Integer> shardById) {
    TestIndex index =
        new TestIndex(
            "i",
            TestIndex.mapping(
                Map.of(
                    "text",
                    FieldType.Text.DEFAULT,
                    "v",
                    new FieldType.KnnVector(2, SpaceType.INNER_PRODUCT, KnnMethod.DEFAULT))),
            shards);
    int docs = 20 + random.nextInt(150);
    for (int doc = 0; doc < docs; doc++) {
      StringBuilder text = new StringBuilder("all ");
      for (String word : WORDS) {
        boolean has = random.nextInt(word.equals("rare") ? 40 : 3) == 0;
        text.append(has ? (word + " ").repeat(1 + random.nextInt(3)) : "");
      }
      Map<String, Object> fields = new HashMap<>();
      fields.put("text", text.toString());
      if (random.nextInt(4) > 0) {
        fields.put("v", new float[] {random.nextFloat() * 4 - 2, random.nextFloat() * 4 - 2});
      }
      int shard = random.nextInt(shards);
      shardById.put("d" + doc, shard);
      index.put(shard, "d" + doc, fields, "{}");
      if (random.nextInt(15) == 0) {
        index.cut(shard);
      }
      if (random.nextInt(12) == 0) {
        index.delete(shard, "d" + random.nextInt(doc + 1));
      }
    }
    return index;
  }

  private static List<String> queries(Random random) {
    List<String> queries = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      String word = WORDS.get(random.nextInt(WORDS.size()));
      queries.add(
          switch (random.nextInt(5)) {
            case 0 -> "{\"match\":{\"text\":\"" + word + "\"}}";
            case 1 -> "{\"match\":{\"text\":\"all " + word + "\"}}";
            case 2 -> "{\"constant_score\":{\"filter\":{\"match\":{\"text\":\"" + word + "\"}}}}";
            case 3 -> "{\"match\":{\"text\":\"nowhere\"}}";
            default ->
                String.format(
                    Locale.ROOT,
                    "{\"knn\":{\"v\":{\"vector\":[%.3f,%.3f],\"k\":%d}}}",
                    random.nextFloat() * 2 - 1,
                    random.nextFloat() * 2 - 1,
                    1 + random.nextInt(60));
          });
    }
    return queries;
  }

  private static @Nullable List<Double> weights(Random random, int count) {
    if (random.nextBoolean()) {
      return null;
    }
    List<Double> weights = new ArrayList<>();
    double left = 1;
    for (int i = 1; i < count; i++) {
      double weight = Math.floor(random.nextDouble() * left * 100) / 100;
      weights.add(weight);
      left -= weight;
    }
    weights.add(Math.round(left * 100) / 100.0);
    return weights;
  }

  private static float score(Hit hit) {
    Float score = hit.score();
    return score == null ? Float.NaN : score;
  }
}
