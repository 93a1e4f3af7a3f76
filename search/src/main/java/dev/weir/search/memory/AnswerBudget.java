package dev.weir.search.memory;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.memory.AnswerShares.Attempt;
import dev.weir.search.memory.AnswerShares.Patience;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

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
  private final AnswerShare share; // changed under this, too: so its bytes may be read here

  // All guarded by this; 0 <= heldBytes <= share.bytes().
  private long heldBytes;
  private boolean isClosed;
  private @Nullable Thread patient; // null: nobody waits

  private final CompletableFuture<Void> abandonment = new CompletableFuture<>();

  AnswerBudget(AnswerMemory memory, AnswerShare share) {
    this.memory = memory;
    this.share = share;
  }

  /** One that nobody shares and that has no end: for answers that are small by themselves. */
  public static AnswerBudget unbounded() {
    return new AnswerMemory(Long.MAX_VALUE).open();
  }

  /**
   * Lets this thread wait for memory, if the answer is the one to go first. Others are refused:
   * what helps many requests, or writes for them, must not stand still for one.
   */
  public synchronized void mayWaitHere() {
    patient = Thread.currentThread();
  }

  /** The answer is whole, and needs no more: it waits no more, and another one may go first. */
  public void finish() {
    memory.endWaiting(share);
  }

  /**
   * Takes bytes. Waits for them where {@link #mayWaitHere} allows it.
   *
   * @throws SearchException with 429 if there are not as many; with 503 if the answer was given up
   *     meanwhile; {@link #abandoned} if its client has gone
   */
  public void take(AnswerPart part, long bytes) {
    for (long awaited = missing(part, bytes); awaited > 0; awaited = missing(part, bytes)) {
      // Without the lock: what else the answer needs or gives back does not stand still.
      memory.await(share, awaited);
    }
  }

  /** Takes bytes, if they are there; else how many are to be waited for. */
  synchronized long missing(AnswerPart part, long bytes) {
    assert bytes >= 0 : "bytes=" + bytes;
    if (isClosed) {
      throw new SearchException(
          ErrorType.UNAVAILABLE, "nobody waits for this answer any more; it took too long");
    }
    if (isAbandoned()) {
      throw abandoned();
    }
    long missing = heldBytes + bytes - share.bytes();
    if (missing > 0) {
      long pieces = (missing + PIECE_BYTES - 1) / PIECE_BYTES * PIECE_BYTES;
      switch (memory.attempt(share, pieces, patience())) {
        case Attempt.Taken() -> {}
        case Attempt.Waits() -> {
          return pieces;
        }
        case Attempt.Refused refused ->
            throw isAbandoned() // meanwhile, so that it waits no more
                ? abandoned()
                : AnswerMemory.refusal(refused, share.bytes(), part);
      }
    }
    heldBytes += bytes;
    return 0;
  }

  private Patience patience() {
    return Thread.currentThread().equals(patient) ? Patience.WAITS : Patience.WAITS_NOT;
  }

  /** What it has of the memory; for those that guard it. */
  AnswerShare share() {
    return share;
  }

  /** Whether it is the answer that goes first. */
  boolean isFirst() {
    return memory.hasFirst(share);
  }

  /**
   * The client that waited for the answer has gone: whoever works for it is to stop. What is held
   * stays so until it is closed, since it is still there.
   */
  public void abandon() {
    abandonment.complete(null);
    memory.endWaiting(share);
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
    if (kept < share.bytes()) {
      memory.shrink(share, kept);
    }
  }

  /** Gives back so many bytes. */
  public synchronized void giveBack(long bytes) {
    shrinkTo(Math.max(0, heldBytes - bytes));
  }

  /** Gives everything back, for good; again does nothing. */
  @Override
  public synchronized void close() {
    isClosed = true;
    memory.endWaiting(share);
    shrinkTo(0);
  }

  @Override
  public synchronized String toString() {
    return "AnswerBudget(heldBytes=" + heldBytes + ", isClosed=" + isClosed + ")";
  }
}
