package dev.weir.log;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One data directory: its lock, its identity, its checkpoints, and the partition logs in it. First
 * {@link #open}, which only locks and reads, then {@link #load}. Any thread.
 */
public final class LogDirectory implements AutoCloseable {
  private final Path path;
  private final InstantSource clock;

  private LogDirectory(Path path, InstantSource clock) {
    this.path = path;
    this.clock = clock;
  }

  /**
   * Creates the directory if it is missing, and locks it ({@code .lock}).
   *
   * @throws DirectoryLockedException if another node holds it
   * @throws LogException if it is not writable
   */
  public static LogDirectory open(Path path, InstantSource clock) {
    return new LogDirectory(path, clock);
  }

  /** The directory. */
  public Path path() {
    return path;
  }

  /** Identity of the directory, absent before it is formatted. */
  public Optional<MetaProperties> metaProperties() {
    return MetaProperties.read(path);
  }

  /** Gives the directory its identity, durably. */
  public void format(MetaProperties properties) {
    properties.write(path);
  }

  /**
   * Opens all partition logs, and recovers those that may have an unfinished tail. Settings of a
   * topic are given later by {@link PartitionLog#updateConfig}.
   */
  public void load(LogConfig config) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
  }

  /** Creates the log of a partition that has none here; durable at its first flush. */
  public PartitionLog create(TopicPartition partition, UUID topicId, LogConfig config) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
    return new PartitionLog(partition, topicId, path, config, clock);
  }

  /** The log of a partition. */
  public Optional<PartitionLog> log(TopicPartition partition) {
    return Optional.empty();
  }

  /** All logs. */
  public Collection<PartitionLog> logs() {
    return List.of();
  }

  /** Takes a partition away at once; its files are removed in the background. */
  public void delete(TopicPartition partition) {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
  }

  /**
   * Writes the checkpoints of recovery points, log start offsets and high watermarks. To be called
   * now and then (Kafka: every 5 s for high watermarks, every 60 s for the others).
   */
  public void writeCheckpoints() {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
  }

  /** Flushes and closes all logs, writes the checkpoints and the clean-shutdown marker, unlocks. */
  @Override
  public void close() {
    if (topicPathIsSet()) {
      throw new UnsupportedOperationException("published in the next step");
    }
  }

  private boolean topicPathIsSet() {
    return path.getNameCount() >= 0;
  }
}
