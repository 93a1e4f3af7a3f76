package dev.weir.search.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arithmetic, against tables worked out by hand. */
class HybridRankingTest {
  private static final Normalization MIN_MAX = Normalization.MinMax.DEFAULT;
  private static final Normalization L2 = new Normalization.L2();

  /** Documents 1, 2, 3 with scores 4, 3, 1, and documents 2, 4 with scores 0.9, 0.5. */
  private static final List<List<SubQueryHit>> TWO_LISTS =
      List.of(
          List.of(hit(0, 1, 0, 4f), hit(0, 2, 1, 3f), hit(0, 3, 2, 1f)),
          List.of(hit(0, 2, 0, 0.9f), hit(0, 4, 1, 0.5f)));

  @Test
  void minMaxWithArithmeticMean() {
    assertRanking(
        rank(MIN_MAX, Combination.ARITHMETIC_MEAN, Weights.EQUAL, TWO_LISTS),
        new HybridHit(0, 2, 0.833333f),
        new HybridHit(0, 1, 0.5f),
        new HybridHit(0, 3, 0.0005f),
        new HybridHit(0, 4, 0.0005f));
  }

  @Test
  void minMaxWithWeightedArithmeticMean() {
    assertRanking(
        rank(MIN_MAX, Combination.ARITHMETIC_MEAN, new Weights(List.of(0.7, 0.3)), TWO_LISTS),
        new HybridHit(0, 2, 0.766667f),
        new HybridHit(0, 1, 0.7f),
        new HybridHit(0, 3, 0.0007f),
        new HybridHit(0, 4, 0.0003f));
  }

  @Test
  void l2WithArithmeticMean() {
    assertRanking(
        rank(L2, Combination.ARITHMETIC_MEAN, Weights.EQUAL, TWO_LISTS),
        new HybridHit(0, 2, 0.731253f),
        new HybridHit(0, 1, 0.392232f),
        new HybridHit(0, 4, 0.242821f),
        new HybridHit(0, 3, 0.098058f));
  }

  @Test
  void geometricMeanLeavesMissingListsOut() {
    assertRanking(
        rank(MIN_MAX, Combination.GEOMETRIC_MEAN, Weights.EQUAL, TWO_LISTS),
        new HybridHit(0, 1, 1f),
        new HybridHit(0, 2, 0.816497f),
        new HybridHit(0, 3, 0.001f),
        new HybridHit(0, 4, 0.001f));
  }

  @Test
  void harmonicMeanLeavesMissingListsOut() {
    assertRanking(
        rank(MIN_MAX, Combination.HARMONIC_MEAN, Weights.EQUAL, TWO_LISTS),
        new HybridHit(0, 1, 1f),
        new HybridHit(0, 2, 0.8f),
        new HybridHit(0, 3, 0.001f),
        new HybridHit(0, 4, 0.001f));
  }

  @Test
  void weightsOfMeansWithoutMissingListsCountOnlyThoseThatFound() {
    assertRanking(
        rank(MIN_MAX, Combination.HARMONIC_MEAN, new Weights(List.of(0.25, 0.75)), TWO_LISTS),
        new HybridHit(0, 1, 1f),
        new HybridHit(0, 2, 0.888889f),
        new HybridHit(0, 3, 0.001f),
        new HybridHit(0, 4, 0.001f));
  }

  @Test
  void equalScoresAndASingleResultAreAllOne() {
    assertRanking(
        rank(
            MIN_MAX,
            Combination.ARITHMETIC_MEAN,
            Weights.EQUAL,
            List.of(List.of(hit(0, 5, 0, 2f), hit(1, 5, 0, 2f)), List.of(hit(1, 5, 0, 0.25f)))),
        new HybridHit(1, 5, 1f),
        new HybridHit(0, 5, 0.5f));
  }

  @Test
  void aScoreOfZeroIsStillAMatch() {
    assertRanking(
        rank(L2, Combination.ARITHMETIC_MEAN, Weights.EQUAL, List.of(List.of(hit(0, 7, 0, 0f)))),
        new HybridHit(0, 7, 0f));
    assertRanking(
        rank(
            MIN_MAX,
            Combination.ARITHMETIC_MEAN,
            Weights.EQUAL,
            List.of(List.of(hit(0, 6, 0, 3f), hit(0, 7, 1, 0f)))),
        new HybridHit(0, 6, 1f),
        new HybridHit(0, 7, 0.001f));
  }

  @Test
  void statisticsAreTakenOverAllShardsTogether() {
    assertRanking(
        rank(
            MIN_MAX,
            Combination.ARITHMETIC_MEAN,
            Weights.EQUAL,
            List.of(
                List.of(hit(0, 1, 0, 10f), hit(0, 2, 1, 6f), hit(1, 1, 0, 8f), hit(1, 2, 1, 2f)))),
        new HybridHit(0, 1, 1f),
        new HybridHit(1, 1, 0.75f),
        new HybridHit(0, 2, 0.5f),
        new HybridHit(1, 2, 0.001f));
  }

