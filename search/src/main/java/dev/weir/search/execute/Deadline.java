package dev.weir.search.execute;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.lucene.index.QueryTimeout;
import org.jspecify.annotations.Nullable;

/**
 * When a search has to be over. Whoever asks after that stops and leaves what was found so far; so
 * once the answer was yes, the result is not whole. Safe for use by any thread.
 */
final class Deadline implements QueryTimeout {
  private final InstantSource clock;
  private final long endMs;
  private volatile boolean isMissed;

  private Deadline(InstantSource clock, long endMs) {
    this.clock = clock;
    this.endMs = endMs;
  }

  /** No deadline. */
  static Deadline none() {
    return new Deadline(InstantSource.fixed(Instant.EPOCH), Long.MAX_VALUE);
  }

  /**
   * A time after the start of the request.
   *
   * @param timeout null for no deadline
   */
  static Deadline of(InstantSource clock, long startMs, @Nullable Duration timeout) {
    if (timeout == null) {
      return none();
    }
    long ms = timeout.compareTo(Duration.ofDays(1)) > 0 ? Long.MAX_VALUE : timeout.toMillis();
    return new Deadline(clock, ms == Long.MAX_VALUE ? ms : startMs + ms);
  }

  /** Whether there is one at all. */
  boolean isSet() {
    return endMs != Long.MAX_VALUE;
  }

  @Override
  public boolean shouldExit() {
    if (isSet() && clock.millis() >= endMs) {
      isMissed = true;
    }
    return isMissed;
  }

  /** Notes that something was left out. */
  void miss() {
    isMissed = true;
  }

  /** Whether anything was left out. */
  boolean isMissed() {
    return isMissed;
  }

  @Override
  public String toString() {
    return "Deadline(endMs=" + endMs + ", isMissed=" + isMissed + ")";
  }
}
