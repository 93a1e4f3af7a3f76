package dev.weir.search.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.error.SearchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What answers do by turns, in an order by chance, where threads would by chance too: each call is
 * atomic, and one that would wait returns and asks again.
 */
final class AnswerInterleavingsTest {
  private static final int MIB = 1 << 20;
  private static final int LIMIT = 16 * MIB;

  private final AnswerMemory memory = new AnswerMemory(LIMIT);

  private enum Growth {
    GROWN,
    WAITS,
    REFUSED
  }

  /**
   * Of answers that would fit alone, at least one is answered, in whatever order they take their
   * parts: here one after the other, by chance, where threads would by chance too.
   */
  @Test
  void ofManyAnswersThatFitAloneOneAtLeastIsAnswered() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<Made> making = new ArrayList<>();
      int answers = 2 + random.nextInt(15);
      for (int i = 0; i < answers; i++) {
        making.add(new Made(memory.open(), (2 + random.nextInt(13)) * (long) MIB));
      }
      int answered = 0;
      int idle = 0;
      while (!making.isEmpty()) {
        Made next = making.get(random.nextInt(making.size()));
        Growth growth = next.grow();
        idle = growth == Growth.WAITS ? idle + 1 : 0;
        assertThat(idle).as("seed=%d, nobody goes on: %s", seed, making).isLessThan(10_000);
        if (growth == Growth.REFUSED || next.isWhole()) {
          answered += next.isWhole() ? 1 : 0;
          next.budget.close();
          making.remove(next);
        }
      }
      assertThat(answered).as("seed=%d", seed).isPositive();
      assertThat(memory.figures().heldBytes()).isZero();
    }
  }

  /** An answer that grows in steps, on a thread that may wait. */
  private static final class Made {
    private static final long STEP_BYTES = MIB / 4;

    private final AnswerBudget budget;
    private final long wholeBytes;
    private boolean waits;

    Made(AnswerBudget budget, long wholeBytes) {
      this.budget = budget;
      this.wholeBytes = wholeBytes;
      budget.mayWaitHere();
    }

    /** As {@link AnswerBudget#take}, but returns where that would wait. */
    Growth grow() {
      try {
        waits = budget.missing(AnswerPart.JSON, STEP_BYTES) > 0;
        assertThat(waits && !budget.isFirst()).as("waits, and is not first").isFalse();
        return waits ? Growth.WAITS : Growth.GROWN;
      } catch (SearchException refused) {
        return Growth.REFUSED;
      }
    }

    boolean isWhole() {
      return budget.heldBytes() >= wholeBytes;
    }

    @Override
    public String toString() {
      return budget.heldBytes() + " of " + wholeBytes + (waits ? ", waits" : "");
    }
  }

  /** Of one and a half times the part of the large ones, beside which small ones come and go. */
  @Test
  void aLargeAnswerIsWholeInTheEndUnderSteadySmallTraffic() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      AnswerBudget slowReader = memory.open();
      slowReader.take(AnswerPart.JSON, (3 + random.nextInt(10)) * (long) MIB);
      Made large = new Made(memory.open(), 13L * MIB + random.nextInt(MIB));
      List<AnswerBudget> small = new ArrayList<>();
      int untilRead = random.nextInt(2_000);
      for (int step = 0; !large.isWhole(); step++) {
        assertThat(step).as("seed=%d, %s", seed, large).isLessThan(5_000);
        if (step == untilRead) {
          slowReader.close();
        }
        if (random.nextInt(4) == 0) {
          assertThat(large.grow()).as("seed=%d step=%d", seed, step).isNotEqualTo(Growth.REFUSED);
        } else if (random.nextBoolean() && small.size() < 4) {
          AnswerBudget one = memory.open();
          one.take(AnswerPart.DOCUMENTS, 1 + random.nextInt(MIB / 2)); // is not refused
          small.add(one);
        } else if (!small.isEmpty()) {
          small.remove(random.nextInt(small.size())).close();
        }
      }
      slowReader.close();
      large.budget.close();
      small.forEach(AnswerBudget::close);
    }
    assertThat(memory.figures()).isEqualTo(new AnswerMemory.Figures(LIMIT, 0, 0));
  }

  /** One answer, on which its own thread, its helpers, its client and the node act. */
  private static final class Shared {
    private final AnswerBudget budget;
    private long awaited; // what its own thread waits for; 0: it does not
    private boolean ends; // closed, whole or abandoned: it is not to go first again

    Shared(AnswerBudget budget) {
      this.budget = budget;
      budget.mayWaitHere();
    }

    /** Whether it goes on. */
    boolean take(long bytes) {
      try {
        awaited = budget.missing(AnswerPart.JSON, bytes) > 0 ? bytes : 0;
        return true;
      } catch (SearchException refused) {
        awaited = 0;
        return false;
      }
    }

    @Override
    public String toString() {
      return budget + (ends ? " ends" : "") + (awaited > 0 ? " waits for " + awaited : "");
    }
  }

  @Test
  void whateverComesBetweenTwoCallsNothingStaysHeldAndTheNextMayWait() {
    int waits = 0;
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<Shared> all = new ArrayList<>();
      for (int step = 0; step < 500; step++) {
        if (all.size() < 6) {
          all.add(new Shared(memory.open()));
        }
        Shared next = all.get(random.nextInt(all.size()));
        if (!step(next, random)) {
          next.budget.close();
          all.remove(next);
        }
        waits += next.awaited > 0 ? 1 : 0;
        long held = all.stream().mapToLong(one -> one.budget.share().bytes()).sum();
        assertThat(memory.figures().heldBytes()).as("seed=%d step=%d", seed, step).isEqualTo(held);
        assertThat(all.stream().filter(one -> one.budget.isFirst()).toList())
            .as("seed=%d step=%d, first of %s", seed, step, all)
            .hasSizeLessThan(2)
            .noneMatch(one -> one.ends);
        assertThat(all.stream().filter(one -> one.awaited > 0 && !one.ends))
            .as("seed=%d step=%d, who waits of %s", seed, step, all)
            .allMatch(one -> one.budget.isFirst());
      }
      all.forEach(one -> one.budget.close());
      assertThat(memory.figures().heldBytes()).as("seed=%d", seed).isZero();
      requireThatTheNextMayWait(seed);
    }
    assertThat(waits).isGreaterThan(1_000);
  }

  private void requireThatTheNextMayWait(long seed) {
    try (AnswerBudget reader = memory.open();
        AnswerBudget next = memory.open()) {
      reader.take(AnswerPart.JSON, 8 * MIB);
      next.mayWaitHere();
      assertThat(next.missing(AnswerPart.JSON, 10 * MIB)).as("seed=%d", seed).isPositive();
    }
  }

  /** Returns whether the answer goes on. */
  private boolean step(Shared one, Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> {
        one.budget.close(); // the node stops, or the request has failed elsewhere
        one.ends = true;
        yield one.awaited > 0; // then its own thread still has to find out
      }
      case 1 -> {
        one.budget.abandon();
        one.ends = true;
        yield true;
      }
      case 2 -> {
        one.budget.finish();
        one.ends = true;
        yield true;
      }
      case 3 -> {
        one.budget.shrinkTo(random.nextInt(4 * MIB));
        yield true;
      }
      case 4 -> {
        if (one.awaited > 0) {
          memory.endWaiting(one.budget.share());
          boolean goesOn = one.take(one.awaited);
          assertThat(one.awaited).as("waits beyond its time: %s", one).isZero();
          yield goesOn;
        }
        yield true;
      }
      default -> one.take(one.awaited > 0 ? one.awaited : random.nextInt(3 * MIB));
    };
  }
}
