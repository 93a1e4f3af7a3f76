package dev.weir.log;

import dev.weir.log.producer.SnapshotFiles;
import dev.weir.log.segment.LogSegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Segments whose files are gone, but which reads in flight may still read for a while. Under the
 * log's lock.
 */
final class DeletedSegments {
  private record Entry(LogSegment segment, long closeAtMs) {}

  private final SnapshotFiles snapshots;
  private final Deque<Entry> entries = new ArrayDeque<>();

  DeletedSegments(SnapshotFiles snapshots) {
    this.snapshots = snapshots;
  }

  /** Removes the files of a segment; the channel stays open until {@code closeAtMs}. */
  void delete(LogSegment segment, long closeAtMs) {
    segment.deleteFiles();
    snapshots.delete(segment.baseOffset());
    closeLater(segment, closeAtMs);
  }

  /** Takes over a segment whose files have gone already. */
  void closeLater(LogSegment segment, long closeAtMs) {
    entries.addLast(new Entry(segment, closeAtMs));
  }

  /** Closes what reads have had time enough for. */
  void closeDue(long nowMs) {
    while (!entries.isEmpty() && entries.getFirst().closeAtMs() <= nowMs) {
      entries.removeFirst().segment().close();
    }
  }

  /** Closes everything. */
  void closeAll() {
    closeDue(Long.MAX_VALUE);
  }
}
