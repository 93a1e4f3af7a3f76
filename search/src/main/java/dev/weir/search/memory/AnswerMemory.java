package dev.weir.search.memory;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory for answers that are being made or sent, of all requests of a node together: a count
 * of bytes. Who would hold more than there is has its answer refused, since it can't be made
 * smaller, and what it holds is what others wait for. But one answer goes first: the first that
 * finds no memory, until it is whole. It waits, and meanwhile others have no more than the part of
 * the small ones, so that what they hold comes back: else of many that fit alone each could have a
 * part, and none the whole. Nobody waits for an answer that waits, so nobody waits for ever.
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

  /** The part of the memory, one in so many, that large answers leave to small ones. */
  private static final int SMALL_SHARE = 8;

  /** An answer up to this size is small: a page of hits, the buckets of a dashboard. */
  private static final long SMALL_BYTES_MAX = 1 << 20;

  /** An answer that waits holds what it has, and a thread; others are done by then, or refused. */
  private static final Duration WAIT_MAX = Duration.ofSeconds(10);

  private final long limitBytes;
  private final Duration waitMax;
  private final AtomicLong heldBytes = new AtomicLong(); // 0 <= heldBytes <= limitBytes
  private final LongAdder tripped = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** The answer that goes first; written under the lock. */
  private volatile @Nullable AnswerBudget first;

  /** Whether that one waits now; written under the lock, and false while there is none. */
  private volatile boolean firstWaits;

  /**
   * How things stand.
   *
   * @param tripped answers that were refused so far
   */
  public record Figures(long limitBytes, long heldBytes, long tripped) {}

  /** What came of an attempt to take bytes. */
  enum Attempt {
    TAKEN,
    /** There are not as many, and the answer is the one to wait for them. */
    WAITS,
    REFUSED
  }

  /** So many bytes. */
  public AnswerMemory(long limitBytes) {
    this(limitBytes, WAIT_MAX);
  }

  /**
   * So many bytes.
   *
   * @param waitMax how long the answer that goes first may wait at a time
   */
  AnswerMemory(long limitBytes, Duration waitMax) {
    this.waitMax = waitMax;
    if (limitBytes < 1) {
      throw new IllegalArgumentException(
          "memory for answers is " + limitBytes + " bytes, expected at least 1");
    }
    this.limitBytes = limitBytes;
  }

  /** A part of the heap. */
  public static AnswerMemory ofHeap() {
    return new AnswerMemory(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /** What one answer holds, which is nothing yet; whoever opened it closes it. */
  public AnswerBudget open() {
    return new AnswerBudget(this);
  }

  /** How things stand at this moment. */
  public Figures figures() {
    return new Figures(limitBytes, heldBytes.get(), tripped.sum());
  }

  /** Takes bytes for an answer, if there are as many; what it was given is held from then on. */
  Attempt attempt(long bytes, AnswerBudget answer) {
    if (taken(bytes, answer)) {
      return Attempt.TAKEN;
    }
    if (!answer.mayWait() || answer.reservedBytes() + bytes > most(bytes, answer)) {
      return Attempt.REFUSED;
    }
    lock.lock();
    try {
      if (first == null) {
        first = answer;
      }
      if (!answer.equals(first)) {
        return Attempt.REFUSED;
      }
      firstWaits = true;
      if (!taken(bytes, answer)) { // looked at again: it may have come back before it was said
        return Attempt.WAITS;
      }
      firstWaits = false;
      return Attempt.TAKEN;
    } finally {
      lock.unlock();
    }
  }

  private boolean taken(long bytes, AnswerBudget answer) {
    long most = most(bytes, answer);
    for (long held = heldBytes.get(); held + bytes <= most; held = heldBytes.get()) {
      if (heldBytes.compareAndSet(held, held + bytes)) {
        return true;
      }
    }
    return false;
  }

  /** How much may be held, by all, after this answer has taken so many bytes more. */
  private long most(long bytes, AnswerBudget answer) {
    long share = limitBytes / SMALL_SHARE;
    AnswerBudget before = firstWaits ? first : null;
    if (before != null && !before.equals(answer)) {
      return Math.min(limitBytes, before.reservedBytes() + share);
    }
    boolean isSmall = answer.reservedBytes() + bytes <= SMALL_BYTES_MAX;
    return isSmall ? limitBytes : limitBytes - share;
  }

  /**
   * Waits until something has come back, for an answer that was told to.
   *
   * @return whether to try again; if not, it has waited as long as it may, or need not any more
   */
  boolean awaitBytes(long bytes, AnswerBudget answer) {
    long leftNs = waitMax.toNanos();
    lock.lock();
    try {
      while (answer.equals(first) && !answer.isAbandoned()) {
        if (taken(bytes, answer)) {
          return true;
        }
        if (leftNs <= 0) {
          return false;
        }
        leftNs = changed.awaitNanos(leftNs);
      }
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      firstWaits = false;
      lock.unlock();
    }
  }

  /** An answer needs no more: another one may go first. */
  void leave(AnswerBudget answer) {
    if (answer.equals(first)) {
      lock.lock();
      try {
        first = null;
        firstWaits = false;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Whether this is the answer that goes first. */
  boolean hasFirst(AnswerBudget answer) {
    return answer.equals(first);
  }

  /** Has the answer that waits look again. */
  void wake() {
    if (firstWaits) {
      lock.lock();
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Counts an answer that was refused, and says why. */
  SearchException refused(long bytes, AnswerBudget answer, AnswerPart part) {
    tripped.increment();
    long answerBytes = answer.reservedBytes();
    long held = heldBytes.get();
    boolean isSmall = answerBytes + bytes <= SMALL_BYTES_MAX;
    long most = isSmall ? limitBytes : limitBytes - limitBytes / SMALL_SHARE;
    boolean fitsAlone = answerBytes + bytes <= most;
    return new SearchException(
        ErrorCause.of(
                ErrorType.CIRCUIT_BREAKING,
                "[request] Data too large, data for ["
                    + part.label()
                    + "] would be ["
                    + (held + bytes)
                    + "b], which is larger than the limit of ["
                    + most
                    + "b]; this answer holds ["
                    + answerBytes
                    + "b] of it; "
                    + (fitsAlone ? "try later, or " : "")
                    + part.remedy())
            .with("bytes_wanted", held + bytes)
            .with("bytes_limit", most)
            .with("durability", fitsAlone ? "TRANSIENT" : "PERMANENT"));
  }

  void giveBack(long bytes) {
    long left = heldBytes.addAndGet(-bytes);
    assert left >= 0 : "gave back " + bytes + " bytes more than were held: " + this;
    wake();
  }

  @Override
  public String toString() {
    return "AnswerMemory(" + figures() + ")";
  }
}
