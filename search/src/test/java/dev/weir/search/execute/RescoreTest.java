package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.NumericKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rescoring against what the two queries give alone, combined by hand. */
class RescoreTest {
  private static final List<String> WORDS = List.of("red", "green", "blue");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theWindowIsOrderedAnewAndTheRestFollows(long seed) {
    Random random = new Random(seed);
    try (TestIndex index = corpus(random)) {
      TestSearches search = new TestSearches(index.open());
      String first =
          random.nextBoolean()
              ? match("red green", random)
              : "{\"hybrid\":{\"queries\":["
                  + match("red", random)
                  + ","
                  + match("green", random)
                  + "]}}";
      String second = match("blue", random);
      int window = 1 + random.nextInt(30);
      List<Hit> before = search.search("i", "{\"query\":" + first + ",\"size\":300}").hits();
      Map<String, Float> rescores = new HashMap<>();
      search
          .search("i", "{\"query\":" + second + ",\"size\":300}")
          .hits()
          .forEach(hit -> rescores.put(hit.id(), score(hit)));
      record Expected(String id, float score) {}
      List<Expected> expected = new ArrayList<>();
      for (Hit hit : before.subList(0, Math.min(window, before.size()))) {
        Float rescore = rescores.get(hit.id());
        float whole = 0.5f * score(hit) + (rescore == null ? 0 : 2 * rescore);
        expected.add(new Expected(hit.id(), whole));
      }
      expected.sort(Comparator.comparingDouble(each -> -each.score())); // stable for the rest
      for (Hit hit : before.subList(Math.min(window, before.size()), before.size())) {
        expected.add(new Expected(hit.id(), score(hit)));
      }
      SearchResponse response =
          search.search(
              "i",
              "{\"query\":"
                  + first
                  + ",\"explain\":true,\"size\":300,\"rescore\":{\"window_size\":"
                  + window
                  + ",\"query\":{\"rescore_query\":"
                  + second
                  + ",\"query_weight\":0.5,\"rescore_query_weight\":2}}}");
      assertThat(response.hits()).hasSameSizeAs(expected);
      assertThat(response.maxScore()).isEqualTo(score(response.hits().getFirst()));
      Map<String, Float> scores = new HashMap<>();
      expected.forEach(each -> scores.put(each.id(), each.score()));
      for (int i = 0; i < expected.size(); i++) {
        Hit hit = response.hits().get(i);
        assertThat(score(hit)).isCloseTo(expected.get(i).score(), within(1e-5f));
        assertThat(score(hit)).isCloseTo(scores.getOrDefault(hit.id(), -1f), within(1e-5f));
        var explanation = hit.explanation();
        assertThat(explanation == null ? null : explanation.getValue().floatValue())
            .isEqualTo(score(hit));
      }
      String page = first + ",\"from\":3,\"size\":4,\"rescore\":{\"window_size\":" + window;
      assertThat(
              search.ids(
                  "i",
                  "{\"query\":"
                      + page
                      + ",\"query\":{\"rescore_query\":"
                      + second
                      + ",\"query_weight\":0.5,\"rescore_query_weight\":2}}}"))
          .isEqualTo(response.hits().stream().skip(3).limit(4).map(Hit::id).toList());
    }
  }

  @ParameterizedTest
  @CsvSource({"total,5", "multiply,6", "avg,2.5", "max,3", "min,2"})
  void twoScoresBecomeOne(String mode, float expected) {
    try (TestIndex index = corpus(new Random(1))) {
      String constant = "{\"constant_score\":{\"filter\":{\"match_all\":{}},\"boost\":%d}}";
      String body =
          "{\"query\":"
              + constant.formatted(2)
              + ",\"rescore\":[{\"query\":{\"score_mode\":\""
              + mode
              + "\",\"rescore_query\":"
              + constant.formatted(3)
              + "}}]}";
      assertThat(new TestSearches(index.open()).search("i", body).maxScore()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "'rescore':{} ~ missing rescore type",
        "'rescore':{'query':{}} ~ rescore_query",
        "'rescore':{'window_size':0,'query':{'rescore_query':{'match_all':{}}}} ~ window_size",
        "'rescore':{'query':{'rescore_query':{'match_all':{}},'score_mode':'x'}} ~ score_mode",
        "'sort':'n','rescore':{'query':{'rescore_query':{'match_all':{}}}} ~ in conjunction",
      })
  void whatMeansNothingIsRefused(String options, String reason) {
    try (TestIndex index = corpus(new Random(1))) {
      SearchException refusal =
          catchThrowableOfType(
              SearchException.class,
              () ->
                  new TestSearches(index.open()).ids("i", "{" + options.replace('\'', '"') + "}"));
      assertThat(refusal.status()).isEqualTo(400);
      assertThat(refusal.error().reason()).contains(reason);
    }
  }

  private static String match(String words, Random random) {
    return "{\"match\":{\"text\":{\"query\":\""
        + words
        + "\",\"boost\":"
        + (1 + random.nextInt(3))
        + "}}}";
  }

  private static TestIndex corpus(Random random) {
    TestIndex index =
        new TestIndex(
            "i",
            TestIndex.mapping(
                Map.of(
                    "text", FieldType.Text.DEFAULT, "n", FieldType.Numeric.of(NumericKind.LONG))),
            3);
    for (int i = 0; i < 80; i++) {
      StringBuilder text = new StringBuilder("x");
      for (String word : WORDS) {
        text.append((" " + word).repeat(random.nextInt(3)));
      }
      text.append(" y".repeat(random.nextInt(20)));
      int shard = random.nextInt(3);
      index.put(shard, "d" + i, Map.of("text", text.toString(), "n", i), "{}");
      if (random.nextInt(10) == 0) {
        index.cut(shard);
      }
    }
    return index;
  }

  private static float score(Hit hit) {
    Float score = hit.score();
    return score == null ? Float.NaN : score;
  }
}
