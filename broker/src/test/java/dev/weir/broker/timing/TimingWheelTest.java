package dev.weir.broker.timing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimingWheelTest {
  private final List<String> fired = new ArrayList<>();

  @Test
  void nothingRunsBeforeItsDeadline() {
    TimingWheel wheel = new TimingWheel(1_000);
    wheel.schedule(1_500, () -> fired.add("a"));
    wheel.advanceTo(1_499);
    assertThat(fired).isEmpty();
    wheel.advanceTo(1_500);
    assertThat(fired).containsExactly("a");
    assertThat(wheel.nextWakeMs()).isEqualTo(TimingWheel.NEVER);
  }

  @Test
  void aPastDeadlineRunsWithTheNextAdvance() {
    TimingWheel wheel = new TimingWheel(1_000);
    wheel.schedule(10, () -> fired.add("late"));
    assertThat(fired).isEmpty();
    wheel.advanceTo(1_001);
    assertThat(fired).containsExactly("late");
  }

  @Test
  void aCancelledTimeoutNeitherRunsNorWakes() {
    TimingWheel wheel = new TimingWheel(0);
    Timeout timeout = wheel.schedule(5_000, () -> fired.add("never"));
    timeout.cancel();
    timeout.cancel();
    assertThat(timeout.isPending()).isFalse();
    assertThat(wheel.size()).isZero();
    assertThat(wheel.nextWakeMs()).isEqualTo(TimingWheel.NEVER);
    wheel.advanceTo(10_000);
    assertThat(fired).isEmpty();
  }

  @Test
  void aTaskMayCancelItsNeighbourAndScheduleAnother() {
    TimingWheel wheel = new TimingWheel(0);
    Timeout[] neighbours = new Timeout[2];
    for (int i = 0; i < 2; i++) {
      int self = i;
      neighbours[i] =
          wheel.schedule(
              100,
              () -> {
                fired.add("ran");
                neighbours[1 - self].cancel();
                wheel.schedule(100, () -> fired.add("next"));
              });
    }
    wheel.advanceTo(100);
    assertThat(fired).containsExactly("ran");
    wheel.advanceTo(101);
    assertThat(fired).containsExactly("ran", "next");
  }

  @Test
  void aDeadlineBeyondTheSpanGoesRoundAgain() {
    TimingWheel wheel = new TimingWheel(7);
    long year = 365L * 24 * 3_600_000;
    wheel.schedule(year, () -> fired.add("year"));
    wheel.advanceTo(year - 1);
    assertThat(fired).isEmpty();
    wheel.advanceTo(year);
    assertThat(fired).containsExactly("year");
  }

  @Test
  void behavesAsAMapOfDeadlinesUnderAnyHistory() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      new History(random).play("seed=" + seed);
    }
  }

  /** A random history on a wheel, beside a plain map that says what must have run. */
  private static final class History {
    private final Random random;
    private final Map<Integer, Long> pending = new HashMap<>();
    private final Map<Integer, Timeout> timeouts = new HashMap<>();
    private final List<Integer> ran = new ArrayList<>();
    private long nowMs;

    History(Random random) {
      this.random = random;
      this.nowMs = random.nextLong(1L << 40);
    }

    void play(String seed) {
      TimingWheel wheel = new TimingWheel(nowMs);
      for (int step = 0; step < 400; step++) {
        switch (random.nextInt(4)) {
          case 0, 1 -> schedule(wheel, step);
          case 2 -> cancel();
          default -> advance(wheel, seed);
        }
        assertThat(wheel.size()).as(seed).isEqualTo(pending.size());
        assertThat(wheel.nextWakeMs()).as(seed).isLessThanOrEqualTo(earliest());
      }
    }

    private void schedule(TimingWheel wheel, int id) {
      long delayMs = 1 + random.nextLong(1L << random.nextInt(1, 36));
      pending.put(id, nowMs + delayMs);
      timeouts.put(id, wheel.schedule(nowMs + delayMs, () -> ran.add(id)));
    }

    private void cancel() {
      if (!pending.isEmpty()) {
        int id = pending.keySet().iterator().next();
        pending.remove(id);
        Objects.requireNonNull(timeouts.remove(id)).cancel();
      }
    }

    private void advance(TimingWheel wheel, String seed) {
      nowMs += random.nextLong(1L << random.nextInt(1, 30));
      ran.clear();
      wheel.advanceTo(nowMs);
      List<Integer> due =
          pending.entrySet().stream()
              .filter(entry -> entry.getValue() <= nowMs)
              .map(Map.Entry::getKey)
              .toList();
      assertThat(ran).as(seed).containsExactlyInAnyOrderElementsOf(due);
      due.forEach(pending::remove);
    }

    private long earliest() {
      return pending.values().stream().mapToLong(Long::longValue).min().orElse(TimingWheel.NEVER);
    }
  }
}
