package dev.weir.log;

import dev.weir.log.checkpoint.PartitionMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folders of partitions in a data directory: their names, how they come and how they go. */
final class PartitionFolders {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionFolders.class);

  private static final String DELETE_SUFFIX = "-delete";
  private static final int NAME_BYTES_MAX = 255;

  private final Path path;

  PartitionFolders(Path path) {
    this.path = path;
  }

  /** The folder of a partition. */
  Path of(TopicPartition partition) {
    return path.resolve(partition.directoryName());
  }

  /**
   * What is in the data directory.
   *
   * @param partitions folders of partitions
   * @param doomed folders of deleted ones, which a crash has left
   */
  record Found(List<Path> partitions, List<Path> doomed) {}

  /** Lists the folders. */
  Found list() {
    List<Path> doomed = new ArrayList<>();
    List<Path> partitions = new ArrayList<>();
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(DELETE_SUFFIX)) {
          doomed.add(file);
        } else if (TopicPartition.ofDirectoryName(name).isPresent() && Files.isDirectory(file)) {
          partitions.add(file);
        }
      }
    } catch (IOException e) {
      throw new LogException("cannot list directory=" + path, e);
    }
    return new Found(partitions, doomed);
  }

  /** A file that a power loss has emptied belongs to a log that was never flushed: it is empty. */
  static UUID topicId(Path directory) {
    try {
      return PartitionMetadata.read(directory).orElse(LogDirectory.NO_TOPIC_ID);
    } catch (CorruptFileException e) {
      LOG.warn("topic id is unknown, since its file is damaged", e);
      return LogDirectory.NO_TOPIC_ID;
    }
  }

  /** Makes a directory; one that an earlier try has left half made, without records, goes first. */
  static void makeEmpty(Path directory) {
    try {
      if (Files.isDirectory(directory)) {
        requireNoRecords(directory);
        deleteTree(directory);
      }
      Files.createDirectory(directory);
    } catch (IOException e) {
      throw new LogException("cannot create directory=" + directory, e);
    }
  }

  private static void requireNoRecords(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (file.toString().endsWith(".log") && Files.size(file) > 0) {
          throw new LogException(
              "directory of a new log has records of something else: file="
                  + file
                  + "; move it away");
        }
      }
    }
  }

  /** Renames the folder of a partition, so that it is none any more and goes with a restart too. */
  Path doom(TopicPartition partition, UUID id) {
    String suffix = "-" + partition.partition() + "." + hex(id) + DELETE_SUFFIX;
    String topic = partition.topic();
    int topicMax = Math.min(topic.length(), NAME_BYTES_MAX - suffix.length());
    Path directory = of(partition);
    Path renamed = path.resolve(topic.substring(0, topicMax) + suffix);
    try {
      Files.move(directory, renamed);
    } catch (IOException e) {
      throw new LogException("cannot rename directory=" + directory + " to " + renamed, e);
    }
    return renamed;
  }

  private static String hex(UUID id) {
    return id.toString().replace("-", "");
  }

  /** Removes a folder with all that is in it; what fails is told and left to the next start. */
  static void deleteTree(Path tree) {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.error("cannot delete directory={}; it is tried again at the next start", tree, e);
    }
  }

  @Override
  public String toString() {
    return "PartitionFolders[path=" + path + "]";
  }
}
