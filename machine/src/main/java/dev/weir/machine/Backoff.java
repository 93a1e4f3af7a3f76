package dev.weir.machine;

/**
 * How long is waited before something that failed is tried again: twice as long each time.
 *
 * @param firstMs before the first try
 * @param maxMs before any later one, at most
 */
public record Backoff(long firstMs, long maxMs) {
  /** Doublings from which on the result would not fit any more. */
  private static final int DOUBLINGS_MAX = 30;

  public Backoff {
    if (firstMs < 1 || maxMs < firstMs) {
      throw new IllegalArgumentException("firstMs=" + firstMs + ", maxMs=" + maxMs);
    }
  }

  /**
   * The wait before a try.
   *
   * @param failures tries that have failed since the last one that did not
   */
  public long delayMs(int failures) {
    return Math.min(maxMs, firstMs << Math.min(failures, DOUBLINGS_MAX));
  }
}
