package dev.weir.search.memory;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What one answer holds of the {@link AnswerMemory}. Takes piece by piece, before what grows with
 * the request or the data grows on: a source is read and then taken, a piece of JSON is taken and
 * then there, and what is small by itself is taken when it is whole. Gives all back when it is
 * closed: when the answer is on its way to the client, or failed. Safe for use by any thread.
 */
public final class AnswerBudget implements AutoCloseable {
  /** Taken from the memory of all at a time, so that threads do not meet there at every hit. */
  private static final long PIECE_BYTES = 16 << 10;

  private final AnswerMemory memory;

  // All guarded by this; 0 <= heldBytes <= reservedBytes.
  private long heldBytes;
  private long reservedBytes;
  private boolean isClosed;

  private final CompletableFuture<Void> abandonment = new CompletableFuture<>();

  AnswerBudget(AnswerMemory memory) {
    this.memory = memory;
  }

  /** One that nobody shares and that has no end: for answers that are small by themselves. */
  public static AnswerBudget unbounded() {
    return new AnswerMemory(Long.MAX_VALUE).open();
  }

  /**
   * Takes bytes.
   *
   * @throws SearchException with 429 if there are not as many; with 503 if the answer was given up
   *     meanwhile; {@link #abandoned} if its client has gone
   */
  public synchronized void take(AnswerPart part, long bytes) {
    assert bytes >= 0 : "bytes=" + bytes;
    if (isClosed) {
      throw new SearchException(
          ErrorType.UNAVAILABLE, "nobody waits for this answer any more; it took too long");
    }
    if (isAbandoned()) {
      throw abandoned();
    }
    long missing = heldBytes + bytes - reservedBytes;
    if (missing > 0) {
      long pieces = (missing + PIECE_BYTES - 1) / PIECE_BYTES * PIECE_BYTES;
      memory.take(pieces, reservedBytes, part);
      reservedBytes += pieces;
    }
    heldBytes += bytes;
  }

  /**
   * The client that waited for the answer has gone: whoever works for it is to stop. What is held
   * stays so until it is closed, since it is still there.
   */
  public void abandon() {
    abandonment.complete(null);
  }

  /** Whether nobody waits for the answer. */
  public boolean isAbandoned() {
    return abandonment.isDone();
  }

  /**
   * Waits for something, but no longer than for the answer itself.
   *
   * @return whether it was done; if not, the time is over
   * @throws SearchException {@link #abandoned} if the client has gone meanwhile
   * @throws ExecutionException if it failed
   */
  public boolean await(CompletableFuture<?> awaited, Duration atMost)
      throws InterruptedException, ExecutionException {
    try {
      CompletableFuture.anyOf(awaited, abandonment).get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      return false;
    }
    if (isAbandoned()) {
      throw abandoned();
    }
    return true;
  }

  /** What ends work that nobody waits for. */
  public static SearchException abandoned() {
    return new SearchException(
        ErrorType.TASK_CANCELLED, "nobody waits for this answer: its client has hung up");
  }

  /** Bytes taken and not given back. */
  public synchronized long heldBytes() {
    return heldBytes;
  }

  /** Gives back what was taken beyond so many bytes. */
  public synchronized void shrinkTo(long bytes) {
    assert bytes >= 0 : "bytes=" + bytes;
    heldBytes = Math.min(heldBytes, bytes);
    long kept = (heldBytes + PIECE_BYTES - 1) / PIECE_BYTES * PIECE_BYTES;
    if (kept < reservedBytes) {
      memory.giveBack(reservedBytes - kept);
      reservedBytes = kept;
    }
  }

  /** Gives back so many bytes. */
  public synchronized void giveBack(long bytes) {
    shrinkTo(Math.max(0, heldBytes - bytes));
  }

  /** Gives everything back, for good; again does nothing. */
  @Override
  public synchronized void close() {
    shrinkTo(0);
    isClosed = true;
  }

  @Override
  public synchronized String toString() {
    return "AnswerBudget(heldBytes=" + heldBytes + ", isClosed=" + isClosed + ")";
  }
}
