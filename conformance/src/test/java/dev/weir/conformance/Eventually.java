package dev.weir.conformance;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what another process brings about: looks again and again, until a deadline. */
final class Eventually {
  /** Far above what any step takes on a busy machine; reached only by a defect. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration PAUSE = Duration.ofMillis(10);

  private Eventually() {}

  /**
   * Returns as soon as {@code condition} holds.
   *
   * @param what names the condition in the failure
   */
  static void holds(String what, BooleanSupplier condition) {
    boolean _ = gives(what, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
  }

  /** Returns the first value that {@code source} has. */
  static <T> T gives(String what, Supplier<Optional<T>> source) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Optional<T> value = source.get();
      if (value.isPresent()) {
        return value.get();
      }
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
