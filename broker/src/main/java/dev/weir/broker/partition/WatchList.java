package dev.weir.broker.partition;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The watches of one partition. Guarded by the lock of the partition; runs nothing. */
final class WatchList {
  private @Nullable Watch first;
  private int size;

  int size() {
    return size;
  }

  void add(Watch watch) {
    assert !watch.linked : "watch is linked already";
    Watch head = first;
    watch.previous = null;
    watch.next = head;
    if (head != null) {
      head.previous = watch;
    }
    first = watch;
    watch.linked = true;
    size++;
  }

  /** Ends the interest; nothing happens where it has ended already. */
  void remove(Watch watch) {
    if (!watch.linked) {
      return;
    }
    Watch before = watch.previous;
    Watch after = watch.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after != null) {
      after.previous = before;
    }
    watch.previous = null;
    watch.next = null;
    watch.linked = false;
    size--;
  }

  /** Signals all; those are returned whose reader must be told, once the lock is released. */
  List<Watch> signalAll() {
    List<Watch> toTell = new ArrayList<>(0); // most of many readers need not be told
    for (Watch watch = first; watch != null; watch = watch.next) {
      if (watch.signal()) {
        toTell.add(watch);
      }
    }
    return toTell;
  }
}
