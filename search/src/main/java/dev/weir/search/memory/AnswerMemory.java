package dev.weir.search.memory;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The memory for answers that are being made or sent, of all requests of a node together: a count
 * of bytes. Nobody waits for it: who would hold more than there is has its answer refused, since it
 * can't be made smaller, and what it holds is what others wait for. Large answers leave a part to
 * small ones, so that a few of them do not end all searching. Safe for use by any thread.
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

  private final long limitBytes;
  private final AtomicLong heldBytes = new AtomicLong(); // 0 <= heldBytes <= limitBytes
  private final LongAdder tripped = new LongAdder();

  /**
   * How things stand.
   *
   * @param tripped answers that were refused so far
   */
  public record Figures(long limitBytes, long heldBytes, long tripped) {}

  /** So many bytes. */
  public AnswerMemory(long limitBytes) {
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

  /**
   * Takes bytes for an answer.
   *
   * @param answerBytes what the answer holds already
   * @throws SearchException with 429 if there are not as many
   */
  void take(long bytes, long answerBytes, AnswerPart part) {
    boolean isSmall = answerBytes + bytes <= SMALL_BYTES_MAX;
    long most = isSmall ? limitBytes : limitBytes - limitBytes / SMALL_SHARE;
    for (long held = heldBytes.get(); held + bytes <= most; held = heldBytes.get()) {
      if (heldBytes.compareAndSet(held, held + bytes)) {
        return;
      }
    }
    tripped.increment();
    throw refused(bytes, answerBytes, most, part);
  }

  private SearchException refused(long bytes, long answerBytes, long most, AnswerPart part) {
    long held = heldBytes.get();
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
  }

  @Override
  public String toString() {
    return "AnswerMemory(" + figures() + ")";
  }
}
