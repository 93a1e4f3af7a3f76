package dev.weir.broker.fetch;

import dev.weir.broker.fetch.Look.Least;
import java.util.ArrayList;
import java.util.List;

/**
 * One request of a session from its arrival to its answer. Looks at dirty partitions and at no
 * other, once when the request comes, and, while it waits, at each that is marked. Owned by the
 * event loop of the session.
 */
final class SessionTurn {
  /** What the answer is made of. */
  enum Extent {
    /** All partitions, the first time. */
    ALL,
    /** Those of which there is news, as far as the bytes of the answer go. */
    NEWS
  }

  /**
   * Bounds of an answer.
   *
   * @param minBytes with so many bytes of records the answer is due; at most {@code limitBytes}
   * @param limitBytes bytes of records that it may have, but for one batch
   */
  record Size(int minBytes, int limitBytes) {
    Size {
      assert minBytes <= limitBytes : minBytes + " > " + limitBytes;
    }
  }

  /** A partition and what the last look at it has found. */
  private record Found(SessionPartition partition, Look look) {}

  private final FetchSession session;
  private final SessionSource source;
  private final Extent extent;
  private final Size size;

  private List<Found> found = List.of();
  private long foundBytes;
  private boolean isUrgent;
  private boolean movedSince;

  SessionTurn(FetchSession session, SessionSource source, Extent extent, Size size) {
    this.session = session;
    this.source = source;
    this.extent = extent;
    this.size = size;
  }

  /** Looks at what is dirty; true if the answer is due at once. */
  boolean begin() {
    for (SessionPartition marked = session.marks().takeAll(); marked != null; ) {
      SessionPartition next = marked.nextMarked;
      boolean _ = takeMark(marked);
      marked = next;
    }
    lookAtDirty();
    return isDue() || session.isEmpty();
  }

  /** Looks at what was marked while the turn waits; true if the answer is due now. */
  boolean goOn() {
    for (SessionPartition marked = session.marks().takeAll(); marked != null; ) {
      SessionPartition next = marked.nextMarked;
      if (takeMark(marked)) {
        lookAgain(marked);
      }
      marked = next;
    }
    return isDue();
  }

  /**
   * Ends the turn: what the answer has to tell, in its order. What it does not tell stays dirty,
   * and so does what gave records: the client has to say first that it wants what comes after them.
   */
  List<Look> answer() {
    if (movedSince) {
      lookAtDirty(); // in their order, under the limits of the whole answer
    }
    List<Look> news = new ArrayList<>(found.size());
    for (Found each : found) {
      SessionPartition partition = each.partition;
      Look look = each.look;
      partition.foundBytes = 0;
      if (partition.isNews(look)) {
        news.add(look);
        partition.told(look);
      }
      if (look.bytes() > 0 || look.isUrgent()) {
        session.dirty().moveToEnd(partition);
      } else if (!look.mayHaveMore()) {
        session.dirty().remove(partition);
      }
    }
    return news;
  }

  private boolean isDue() {
    return isUrgent || foundBytes >= size.minBytes;
  }

  private void lookAtDirty() {
    found = new ArrayList<>(session.dirty().size());
    foundBytes = 0;
    isUrgent = false;
    movedSince = false;
    SessionPartition next = session.dirty().first();
    while (next != null && (extent == Extent.ALL || hasRoom())) {
      SessionPartition partition = next;
      next = partition.nextDirty;
      Look look = look(partition, (int) Math.max(0, size.limitBytes - foundBytes));
      if (partition.dirty) {
        found.add(new Found(partition, look));
      }
    }
  }

  /** The first look has one batch at least, whatever the limit. */
  private boolean hasRoom() {
    return foundBytes == 0 || foundBytes < size.limitBytes;
  }

  /** Looks; a partition that has nothing for the client is not dirty any more. */
  private Look look(SessionPartition partition, int limitBytes) {
    Look look = source.look(partition, limitBytes, least());
    partition.foundBytes = look.bytes();
    foundBytes += look.bytes();
    isUrgent |= look.isUrgent();
    if (!partition.isNews(look) && !look.mayHaveMore()) {
      session.dirty().remove(partition);
    }
    return look;
  }

  private void lookAgain(SessionPartition partition) {
    foundBytes -= partition.foundBytes;
    partition.foundBytes = 0;
    movedSince = true; // what was found of it before is no longer what it says
    Look _ = look(partition, size.limitBytes);
  }

  private Least least() {
    return foundBytes == 0 ? Least.ONE_BATCH : Least.NOTHING;
  }

  /** True if the partition is still one of the session; it is dirty then. */
  private boolean takeMark(SessionPartition partition) {
    partition.unmark();
    if (partition.hasLeft()) {
      return false;
    }
    session.dirty().add(partition);
    return true;
  }
}
