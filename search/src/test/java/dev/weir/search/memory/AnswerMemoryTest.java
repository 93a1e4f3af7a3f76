package dev.weir.search.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class AnswerMemoryTest {
  private static final int MIB = 1 << 20;

  private final AnswerMemory memory = new AnswerMemory(16 * MIB);

  @Test
  void whatIsTakenIsHeldUntilItIsClosed() {
    try (AnswerBudget budget = memory.open()) {
      budget.take(AnswerPart.DOCUMENTS, 3 * MIB);
      budget.take(AnswerPart.JSON, 1);
      assertThat(budget.heldBytes()).isEqualTo(3 * MIB + 1);
      assertThat(memory.figures().heldBytes()).isBetween(3L * MIB + 1, 3L * MIB + 100_000);
    }
    assertThat(memory.figures()).isEqualTo(new AnswerMemory.Figures(16 * MIB, 0, 0));
  }

  @Test
  void whoFindsNoMemoryIsRefusedAndKeepsWhatItHas() {
    try (AnswerBudget one = memory.open();
        AnswerBudget other = memory.open()) {
      one.take(AnswerPart.DOCUMENTS, 8 * MIB);
      other.take(AnswerPart.DOCUMENTS, 2 * MIB);
      assertThatThrownBy(() -> other.take(AnswerPart.DOCUMENTS, 8 * MIB))
          .isInstanceOfSatisfying(
              SearchException.class,
              refused -> {
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.error().reason())
                    .contains("Data too large, data for [documents] would be [18874368b]")
                    .contains("larger than the limit of [14680064b]")
                    .contains("this answer holds [2097152b]")
                    .contains("[_source]");
                assertThat(refused.error().numbers())
                    .containsEntry("bytes_wanted", 18L * MIB)
                    .containsEntry("bytes_limit", 14L * MIB);
                assertThat(refused.error().details()).containsEntry("durability", "TRANSIENT");
              });
      assertThat(other.heldBytes()).isEqualTo(2 * MIB);
    }
    assertThat(memory.figures()).isEqualTo(new AnswerMemory.Figures(16 * MIB, 0, 1));
  }

  @Test
  void anAnswerThatWouldNeverFitIsToldSo() {
    try (AnswerBudget budget = memory.open()) {
      assertThatThrownBy(() -> budget.take(AnswerPart.DOCUMENTS, 15 * MIB))
          .isInstanceOfSatisfying(
              SearchException.class,
              refused ->
                  assertThat(refused.error().details()).containsEntry("durability", "PERMANENT"));
    }
  }

  @Test
  void largeAnswersLeaveAPartToSmallOnes() {
    try (AnswerBudget large = memory.open();
        AnswerBudget small = memory.open()) {
      large.take(AnswerPart.DOCUMENTS, 14 * MIB);
      assertThatThrownBy(() -> large.take(AnswerPart.DOCUMENTS, 1))
          .isInstanceOf(SearchException.class);
      small.take(AnswerPart.DOCUMENTS, MIB / 2);
      assertThat(small.heldBytes()).isEqualTo(MIB / 2);
    }
  }

  @Test
  void anAnswerThatWasGivenUpTakesNothingMore() {
    AnswerBudget budget = memory.open();
    budget.close();
    assertThatThrownBy(() -> budget.take(AnswerPart.JSON, 1))
        .isInstanceOfSatisfying(SearchException.class, e -> assertThat(e.status()).isEqualTo(503));
    assertThat(memory.figures().heldBytes()).isZero();
  }

  /** Against a list of numbers. */
  @Test
  void theSumOfWhatAnswersHoldIsHeldAndNeverMoreThanTheLimit() {
    long seed = 20_261_130;
    Random random = new Random(seed);
    List<AnswerBudget> open = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      switch (random.nextInt(5)) {
        case 0 -> open.add(memory.open());
        case 1 -> {
          if (!open.isEmpty()) {
            open.remove(random.nextInt(open.size())).close();
          }
        }
        case 2 -> {
          if (!open.isEmpty()) {
            open.get(random.nextInt(open.size())).shrinkTo(random.nextInt(2 * MIB));
          }
        }
        default -> {
          if (!open.isEmpty()) {
            AnswerBudget budget = open.get(random.nextInt(open.size()));
            long before = budget.heldBytes();
            int bytes = random.nextInt(2 * MIB);
            try {
              budget.take(AnswerPart.JSON, bytes);
              assertThat(budget.heldBytes()).as("seed=%d", seed).isEqualTo(before + bytes);
            } catch (SearchException refused) {
              assertThat(budget.heldBytes()).as("seed=%d", seed).isEqualTo(before);
            }
          }
        }
      }
      long sum = open.stream().mapToLong(AnswerBudget::heldBytes).sum();
      assertThat(memory.figures().heldBytes())
          .as("seed=%d step=%d", seed, step)
          .isBetween(sum, Math.min(16L * MIB, sum + open.size() * (16L << 10)));
    }
    open.forEach(AnswerBudget::close);
    assertThat(memory.figures().heldBytes()).isZero();
    assertThat(memory.figures().tripped()).isPositive();
  }
}
