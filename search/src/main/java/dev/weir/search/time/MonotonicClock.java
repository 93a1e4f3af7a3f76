package dev.weir.search.time;

/**
 * Tells how much time has passed, for reports and counters. Not for deadlines or for anything that
 * decides: those take an injected clock, so that a test can set it.
 */
@Outside
public final class MonotonicClock {
  private MonotonicClock() {}

  /** Nanoseconds since some moment of this process. */
  public static long nowNs() {
    return System.nanoTime();
  }
}
