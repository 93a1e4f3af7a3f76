package dev.weir.search.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.evaluation.Metric.Ideal;
import dev.weir.search.evaluation.Metric.Unjudged;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MetricTest {
  private static final int NOT_JUDGED = -1;

  /** Ratings 3, 2, 3, none, 1, 2 down the list: the textbook case of the cumulative gain. */
  private static final List<RankedDocument> TEXTBOOK = ranked(3, 2, 3, NOT_JUDGED, 1, 2);

  private static final List<RatedDocument> JUDGED = judged(3, 2, 3, 1, 2, 0);

  @Test
  void precisionCountsTheRelevantAmongTheHits() {
    assertThat(new Metric.Precision(5, 2, Unjudged.IRRELEVANT).of(TEXTBOOK, JUDGED).value())
        .isEqualTo(3.0 / 5);
    assertThat(new Metric.Precision(5, 2, Unjudged.PASSED_OVER).of(TEXTBOOK, JUDGED).value())
        .isEqualTo(3.0 / 4);
    assertThat(new Metric.Precision(10, 1, Unjudged.IRRELEVANT).of(TEXTBOOK, JUDGED).value())
        .isEqualTo(5.0 / 6);
    assertThat(new Metric.Precision(10, 1, Unjudged.IRRELEVANT).of(List.of(), JUDGED).value())
        .isZero();
  }

  @Test
  void recallIsTheShareOfTheRelevantThatWasFound() {
    assertThat(new Metric.Recall(2, 2).of(TEXTBOOK, JUDGED).value()).isEqualTo(2.0 / 4);
    assertThat(new Metric.Recall(10, 2).of(TEXTBOOK, JUDGED).value()).isEqualTo(1);
    assertThat(new Metric.Recall(10, 4).of(TEXTBOOK, JUDGED).value()).isZero();
  }

  @Test
  void reciprocalRankIsThatOfTheFirstRelevantHit() {
    Metric metric = new Metric.ReciprocalRank(3, 3);
    assertThat(metric.of(ranked(0, NOT_JUDGED, 3), JUDGED).value()).isEqualTo(1.0 / 3);
    assertThat(metric.of(ranked(0, 0, 0, 3), JUDGED).value()).isZero();
    assertThat(metric.of(ranked(0, 0, 0, 3), JUDGED).details().getFirst().number()).isEqualTo(-1);
  }

  @Test
  void cumulativeGainDiscountsByRank() {
    // 7/1 + 3/1.58496 + 7/2 + 0 + 1/2.58496 + 3/2.80735
    assertThat(new Metric.CumulativeGain(6, Ideal.NOT_USED).of(TEXTBOOK, JUDGED).value())
        .isCloseTo(13.848263629272981, within(1e-9));
    assertThat(new Metric.CumulativeGain(6, Ideal.DIVIDES).of(TEXTBOOK, JUDGED).value())
        .isCloseTo(13.848263629272981 / 14.595390756454922, within(1e-9));
  }

  @Test
  void expectedReciprocalRankStopsWhereTheReaderIsSatisfied() {
    // R = 7/8, 0, 3/8 at most 3: 7/8 + (1/8) * (3/8) / 3
    assertThat(new Metric.ExpectedReciprocalRank(3, 3).of(ranked(3, 0, 2), JUDGED).value())
        .isCloseTo(7.0 / 8 + 1.0 / 8 * 3 / 8 / 3, within(1e-12));
  }

  @Test
  void noOrderBeatsTheIdealOne() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Metric metric = new Metric.CumulativeGain(10, Ideal.DIVIDES);
    for (int round = 0; round < 500; round++) {
      int[] ratings = random.ints(1 + random.nextInt(20), 0, 5).toArray();
      double value = metric.of(ranked(ratings), judged(ratings)).value();
      assertThat(value).as("seed=%d", seed).isBetween(0.0, 1.0 + 1e-12);
      int[] best = java.util.Arrays.stream(ratings).map(x -> -x).sorted().map(x -> -x).toArray();
      double ideal = metric.of(ranked(best), judged(ratings)).value();
      assertThat(ideal).as("seed=%d", seed).isEqualTo(best[0] == 0 ? 0.0 : 1.0);
    }
  }

  @Test
  void parametersOutOfBoundsAreRefused() {
    assertThatThrownBy(() -> new Metric.Recall(0, 1)).hasMessageContaining("[k] is 0");
    assertThatThrownBy(() -> new Metric.Recall(1, -1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> new Metric.ExpectedReciprocalRank(1, -1)).hasMessageContaining("-1");
  }

  private static List<RankedDocument> ranked(int... ratings) {
    List<RankedDocument> ranked = new ArrayList<>();
    for (int i = 0; i < ratings.length; i++) {
      ranked.add(
          new RankedDocument(
              new DocumentKey("i", "" + i),
              ratings[i] == NOT_JUDGED ? OptionalInt.empty() : OptionalInt.of(ratings[i])));
    }
    return ranked;
  }

  private static List<RatedDocument> judged(int... ratings) {
    List<RatedDocument> judged = new ArrayList<>();
    for (int i = 0; i < ratings.length; i++) {
      judged.add(new RatedDocument(new DocumentKey("i", "" + i), ratings[i]));
    }
    return judged;
  }
}
