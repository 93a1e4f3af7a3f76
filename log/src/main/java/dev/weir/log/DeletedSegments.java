package dev.weir.log;

import dev.weir.log.producer.SnapshotFiles;
import dev.weir.log.segment.LogSegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Segments that are in the list of a log no more. Their files go, which may take seconds where they
 * are many, and does not need the log's lock; reads in flight may still read them for a while, then
 * they are closed.
 *
 * <p>What is closed when is guarded by the log's lock. The files go one segment at a time under a
 * lock of their own, which comes after the log's: so a log that is closed waits for one segment at
 * most, and nobody removes a file of that name afterwards, which may be another topic's.
 */
final class DeletedSegments {
  private record Entry(LogSegment segment, long closeAtMs) {}

  private final SnapshotFiles snapshots;
  private final Deque<Entry> entries = new ArrayDeque<>(); // guarded by the log's lock
  // Fair: whoever closes the log waits for one segment, and not for all of them.
  private final ReentrantLock removing = new ReentrantLock(/* fair= */ true);
  private final Deque<LogSegment> named = new ArrayDeque<>(); // whose files are there still

  DeletedSegments(SnapshotFiles snapshots) {
    this.snapshots = snapshots;
  }

  /** Removes the files of a segment at once; the channel stays open until {@code closeAtMs}. */
  void delete(LogSegment segment, long closeAtMs) {
    deleteFiles(segment);
    closeLater(segment, closeAtMs);
  }

  /**
   * Takes over a segment whose files {@link #removeFiles} is to remove; the channel stays open
   * until {@code closeAtMs}.
   */
  void leave(LogSegment segment, long closeAtMs) {
    removing.lock();
    try {
      named.addLast(segment);
    } finally {
      removing.unlock();
    }
    closeLater(segment, closeAtMs);
  }

  /** Takes over a segment whose files have gone already. */
  void closeLater(LogSegment segment, long closeAtMs) {
    entries.addLast(new Entry(segment, closeAtMs));
  }

  /** Whether files are there that are to go. */
  boolean haveFiles() {
    removing.lock();
    try {
      return !named.isEmpty();
    } finally {
      removing.unlock();
    }
  }

  /**
   * Removes the files of all segments that have left, the first ones first; with or without the
   * log's lock.
   *
   * @throws LogException if a file can't be removed; that one and those after it stay for the next
   *     call
   */
  void removeFiles() {
    boolean more = true;
    while (more) {
      removing.lock();
      try {
        LogSegment first = named.peekFirst();
        if (first != null) {
          deleteFiles(first);
          named.removeFirst();
        }
        more = !named.isEmpty();
      } finally {
        removing.unlock();
      }
    }
  }

  private void deleteFiles(LogSegment segment) {
    segment.deleteFiles();
    snapshots.delete(segment.baseOffset());
  }

  /** Takes out those that reads have had time enough for; the caller closes them. */
  List<LogSegment> takeDue(long nowMs) {
    List<LogSegment> due = new ArrayList<>();
    while (!entries.isEmpty() && entries.getFirst().closeAtMs() <= nowMs) {
      due.add(entries.removeFirst().segment());
    }
    return due;
  }

  /**
   * Closes everything, and removes no more files: those that are left lie below the start of the
   * log, and the next one who opens it removes them.
   */
  void closeAll() {
    removing.lock();
    try {
      named.clear();
    } finally {
      removing.unlock();
    }
    takeDue(Long.MAX_VALUE).forEach(LogSegment::close);
  }
}
