package dev.weir.search.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import dev.weir.search.memory.AnswerShares.Attempt;
import dev.weir.search.memory.AnswerShares.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
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

  @Test
  void theFirstThatFindsNoMemoryWaitsUntilOthersGiveBack() throws Exception {
    AnswerBudget other = memory.open();
    other.take(AnswerPart.DOCUMENTS, 8 * MIB);
    try (AnswerBudget first = memory.open()) {
      Future<?> waiting = waiting(first, 10 * MIB);
      // What others hold comes back: they get no more than the part that is for small answers.
      assertThatThrownBy(() -> other.take(AnswerPart.DOCUMENTS, MIB))
          .isInstanceOf(SearchException.class);
      assertThat(waiting.isDone()).isFalse();
      other.close();
      waiting.get(20, TimeUnit.SECONDS);
      assertThat(first.heldBytes()).isEqualTo(10 * MIB);
    }
  }

  @Test
  void whoWaitsAndIsAbandonedIsFree() throws Exception {
    try (AnswerBudget other = memory.open();
        AnswerBudget first = memory.open()) {
      other.take(AnswerPart.DOCUMENTS, 8 * MIB);
      Future<?> waiting = waiting(first, 10 * MIB);
      first.abandon();
      assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
          .hasMessageContaining("its client has hung up");
    }
  }

  @Test
  void whoWaitsAndIsClosedIsFree() throws Exception {
    try (AnswerBudget other = memory.open()) {
      other.take(AnswerPart.DOCUMENTS, 8 * MIB);
      AnswerBudget first = memory.open();
      Future<?> waiting = waiting(first, 10 * MIB);
      first.close();
      assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
          .hasMessageContaining("nobody waits for this answer any more");
    }
    assertThat(memory.figures().heldBytes()).isZero();
  }

  @Test
  void nobodyWaitsLongerThanTheBound() {
    AnswerMemory hasty = new AnswerMemory(16 * MIB, Duration.ofMillis(1));
    try (AnswerBudget other = hasty.open();
        AnswerBudget first = hasty.open()) {
      other.take(AnswerPart.DOCUMENTS, 8 * MIB);
      first.mayWaitHere();
      assertThatThrownBy(() -> first.take(AnswerPart.DOCUMENTS, 10 * MIB))
          .isInstanceOfSatisfying(
              SearchException.class, e -> assertThat(e.status()).isEqualTo(429));
      assertThat(first.isFirst()).as("another one may wait").isFalse();
      first.take(AnswerPart.DOCUMENTS, 5 * MIB); // what there is
      assertThat(first.heldBytes()).isEqualTo(5 * MIB);
    }
  }

  /** What comes back at each wait is taken by others before the last: the waits are one time. */
  @Test
  void allWaitsOfAnAnswerTogetherTakeNoLongerThanTheBound() {
    AnswerShares shares = new AnswerShares(16 * MIB);
    AnswerShare other = new AnswerShare(0);
    AnswerShare first = new AnswerShare(10);
    assertThat(shares.attempt(other, 14 * MIB, Patience.WAITS)).isInstanceOf(Attempt.Taken.class);
    for (int leftNs = 9; leftNs > 0; leftNs--) {
      assertThat(shares.attempt(first, MIB * 2, Patience.WAITS)).isInstanceOf(Attempt.Waits.class);
      assertThat(first.waitLeftNs()).isEqualTo(leftNs + 1);
      shares.waited(first, leftNs);
      shares.shrink(other, other.bytes() - MIB);
      assertThat(shares.attempt(first, MIB, Patience.WAITS)).isInstanceOf(Attempt.Taken.class);
    }
    assertThat(shares.attempt(first, MIB * 2, Patience.WAITS)).isInstanceOf(Attempt.Waits.class);
    shares.waited(first, 0);
    assertThat(shares.attempt(first, MIB * 2, Patience.WAITS)).isInstanceOf(Attempt.Refused.class);
    assertThat(shares.isFirst(first)).isFalse();
  }

  @Test
  void smallAnswersAreServedBesideOneThatWaitsForASlowReader() throws Exception {
    AnswerBudget slowReader = memory.open();
    try (AnswerBudget first = memory.open();
        AnswerBudget large = memory.open()) {
      slowReader.take(AnswerPart.JSON, 8 * MIB);
      Future<?> waiting = waiting(first, 10 * MIB);
      for (int i = 0; i < 1_000; i++) {
        try (AnswerBudget one = memory.open();
            AnswerBudget another = memory.open()) {
          one.take(AnswerPart.DOCUMENTS, MIB);
          another.take(AnswerPart.DOCUMENTS, MIB);
          assertThatThrownBy(() -> large.take(AnswerPart.DOCUMENTS, 1))
              .as("together no more than their part")
              .isInstanceOfSatisfying(
                  SearchException.class,
                  refused ->
                      assertThat(refused.error().numbers())
                          .containsEntry("bytes_wanted", 2L * MIB + (16 << 10))
                          .containsEntry("bytes_limit", 2L * MIB));
        }
      }
      assertThat(waiting.isDone()).isFalse();
      assertThatThrownBy(() -> large.take(AnswerPart.DOCUMENTS, 2 * MIB))
          .isInstanceOfSatisfying(
              SearchException.class,
              refused ->
                  assertThat(refused.error().numbers())
                      .containsEntry("bytes_wanted", 10L * MIB)
                      .containsEntry("bytes_limit", 8L * MIB));
      slowReader.close();
      waiting.get(20, TimeUnit.SECONDS);
    }
  }

  /** Takes bytes on a thread that may wait, and returns when it does. */
  private Future<?> waiting(AnswerBudget budget, long bytes) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              budget.mayWaitHere();
              budget.take(AnswerPart.DOCUMENTS, bytes);
              return null;
            });
    Thread thread = Thread.ofPlatform().daemon().start(task);
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(task.isDone()).isFalse();
      Thread.onSpinWait();
    }
    return task;
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
