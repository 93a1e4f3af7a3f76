package dev.weir.log.checkpoint;

import dev.weir.log.CorruptFileException;
import dev.weir.log.TopicPartition;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A file with one offset for each partition of a data directory: topic, partition, offset. */
public final class OffsetCheckpoint {
  public static final String RECOVERY_POINTS = "recovery-point-offset-checkpoint";
  public static final String LOG_START_OFFSETS = "log-start-offset-checkpoint";
  public static final String HIGH_WATERMARKS = "replication-offset-checkpoint";

  public static final String CLEANED_UNTIL = "cleaner-offset-checkpoint";

  private OffsetCheckpoint() {}

  /**
   * Reads a checkpoint; empty if there is no file.
   *
   * @throws CorruptFileException if it is malformed
   */
  public static Map<TopicPartition, Long> read(Path file) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    int line = 2;
    for (String[] entry : TextCheckpoint.read(file, 3)) {
      line++;
      if (entry[0].isEmpty()) {
        throw TextCheckpoint.corrupt(file, line, "topic has no name");
      }
      int partition = TextCheckpoint.count(entry[1], file, line);
      offsets.put(
          new TopicPartition(entry[0], partition), TextCheckpoint.number(entry[2], file, line));
    }
    return offsets;
  }

  /** Replaces a checkpoint durably. */
  public static void write(Path file, Map<TopicPartition, Long> offsets) {
    List<String> entries =
        offsets.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(
                entry ->
                    entry.getKey().topic()
                        + " "
                        + entry.getKey().partition()
                        + " "
                        + entry.getValue())
            .toList();
    AtomicFile.writeDurably(file, TextCheckpoint.encode(entries));
  }
}