  @Test
  void equalScoresAreOrderedByShardThenDocument() {
    assertThat(
            rank(
                MIN_MAX,
                Combination.ARITHMETIC_MEAN,
                Weights.EQUAL,
                List.of(
                    List.of(hit(2, 1, 0, 1f), hit(0, 9, 0, 1f)),
                    List.of(hit(0, 3, 0, 5f), hit(1, 4, 0, 5f)))))
        .extracting(HybridHit::shard, HybridHit::doc)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(0, 3),
            org.assertj.core.groups.Tuple.tuple(0, 9),
            org.assertj.core.groups.Tuple.tuple(1, 4),
            org.assertj.core.groups.Tuple.tuple(2, 1));
  }

  @Test
  void nothingFoundGivesNothing() {
    assertThat(
            rank(
                MIN_MAX, Combination.ARITHMETIC_MEAN, Weights.EQUAL, List.of(List.of(), List.of())))
        .isEmpty();
  }

  @Test
  void documentsPastTheWindowFollowByRankWithoutAScoreAndLeaveTheStatisticsAlone() {
    List<HybridHit> ranking =
        HybridRanking.of(
                HybridScoring.DEFAULT,
                2,
                List.of(
                    List.of(
                        hit(0, 1, 0, 9f), hit(0, 2, 1, 5f), hit(0, 3, 2, 4f), hit(0, 4, 3, 0.1f)),
                    List.of(
                        hit(0, 5, 0, 3f), hit(0, 1, 1, 2f), hit(0, 4, 2, 1f), hit(0, 2, 3, 1f))))
            .hits();
    assertRanking(
        ranking,
        new HybridHit(0, 1, 0.5005f),
        new HybridHit(0, 5, 0.5f),
        new HybridHit(0, 2, 0.0005f),
        new HybridHit(0, 3, 0f),
        new HybridHit(0, 4, 0f));
  }

  @Test
  void weightsOutOfRangeOrNotSummingToOneAreRefused() {
    assertThatThrownBy(() -> new Weights(List.of(1.5, -0.5))).hasMessageContaining("between");
    assertThatThrownBy(() -> new Weights(List.of(Double.NaN))).hasMessageContaining("between");
    assertThatThrownBy(() -> new Weights(List.of(0.5, 0.3))).hasMessageContaining("sum");
    assertThat(new Weights(List.of(0.33, 0.33, 0.33)).values()).hasSize(3);
    assertThat(new Weights(List.of(1.0, 0.0)).values()).hasSize(2);
  }

  @Test
  void weightsForAnotherNumberOfSubQueriesAreRefused() {
    assertThatThrownBy(
            () -> rank(MIN_MAX, Combination.ARITHMETIC_MEAN, new Weights(List.of(1.0)), TWO_LISTS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("weights=1 queries=2");
  }

  @Test
  void windowComesFromTheQueryAndDepthFromThePage() {
    assertThat(HybridWindow.of(OptionalInt.empty(), 0, 10)).isEqualTo(new HybridWindow(100, 100));
    assertThat(HybridWindow.of(OptionalInt.of(20), 0, 10)).isEqualTo(new HybridWindow(20, 20));
    assertThat(HybridWindow.of(OptionalInt.of(20), 90, 10)).isEqualTo(new HybridWindow(20, 100));
    assertThat(HybridWindow.of(OptionalInt.empty(), 500, 500))
        .isEqualTo(new HybridWindow(100, 1000));
  }

  @Test
  void zScoreWithArithmeticMean() {
    assertRanking(
        rank(new Normalization.ZScore(), Combination.ARITHMETIC_MEAN, Weights.EQUAL, TWO_LISTS),
        new HybridHit(0, 2, 0.462662f),
        new HybridHit(0, 1, 0.436436f),
        new HybridHit(0, 3, 0.0005f),
        new HybridHit(0, 4, 0.0005f));
  }

  @Test
  void zScoreKeepsTheScoresOfAListWithoutDeviation() {
    assertRanking(
        rank(
            new Normalization.ZScore(),
            Combination.ARITHMETIC_MEAN,
            Weights.EQUAL,
            List.of(List.of(hit(0, 1, 0, 3f)), List.of(hit(0, 2, 0, 5f), hit(0, 3, 1, 5f)))),
        new HybridHit(0, 2, 2.5f),
        new HybridHit(0, 3, 2.5f),
        new HybridHit(0, 1, 1.5f));
  }

  @Test
  void zScoreGivesTheMeanOfAListTheLeastAndNotTheMost() {
    assertRanking(
        rank(
            new Normalization.ZScore(),
            Combination.ARITHMETIC_MEAN,
            Weights.EQUAL,
            List.of(List.of(hit(0, 1, 0, 30f), hit(0, 2, 1, 20f), hit(0, 3, 2, 10f)))),
        new HybridHit(0, 1, 1f),
        new HybridHit(0, 2, 0.001f),
        new HybridHit(0, 3, 0.001f));
  }

  @ParameterizedTest
  @CsvSource({
    "APPLY,  4, IGNORE,  0, 1,        0.333333, 0.001",
    "APPLY,  1, IGNORE,  0, 1,        0.555556, 0.111111",
    "APPLY, 20, IGNORE,  0, 1,        0.5,      0.001",
    "CLIP,   4, IGNORE,  0, 1,        0.333333, 0.001",
    "CLIP,   6, IGNORE,  0, 1,        0.001,    0.001",
    "CLIP,  20, IGNORE,  0, 1,        0.5,      0.001",
    "CLIP,  10, IGNORE,  0, 1,        0.001,    0.001",
    "IGNORE, 4, IGNORE,  0, 1,        0.5,      0.001",
    "IGNORE, 0, APPLY,  20, 0.444444, 0.222222, 0.001",
    "IGNORE, 0, APPLY,   1, 1,        0.5,      0.001",
    "IGNORE, 0, CLIP,    6, 1,        1,        0.001",
    "APPLY,  0, CLIP,   20, 0.5,      0.3,      0.1",
  })
  void boundsStandForTheExtremes(
      ScoreBound.Mode low,
      double lower,
      ScoreBound.Mode high,
      double upper,
      float a,
      float b,
      float c) {
    Normalization bounded =
        new Normalization.MinMax(
            List.of(new ScoreBound(low, lower)), List.of(new ScoreBound(high, upper)));
    Normalization.Scale scale =
        bounded.scaleOf(List.of(hit(0, 1, 0, 10f), hit(0, 2, 1, 6f), hit(0, 3, 2, 2f)), 0);
    assertThat(List.of(scale.normalise(10), scale.normalise(6), scale.normalise(2)))
        .usingElementComparator((x, y) -> Math.abs(x - y) < 1e-6 ? 0 : Double.compare(x, y))
        .containsExactly((double) a, (double) b, (double) c);
  }

  @Test
  void boundsMustBeAsManyAsSubQueries() {
    Normalization bounded = new Normalization.MinMax(List.of(ScoreBound.NONE), List.of());
    assertThatThrownBy(() -> rank(bounded, Combination.ARITHMETIC_MEAN, Weights.EQUAL, TWO_LISTS))
        .hasMessageContaining("lower_bounds=1 queries=2");
  }

  @Test
  void ranksAreCountedOverAllShards() {
    List<List<SubQueryHit>> lists =
        List.of(
            List.of(hit(0, 1, 0, 4f), hit(1, 1, 0, 5f), hit(1, 2, 1, 3f)),
            List.of(hit(1, 2, 0, 0.5f), hit(0, 3, 0, 0.9f)));
    HybridRanking ranking =
        HybridRanking.of(new HybridScoring.ByRank(60, Weights.EQUAL), 100, lists);
    assertRanking(
        ranking.hits(),
        new HybridHit(1, 2, 0.0320020f), // 1/63 + 1/62
        new HybridHit(0, 3, 0.0163934f), // 1/61
        new HybridHit(1, 1, 0.0163934f),
        new HybridHit(0, 1, 0.0161290f)); // 1/62
    assertThat(ranking.part(1, 2, 1)).hasValue(0.0161290323);
    assertThat(ranking.part(1, 1, 1)).isEmpty();
    assertRanking(
        HybridRanking.of(
                new HybridScoring.ByRank(40, new Weights(List.of(0.7, 0.3))),
                100,
                List.of(List.of(hit(0, 1, 0, 2f)), List.of(hit(0, 1, 0, 1f))))
            .hits(),
        new HybridHit(0, 1, 0.0243902f));
  }

  @Test
  void techniquesMustGoTogether() {
    assertThatThrownBy(
            () ->
                new HybridScoring.ByScore(
                    new Normalization.ZScore(), Combination.HARMONIC_MEAN, Weights.EQUAL))
        .hasMessageContaining("arithmetic_mean");
    assertThatThrownBy(() -> new HybridScoring.ByRank(0, Weights.EQUAL))
        .hasMessageContaining("10000");
  }

  private static SubQueryHit hit(int shard, int doc, int rank, float score) {
    return new SubQueryHit(shard, doc, rank, score);
  }

  private static List<HybridHit> rank(
      Normalization normalization,
      Combination combination,
      Weights weights,
      List<List<SubQueryHit>> lists) {
    return HybridRanking.of(
            new HybridScoring.ByScore(normalization, combination, weights), 100, lists)
        .hits();
  }

  private static void assertRanking(List<HybridHit> actual, HybridHit... expected) {
    List<Integer> places = new ArrayList<>();
    for (HybridHit hit : actual) {
      places.add(hit.shard() * 1000 + hit.doc());
    }
    List<Integer> expectedPlaces = new ArrayList<>();
    for (HybridHit hit : expected) {
      expectedPlaces.add(hit.shard() * 1000 + hit.doc());
    }
    assertThat(places).isEqualTo(expectedPlaces);
    for (int i = 0; i < expected.length; i++) {
      assertThat(actual.get(i).score()).isCloseTo(expected[i].score(), within(1e-6f));
    }
  }
}
