package dev.weir.protocol;

import java.util.Random;

/** The root of all random choices of a test; set {@code -Dweir.test.seed} to repeat one. */
final class Seed {
  static final long VALUE = Long.getLong("weir.test.seed", System.nanoTime());

  private Seed() {}

  /** A generator of its own for each purpose, so that one test does not shift another. */
  static Random random(String purpose) {
    return new Random(VALUE ^ ((long) purpose.hashCode() << 20));
  }

  /** To be put into the description of assertions. */
  static String text() {
    return "-Dweir.test.seed=" + VALUE;
  }
}
