package dev.weir.search.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Distances and scores by hand, and the axioms of a metric where a measure claims to be one. */
class MeasureTest {

  @ParameterizedTest(name = "{0} of [{1}] and [{2}]")
  @CsvSource({
    // measure, one, other, distance, score
    "SQUARED_EUCLIDEAN, 1 2 3, 1 2 3, 0, 1",
    "SQUARED_EUCLIDEAN, 1 1 1, 4 5 1, 25, 0.0384615",
    "SQUARED_EUCLIDEAN, 0 0 0, 1 0 0, 1, 0.5",
    "MANHATTAN, 1 1 1, 4 -3 1, 7, 0.125",
    "MANHATTAN, 0 0 0, 0 0 0, 0, 1",
    "CHEBYSHEV, 1 1 1, 4 -3 1, 4, 0.2",
    "CHEBYSHEV, 0 0 0, -1 1 0, 1, 0.5",
    "COSINE, 2 0 0, 5 0 0, 0, 1",
    "COSINE, 1 0 0, 0 3 0, 1, 0.5",
    "COSINE, 1 0 0, -2 0 0, 2, 0",
    "COSINE, 3 4 0, 4 3 0, 0.04, 0.98",
    "NEGATED_DOT, 1 1 1, 1 2 3, -6, 7",
    "NEGATED_DOT, 1 1 1, -1 -2 -3, 6, 0.142857",
    "NEGATED_DOT, 1 0 0, 0 1 0, 0, 1",
  })
  void distanceAndScoreAreAsComputedByHand(
      Measure measure, String one, String other, double distance, double score) {
    float[] left = floats(one);
    float[] right = floats(other);
    assertThat(measure.distance(left, right)).isCloseTo(distance, within(1e-6));
    assertThat((double) measure.score(distance)).isCloseTo(score, within(1e-6));
    assertThat(measure.distance(bytes(left), bytes(right))).isCloseTo(distance, within(1e-6));
  }

  @ParameterizedTest
  @CsvSource({
    "0 0, 0 0, 0, 1",
    "5 0, 6 0, 2, 0.333333", // 101 and 110
    "-1 0, 0 0, 8, 0.111111",
    "-1 -1, 0 0, 16, 0.0588235",
  })
  void hammingCountsBits(String one, String other, double distance, double score) {
    assertThat(Measure.HAMMING.distance(bytes(floats(one)), bytes(floats(other))))
        .isEqualTo(distance);
    assertThat((double) Measure.HAMMING.score(distance)).isCloseTo(score, within(1e-6));
    assertThatThrownBy(() -> Measure.HAMMING.distance(floats(one), floats(other)))
        .hasMessageContaining("bits");
  }

  @ParameterizedTest
  @EnumSource
  void whatClaimsToBeAMetricIsOneOverBytes(Measure measure) {
    Random random = new Random(41);
    for (int round = 0; round < 20_000 && measure.isMetric(); round++) {
      int dimension = 1 + random.nextInt(6);
      byte[][] some = new byte[3][dimension];
      int span = 1 + random.nextInt(128); // small ones too, so that some are equal
      for (byte[] each : some) {
        for (int i = 0; i < dimension; i++) {
          each[i] = (byte) (random.nextInt(2 * span) - span);
        }
      }
      double direct = measure.distance(some[0], some[1]);
      assertThat(direct).isGreaterThanOrEqualTo(0);
      assertThat(direct == 0).isEqualTo(java.util.Arrays.equals(some[0], some[1]));
      assertThat(measure.distance(some[1], some[0])).isEqualTo(direct);
      double byWayOfThird = measure.distance(some[0], some[2]) + measure.distance(some[2], some[1]);
      assertThat(direct).isLessThanOrEqualTo(byWayOfThird);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MANHATTAN", "CHEBYSHEV"})
  void whatClaimsToBeAMetricIsOneOverFloats(Measure measure) {
    Random random = new Random(43);
    assertThat(measure.isMetric()).isTrue();
    for (int round = 0; round < 20_000; round++) {
      int dimension = 1 + random.nextInt(6);
      float[][] some = new float[3][dimension];
      for (float[] each : some) {
        for (int i = 0; i < dimension; i++) {
          each[i] = random.nextInt(3) == 0 ? 1 : (float) random.nextGaussian();
        }
      }
      double direct = measure.distance(some[0], some[1]);
      assertThat(direct).isGreaterThanOrEqualTo(0);
      assertThat(direct == 0).isEqualTo(java.util.Arrays.equals(some[0], some[1]));
      assertThat(measure.distance(some[1], some[0])).isEqualTo(direct);
      double byWayOfThird = measure.distance(some[0], some[2]) + measure.distance(some[2], some[1]);
      assertThat(direct).isLessThanOrEqualTo(byWayOfThird + 1e-9 * byWayOfThird);
    }
  }

  @Test
  void theOthersBreakAnAxiomAndSaySo() {
    // The way over 1 is shorter than the direct one: 1 + 1 < 4.
    Measure squared = Measure.SQUARED_EUCLIDEAN;
    assertThat(squared.distance(floats("0"), floats("2")))
        .isGreaterThan(
            squared.distance(floats("0"), floats("1"))
                + squared.distance(floats("1"), floats("2")));
    assertThat(squared.isMetric()).isFalse();
    // Different vectors at distance 0.
    assertThat(Measure.COSINE.distance(floats("1 0"), floats("2 0"))).isZero();
    assertThat(Measure.COSINE.isMetric()).isFalse();
    // A negative distance.
    assertThat(Measure.NEGATED_DOT.distance(floats("1 1"), floats("1 1"))).isNegative();
    assertThat(Measure.NEGATED_DOT.isMetric()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void theNearerScoresHigherAndNoneBelowZero(Measure measure) {
    float before = Float.POSITIVE_INFINITY;
    for (double distance = measure == Measure.NEGATED_DOT ? -5 : 0; distance <= 2; distance += .1) {
      float score = measure.score(distance);
      assertThat(score).isLessThan(before).isGreaterThanOrEqualTo(0);
      before = score;
    }
  }

  private static float[] floats(String text) {
    String[] parts = text.split(" ", -1);
    float[] values = new float[parts.length];
    for (int i = 0; i < parts.length; i++) {
      values[i] = Float.parseFloat(parts[i]);
    }
    return values;
  }

  private static byte[] bytes(float[] floats) {
    byte[] values = new byte[floats.length];
    for (int i = 0; i < floats.length; i++) {
      values[i] = (byte) floats[i];
    }
    return values;
  }
}
