package dev.weir.log.producer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Sequence numbers count from 0 to the largest int and around to 0. */
final class SequencesTest {
  private static final int MAX = Integer.MAX_VALUE;

  @Test
  void zeroFollowsTheLargestInt() {
    assertThat(Sequences.plus(MAX, 1)).isZero();
    assertThat(Sequences.plus(MAX - 1, 1)).isEqualTo(MAX);
    assertThat(Sequences.plus(MAX, MAX)).isEqualTo(MAX - 1);
    assertThat(Sequences.plus(5, 0)).isEqualTo(5);
  }

  @Test
  void theLargestIntIsBeforeZero() {
    assertThat(Sequences.minus(0, 1)).isEqualTo(MAX);
    assertThat(Sequences.minus(MAX - 1, MAX)).isEqualTo(MAX);
    assertThat(Sequences.minus(7, 7)).isZero();
    assertThat(Sequences.minus(7, 0)).isEqualTo(7);
  }

  @Test
  void aBatchAcrossTheEndKnowsItsFirstSequenceAndOffset() {
    BatchMark mark = new BatchMark(1, 103, 3, 0);
    assertThat(mark.firstSequence()).isEqualTo(MAX - 1);
    assertThat(mark.firstOffset()).isEqualTo(100);
  }
}
