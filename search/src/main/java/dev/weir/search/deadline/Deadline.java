package dev.weir.search.deadline;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.memory.AnswerBudget;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.lucene.index.QueryTimeout;
import org.jspecify.annotations.Nullable;

/**
 * When a search has to be over. There are two ends. At its <em>timeout</em> whoever asks stops and
 * leaves what was found so far; so once the answer was yes, the result is not whole. When it is
 * <em>cancelled</em>, by the clock or because its client has gone, there is no result at all. Safe
 * for use by any thread.
 */
public final class Deadline implements QueryTimeout {
  private static final long NEVER = Long.MAX_VALUE;

  private final InstantSource clock;
  private final long endMs;
  private final long cancelMs;
  private final @Nullable Duration cancelAfter;
  private final AnswerBudget answer;
  private volatile boolean isMissed;
  private volatile boolean isCancelled; // by the clock
  private volatile boolean isTimeoutLifted;

  private Deadline(
      InstantSource clock,
      long startMs,
      @Nullable Duration timeout,
      @Nullable Duration cancelAfter,
      AnswerBudget answer) {
    this.clock = clock;
    this.endMs = end(startMs, timeout);
    this.cancelMs = end(startMs, cancelAfter);
    this.cancelAfter = cancelAfter;
    this.answer = answer;
  }

  private static long end(long startMs, @Nullable Duration after) {
    return after == null || after.compareTo(Duration.ofDays(1)) > 0
        ? NEVER
        : startMs + after.toMillis();
  }

  /** No deadline, for something that is small by itself. */
  public static Deadline none() {
    return new Deadline(
        InstantSource.fixed(Instant.EPOCH), 0, null, null, AnswerBudget.unbounded());
  }

  /**
   * A search without a time of its own, that ends when nobody waits for its answer.
   *
   * @param answer knows whether anybody does
   */
  public static Deadline of(AnswerBudget answer) {
    return new Deadline(InstantSource.fixed(Instant.EPOCH), 0, null, null, answer);
  }

  /**
   * Times after the start of the request.
   *
   * @param timeout null for none
   * @param cancelAfter null for none
   * @param answer knows whether anybody waits for it
   */
  public static Deadline of(
      InstantSource clock,
      long startMs,
      @Nullable Duration timeout,
      @Nullable Duration cancelAfter,
      AnswerBudget answer) {
    return new Deadline(clock, startMs, timeout, cancelAfter, answer);
  }

  /** Whether to stop, for those who leave what was found so far. */
  @Override
  public boolean shouldExit() {
    if (isTimeoutLifted) {
      return isCancelled();
    }
    if (isMissed || isCancelled()) {
      return true;
    }
    if (endMs != NEVER && clock.millis() >= endMs) {
      isMissed = true;
    }
    return isMissed;
  }

  /**
   * Goes on only if the search may; for those who have nothing to leave.
   *
   * @throws OutOfTimeException if its time is over and the shards are still searched
   * @throws SearchException as {@link #requireWanted}
   */
  public void requireTime() {
    requireWanted();
    if (!isTimeoutLifted && shouldExit()) {
      throw new OutOfTimeException();
    }
  }

  /**
   * Goes on only if somebody waits for the answer.
   *
   * @throws SearchException if the search is cancelled
   */
  public void requireWanted() {
    if (isCancelled()) {
      throw answer.isAbandoned()
          ? AnswerBudget.abandoned()
          : new SearchException(
              ErrorType.TASK_CANCELLED,
              "the search was cancelled after "
                  + (cancelAfter == null ? 0 : cancelAfter.toMillis())
                  + " ms; set a longer [cancel_after_time_interval], or ask with [timeout] for what"
                  + " is found in time");
    }
  }

  private boolean isCancelled() {
    if (!isCancelled && cancelMs != NEVER && clock.millis() >= cancelMs) {
      isCancelled = true;
    }
    return isCancelled || answer.isAbandoned();
  }

  /**
   * The shards are searched: what is shown of their hits is read and scored again, whatever the
   * timeout is or was. From now on only a cancelled search stops.
   */
  public void liftTimeout() {
    isTimeoutLifted = true;
  }

  /** Notes that something was left out. */
  public void miss() {
    isMissed = true;
  }

  /** Whether anything was left out. */
  public boolean isMissed() {
    return isMissed;
  }

  @Override
  public String toString() {
    return "Deadline(endMs="
        + endMs
        + ", cancelMs="
        + cancelMs
        + ", isMissed="
        + isMissed
        + ", isCancelled="
        + isCancelled
        + ")";
  }
}
