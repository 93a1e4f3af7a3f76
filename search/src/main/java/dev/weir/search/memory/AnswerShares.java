package dev.weir.search.memory;

import org.jspecify.annotations.Nullable;

/**
 * How answers share their memory: a count of bytes, those of large answers and those of small ones
 * apart. Large ones together leave a part to the small ones, which may have all that is free.
 *
 * <p>One answer goes first: the first that finds no memory and may wait. While it waits other large
 * ones get nothing more, so that what they hold comes back, and small ones together no more than
 * the part that is theirs: so the first gets all of the rest in the end, whatever small ones come
 * and go. Knows no thread and no clock; {@link AnswerMemory} guards it.
 */
final class AnswerShares {
  /** The part of the memory, one in so many, that large answers leave to small ones. */
  private static final int SMALL_PART = 8;

  private final long limitBytes;
  private final long smallPartBytes;

  // 0 <= smallBytes, 0 <= largeBytes <= limitBytes - smallPartBytes,
  // smallBytes + largeBytes <= limitBytes
  private long smallBytes;
  private long largeBytes;

  private @Nullable AnswerShare first; // null: none goes first
  private boolean firstWaits; // false while there is none

  AnswerShares(long limitBytes) {
    this.limitBytes = limitBytes;
    this.smallPartBytes = limitBytes / SMALL_PART;
  }

  /** Whether an answer may wait where it stands. */
  enum Patience {
    WAITS,
    WAITS_NOT
  }

  /** What came of an attempt to take bytes. */
  sealed interface Attempt {
    /** They are held from now on. */
    record Taken() implements Attempt {}

    /** There are not as many, and the answer is the one to wait for them. */
    record Waits() implements Attempt {}

    /**
     * There are not as many.
     *
     * @param wantedBytes that would be held
     * @param limitBytes that may be held at this moment
     * @param fitsAlone whether there would be as many if there were no other answers
     */
    record Refused(long wantedBytes, long limitBytes, boolean fitsAlone) implements Attempt {}
  }

  /** Bytes that are held, and how many may be. */
  private record Room(long heldBytes, long limitBytes) {
    boolean has(long bytes) {
      return bytes <= limitBytes - heldBytes;
    }
  }

  long heldBytes() {
    return smallBytes + largeBytes;
  }

  /** Takes bytes for an answer, if there are as many. */
  Attempt attempt(AnswerShare answer, long bytes, Patience patience) {
    Room room = room(answer, bytes);
    if (room.has(bytes)) {
      set(answer, answer.bytes() + bytes);
      // Threads that help it take for it as well, and end no wait of the one that waits.
      if (isFirst(answer) && patience == Patience.WAITS) {
        firstWaits = false;
      }
      return new Attempt.Taken();
    }
    long most = answer.isSmallWith(bytes) ? limitBytes : limitBytes - smallPartBytes;
    boolean fitsAlone = bytes <= most - answer.bytes();
    boolean mayWait = patience == Patience.WAITS && fitsAlone && answer.waitLeftNs() > 0;
    if (mayWait && (first == null || isFirst(answer))) {
      first = answer;
      firstWaits = true;
      return new Attempt.Waits();
    }
    return new Attempt.Refused(room.heldBytes() + bytes, room.limitBytes(), fitsAlone);
  }

  /** Whether an attempt would take the bytes. */
  boolean hasRoom(AnswerShare answer, long bytes) {
    return room(answer, bytes).has(bytes);
  }

  private Room room(AnswerShare answer, long bytes) {
    boolean isHeldBack = firstWaits && !isFirst(answer);
    Room all = new Room(heldBytes(), limitBytes);
    if (answer.isSmallWith(bytes)) {
      return isHeldBack ? new Room(smallBytes, smallPartBytes) : all;
    }
    // Of one that becomes large all that it has is large from then on.
    long large = largeBytes + (answer.isSmall() ? answer.bytes() : 0);
    Room ofLarge = new Room(large, isHeldBack ? large : limitBytes - smallPartBytes);
    return ofLarge.has(bytes) ? all : ofLarge;
  }

  private void set(AnswerShare answer, long bytes) {
    count(answer, -answer.bytes());
    answer.setBytes(bytes);
    count(answer, bytes);
    assert smallBytes >= 0 && largeBytes >= 0 && heldBytes() <= limitBytes : this;
  }

  private void count(AnswerShare answer, long bytes) {
    if (answer.isSmall()) {
      smallBytes += bytes;
    } else {
      largeBytes += bytes;
    }
  }

  /** Takes back what an answer has beyond so many bytes. */
  void shrink(AnswerShare answer, long bytes) {
    assert 0 <= bytes && bytes <= answer.bytes() : answer + " to " + bytes;
    set(answer, bytes);
  }

  /** An answer may wait so long at most from now on; without time it does not go first. */
  void waited(AnswerShare answer, long leftNs) {
    answer.setWaitLeftNs(Math.max(0, leftNs));
    if (leftNs <= 0 && isFirst(answer)) {
      first = null;
      firstWaits = false;
    }
  }

  boolean isFirst(AnswerShare answer) {
    return answer.equals(first);
  }

  /** Whether an answer waits for bytes. */
  boolean isAwaited() {
    return firstWaits;
  }

  @Override
  public String toString() {
    return "AnswerShares(limitBytes="
        + limitBytes
        + ", smallBytes="
        + smallBytes
        + ", largeBytes="
        + largeBytes
        + ", first="
        + first
        + ", firstWaits="
        + firstWaits
        + ")";
  }
}
