package dev.weir.search.query;

import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Runs a check over many random cases. Every run takes new ones; a failure names its seed, and
 * {@code -Dtest.argLine=-Dweir.seed=N} repeats that case first.
 */
final class Cases {

  /** One case, which draws all that is random from what it is given. */
  interface Check {
    void of(RandomGenerator random);
  }

  private Cases() {}

  @SafeVarargs
  static <T> T oneOf(RandomGenerator random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  static void run(String law, int count, Check check) {
    String given = System.getProperty("weir.seed");
    long first = given == null ? new Random().nextLong() : Long.parseLong(given);
    for (int index = 0; index < count; index++) {
      long seed = first + index;
      try {
        check.of(new Random(seed));
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError(
            law + ", -Dweir.seed=" + seed + ": " + failure.getMessage(), failure);
      }
    }
  }
}
