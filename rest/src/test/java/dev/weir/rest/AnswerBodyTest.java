package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerMemory;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AnswerBodyTest {
  /** Pieces of 512, 1024, ... bytes end after 512, 1536, ... bytes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 512, 513, 1_536, 1_537, 65_024, 130_560, 200_000})
  void whatIsTakenBackLeavesNoPieceThatNobodyHolds(int before) {
    byte[] bytes = new byte[300_000];
    new Random(before).nextBytes(bytes);
    try (AnswerBudget budget = new AnswerMemory(10_000_000).open()) {
      AnswerBody.Writer out = new AnswerBody.Writer(budget);
      out.write(bytes, 0, before);
      long heldBefore = budget.heldBytes();
      out.write(bytes, 0, bytes.length);
      out.truncateTo(before);
      budget.shrinkTo(heldBefore);
      assertThat(out.size()).isEqualTo(before);
      out.write(bytes, before, bytes.length - before);
      assertThat(out.body().bytes()).isEqualTo(bytes);
      assertThat(budget.heldBytes()).isGreaterThanOrEqualTo(bytes.length);
    }
  }
}
