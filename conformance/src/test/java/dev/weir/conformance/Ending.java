package dev.weir.conformance;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The end of a process that a test has started. */
final class Ending {
  private Ending() {}

  /**
   * Waits until a process that was told to end has done so, and kills it where it does not.
   *
   * @param name what it is, for the message
   * @param log what it has said so far
   */
  static void await(Process process, long secondsMax, String name, Supplier<String> log) {
    try {
      if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(name + " did not stop; its log: " + log.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
