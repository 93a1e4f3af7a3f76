package dev.weir.broker.fetch;

import org.jspecify.annotations.Nullable;

/**
 * The partitions of one session that are to be looked at, in their order: who has given records
 * goes to the end, so that everybody has his turn. Owned by the event loop of the session.
 */
final class DirtyList {
  private @Nullable SessionPartition first;
  private @Nullable SessionPartition last;
  private int size;

  int size() {
    return size;
  }

  @Nullable SessionPartition first() {
    return first;
  }

  /** Adds at the end; one that is in stays where it is. */
  void add(SessionPartition partition) {
    if (partition.dirty) {
      return;
    }
    partition.dirty = true;
    partition.previousDirty = last;
    partition.nextDirty = null;
    SessionPartition before = last;
    if (before == null) {
      first = partition;
    } else {
      before.nextDirty = partition;
    }
    last = partition;
    size++;
  }

  /** Takes out; nothing happens where it is not in. */
  void remove(SessionPartition partition) {
    if (!partition.dirty) {
      return;
    }
    SessionPartition before = partition.previousDirty;
    SessionPartition after = partition.nextDirty;
    if (before == null) {
      first = after;
    } else {
      before.nextDirty = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previousDirty = before;
    }
    partition.previousDirty = null;
    partition.nextDirty = null;
    partition.dirty = false;
    size--;
  }

  void moveToEnd(SessionPartition partition) {
    remove(partition);
    add(partition);
  }
}
