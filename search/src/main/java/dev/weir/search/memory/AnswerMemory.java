package dev.weir.search.memory;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.memory.AnswerShares.Attempt;
import dev.weir.search.memory.AnswerShares.Patience;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory for answers that are being made or sent, of all requests of a node together: a count
 * of bytes. Who would hold more than there is has its answer refused, since it can't be made
 * smaller, and what it holds is what others wait for. But one answer goes first: the first that
 * finds no memory, until it is whole or has waited as long as it may; {@link AnswerShares} says
 * what others get meanwhile. Else of many that fit alone each could have a part, and none the
 * whole. Nobody waits for an answer that waits, so nobody waits for ever.
 *
 * <p>Large answers leave a part to small ones, so that a few of them do not end all searching. Safe
 * for use by any thread.
 */
public final class AnswerMemory {
  /**
   * A third. Requests that come in have a quarter, filters that are kept a twentieth; the rest is
   * for the indexes, and for what a request needs for a moment only and nobody counts.
   */
  private static final int PART_OF_HEAP = 3;

  /**
   * For all waits of an answer together: it holds what it has, and a thread; others are done by
   * then, or refused.
   */
  private static final Duration WAIT_MAX = Duration.ofSeconds(10);

  private final long limitBytes;
  private final Duration waitMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final AnswerShares shares;
  private long tripped;

  /**
   * How things stand.
   *
   * @param tripped answers that were refused so far
   */
  public record Figures(long limitBytes, long heldBytes, long tripped) {}

  /** So many bytes. */
  public AnswerMemory(long limitBytes) {
    this(limitBytes, WAIT_MAX);
  }

  /**
   * So many bytes.
   *
   * @param waitMax how long an answer may wait, all its waits together
   */
  AnswerMemory(long limitBytes, Duration waitMax) {
    if (limitBytes < 1) {
      throw new IllegalArgumentException(
          "memory for answers is " + limitBytes + " bytes, expected at least 1");
    }
    this.limitBytes = limitBytes;
    this.waitMax = waitMax;
    this.shares = new AnswerShares(limitBytes);
  }

  /** A part of the heap. */
  public static AnswerMemory ofHeap() {
    return new AnswerMemory(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /** What one answer holds, which is nothing yet; whoever opened it closes it. */
  public AnswerBudget open() {
    return new AnswerBudget(this, new AnswerShare(waitMax.toNanos()));
  }

  /** How things stand at this moment. */
  public Figures figures() {
    lock.lock();
    try {
      return new Figures(limitBytes, shares.heldBytes(), tripped);
    } finally {
      lock.unlock();
    }
  }

  /** Takes bytes for an answer, if there are as many; counts it if it is refused. */
  Attempt attempt(AnswerShare answer, long bytes, Patience patience) {
    lock.lock();
    try {
      Attempt attempt = shares.attempt(answer, bytes, patience);
      if (attempt instanceof Attempt.Refused) {
        tripped++;
      }
      return attempt;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there is room, for an answer that was told to; not once it has left, nor longer
   * than it may. Takes nothing: whoever waits asks again.
   */
  void await(AnswerShare answer, long bytes) {
    lock.lock();
    try {
      // Who ends its waiting meanwhile leaves it no time.
      while (answer.waitLeftNs() > 0 && !shares.hasRoom(answer, bytes)) {
        long leftNs = changed.awaitNanos(answer.waitLeftNs());
        shares.waited(answer, Math.min(leftNs, answer.waitLeftNs()));
      }
    } catch (InterruptedException _) {
      shares.waited(answer, 0); // the node is going down
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** An answer waits no more, and never again: another one may go first. */
  void endWaiting(AnswerShare answer) {
    lock.lock();
    try {
      boolean wasFirst = shares.isFirst(answer);
      shares.waited(answer, 0);
      if (wasFirst) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes back what an answer has beyond so many bytes. */
  void shrink(AnswerShare answer, long bytes) {
    lock.lock();
    try {
      shares.shrink(answer, bytes);
      if (shares.isAwaited()) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether this is the answer that goes first. */
  boolean hasFirst(AnswerShare answer) {
    lock.lock();
    try {
      return shares.isFirst(answer);
    } finally {
      lock.unlock();
    }
  }

  /** Says why an answer was refused. */
  static SearchException refusal(Attempt.Refused refused, long answerBytes, AnswerPart part) {
    return new SearchException(
        ErrorCause.of(
                ErrorType.CIRCUIT_BREAKING,
                "[request] Data too large, data for ["
                    + part.label()
                    + "] would be ["
                    + refused.wantedBytes()
                    + "b], which is larger than the limit of ["
                    + refused.limitBytes()
                    + "b]; this answer holds ["
                    + answerBytes
                    + "b] of it; "
                    + (refused.fitsAlone() ? "try later, or " : "")
                    + part.remedy())
            .with("bytes_wanted", refused.wantedBytes())
            .with("bytes_limit", refused.limitBytes())
            .with("durability", refused.fitsAlone() ? "TRANSIENT" : "PERMANENT"));
  }

  @Override
  public String toString() {
    return "AnswerMemory(" + figures() + ")";
  }
}
