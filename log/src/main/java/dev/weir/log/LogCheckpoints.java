package dev.weir.log;

import dev.weir.log.LogLoader.Checkpointed;
import dev.weir.log.LogLoader.LastStop;
import dev.weir.log.checkpoint.OffsetCheckpoint;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints of a data directory: of each partition, up to where its records are on the disk,
 * where they start, up to where they are committed, and up to where they are compacted. What they
 * say of a log that cannot be opened is kept for when it can. Safe for use by any thread.
 */
final class LogCheckpoints {
  private static final Logger LOG = LoggerFactory.getLogger(LogCheckpoints.class);

  private static final List<String> NAMES =
      List.of(
          OffsetCheckpoint.RECOVERY_POINTS,
          OffsetCheckpoint.LOG_START_OFFSETS,
          OffsetCheckpoint.HIGH_WATERMARKS,
          OffsetCheckpoint.CLEANED_UNTIL);

  private final Path directory;
  private final Map<String, Map<TopicPartition, Long>> readByName;
  private final Object writing = new Object();
  // Guarded by writing: what each file holds.
  private final Map<String, Map<TopicPartition, Long>> writtenByName = new HashMap<>();

  private LogCheckpoints(Path directory, Map<String, Map<TopicPartition, Long>> readByName) {
    this.directory = directory;
    this.readByName = readByName;
  }

  /** Reads the files; one that is damaged says nothing. */
  static LogCheckpoints read(Path directory, LastStop lastStop) {
    Map<String, Map<TopicPartition, Long>> readByName = new HashMap<>();
    for (String name : NAMES) {
      try {
        readByName.put(name, OffsetCheckpoint.read(directory.resolve(name)));
      } catch (CorruptFileException e) {
        LOG.warn("checkpoint is left out, since it is damaged; last stop was {}", lastStop, e);
      }
    }
    return new LogCheckpoints(directory, Map.copyOf(readByName));
  }

  /** What the files said of a partition when they were read; zeros where they did not. */
  Checkpointed of(TopicPartition partition) {
    return new Checkpointed(
        offset(OffsetCheckpoint.RECOVERY_POINTS, partition),
        offset(OffsetCheckpoint.LOG_START_OFFSETS, partition),
        offset(OffsetCheckpoint.HIGH_WATERMARKS, partition),
        offset(OffsetCheckpoint.CLEANED_UNTIL, partition));
  }

  private long offset(String name, TopicPartition partition) {
    return readByName.getOrDefault(name, Map.of()).getOrDefault(partition, 0L);
  }

  /**
   * Replaces the files durably, those that would change.
   *
   * @param unopened partitions of which is kept what was read
   * @throws LogException if a file can't be written
   */
  void write(Collection<PartitionLog> logs, Set<TopicPartition> unopened) {
    writeRecoveryPoints(logs, unopened);
    writeLogStartOffsets(logs, unopened);
    write(OffsetCheckpoint.HIGH_WATERMARKS, logs, unopened, PartitionLog::highWatermark);
    List<PartitionLog> compacted =
        logs.stream().filter(log -> log.config().compacted() || log.cleanedUntil() > 0).toList();
    write(OffsetCheckpoint.CLEANED_UNTIL, compacted, unopened, PartitionLog::cleanedUntil);
  }

  /** The same for the recovery points alone. */
  void writeRecoveryPoints(Collection<PartitionLog> logs, Set<TopicPartition> unopened) {
    write(OffsetCheckpoint.RECOVERY_POINTS, logs, unopened, PartitionLog::recoveryPoint);
  }

  /** The same for the offsets where the logs start alone. */
  void writeLogStartOffsets(Collection<PartitionLog> logs, Set<TopicPartition> unopened) {
    write(OffsetCheckpoint.LOG_START_OFFSETS, logs, unopened, PartitionLog::logStartOffset);
  }

  private void write(
      String name,
      Collection<PartitionLog> logs,
      Set<TopicPartition> unopened,
      ToLongFunction<PartitionLog> offset) {
    synchronized (writing) {
      Map<TopicPartition, Long> offsets = new HashMap<>();
      for (PartitionLog log : logs) {
        offsets.put(log.topicPartition(), offset.applyAsLong(log));
      }
      Map<TopicPartition, Long> read = readByName.getOrDefault(name, Map.of());
      for (TopicPartition partition : unopened) {
        Long kept = read.get(partition);
        if (kept != null) {
          offsets.put(partition, kept);
        }
      }
      if (!offsets.equals(writtenByName.get(name))) {
        OffsetCheckpoint.write(directory.resolve(name), offsets);
        writtenByName.put(name, offsets);
      }
    }
  }
}
