package dev.weir.log.producer;

import dev.weir.log.CorruptFileException;
import dev.weir.log.FormatTooNewException;
import dev.weir.log.LogException;
import dev.weir.log.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/** The producer snapshots in a partition directory. */
public final class SnapshotFiles {
  private final Path directory;

  /** The snapshots in {@code directory}. */
  public SnapshotFiles(Path directory) {
    this.directory = directory;
  }

  /** The file of the snapshot as of {@code offset}. */
  public Path file(long offset) {
    return SegmentFiles.file(directory, offset, SegmentFiles.SNAPSHOT);
  }

  /**
   * The producers in a snapshot file, by id.
   *
   * @throws CorruptFileException if the file is damaged
   * @throws FormatTooNewException if a newer version wrote it
   */
  public static List<SnapshotProducer> producers(Path file) {
    return ProducerSnapshot.read(file).entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> SnapshotProducer.of(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Offsets of all snapshots. */
  public NavigableSet<Long> offsets() {
    return new TreeSet<>(
        SegmentFiles.offsets(SegmentFiles.names(directory), SegmentFiles.SNAPSHOT));
  }

  /** Removes the snapshots of some offsets. */
  public void deleteIf(LongPredicate condition) {
    for (long offset : offsets()) {
      if (condition.test(offset)) {
        delete(offset);
      }
    }
  }

  /** Removes one snapshot. */
  public void delete(long offset) {
    try {
      Files.deleteIfExists(file(offset));
    } catch (IOException e) {
      throw new LogException("cannot delete file=" + file(offset), e);
    }
  }
}
