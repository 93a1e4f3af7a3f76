package dev.weir.log;

import dev.weir.log.checkpoint.AtomicFile;
import dev.weir.log.checkpoint.LeaderEpochs;
import dev.weir.log.checkpoint.PartitionMetadata;
import dev.weir.log.producer.SnapshotFiles;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.LogSegment.SyncScope;
import dev.weir.log.segment.SegmentFiles;
import dev.weir.log.segment.SegmentList;
import java.io.IOException;
import java.nio.file.Path;

/** Puts segments, and the names of files, on the disk. */
final class LogSync {
  /** Whether the names of files have changed since they were last put on the disk. */
  enum Names {
    CHANGED,
    SYNCED
  }

  private LogSync() {}

  /**
   * Syncs the segments that hold offsets from {@code fromOffset} on.
   *
   * @throws LogException if a sync fails; the data since the last one counts as lost then
   */
  static void sync(SegmentList segments, long fromOffset, Path directory, Names names) {
    LogSegment current = segments.active();
    try {
      // A segment that was full at the last sync has got the end of its indexes since.
      for (int i = segments.floor(fromOffset - 1); i < segments.size(); i++) {
        current = segments.get(i);
        current.sync(i + 1 < segments.size() ? SyncScope.WITH_INDEXES : SyncScope.LOG_ONLY);
      }
    } catch (IOException e) {
      throw new LogException("cannot sync file=" + current.file(), e);
    }
    if (names == Names.CHANGED) {
      // The topic id must not be lost where records are kept, nor the names of their files.
      AtomicFile.sync(directory.resolve(PartitionMetadata.FILE_NAME));
      // Recovery reads the epochs of what lies above the recovery point, and no others.
      Path epochs = directory.resolve(LeaderEpochs.FILE_NAME);
      AtomicFile.syncIfThere(epochs);
      for (long offset : new SnapshotFiles(directory).offsets().tailSet(fromOffset, true)) {
        AtomicFile.syncIfThere(SegmentFiles.file(directory, offset, SegmentFiles.SNAPSHOT));
      }
      AtomicFile.syncDirectory(directory);
      AtomicFile.syncDirectory(directory.toAbsolutePath().resolveSibling(""));
    }
  }
}
