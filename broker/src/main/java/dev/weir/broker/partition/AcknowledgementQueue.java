package dev.weir.broker.partition;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The acknowledgements of one partition in order of the offset that each needs, so that a high
 * watermark which moves on takes a prefix, at a cost of what it takes. Guarded by the lock of the
 * partition; runs nothing.
 */
final class AcknowledgementQueue {
  private @Nullable Acknowledgement first;
  private @Nullable Acknowledgement last;
  private int size;

  int size() {
    return size;
  }

  /** Queues a new wait, behind those that need the same offset or less. */
  void add(Acknowledgement added) {
    assert added.state == Acknowledgement.State.NEW : added;
    // Appends register in the order of their offsets but for a short race, so the place is at the
    // end or very near it.
    Acknowledgement before = last;
    while (before != null && before.requiredOffset > added.requiredOffset) {
      before = before.previous;
    }
    Acknowledgement after = before == null ? first : before.next;
    added.previous = before;
    added.next = after;
    if (before == null) {
      first = added;
    } else {
      before.next = added;
    }
    if (after == null) {
      last = added;
    } else {
      after.previous = added;
    }
    added.state = Acknowledgement.State.WAITING;
    size++;
  }

  /** Takes back a wait; false when it has ended already. */
  boolean remove(Acknowledgement removed) {
    if (removed.state != Acknowledgement.State.WAITING) {
      return false;
    }
    Acknowledgement before = removed.previous;
    Acknowledgement after = removed.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    removed.previous = null;
    removed.next = null;
    removed.state = Acknowledgement.State.ENDED;
    size--;
    return true;
  }

  /** Takes those that need {@code highWatermark} or less, in order. */
  List<Acknowledgement> takeUpTo(long highWatermark) {
    Acknowledgement head = first;
    if (head == null || head.requiredOffset > highWatermark) {
      return List.of();
    }
    List<Acknowledgement> taken = new ArrayList<>();
    while (head != null && head.requiredOffset <= highWatermark) {
      Acknowledgement next = head.next;
      remove(head);
      taken.add(head);
      head = next;
    }
    return taken;
  }
}
