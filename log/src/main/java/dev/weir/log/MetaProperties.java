package dev.weir.log;

import dev.weir.log.checkpoint.AtomicFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;

/**
 * The file {@code meta.properties} of a data directory, in Apache Kafka's format of version 1:
 * {@code version}, {@code cluster.id}, {@code node.id}, {@code directory.id}.
 *
 * @param clusterId cluster id as text
 * @param nodeId node id, from 0
 * @param directoryId id of this directory
 */
public record MetaProperties(String clusterId, int nodeId, UUID directoryId) {
  /** Name of the file. */
  public static final String FILE_NAME = "meta.properties";

  private static final int VERSION = 1;

  /**
   * Reads the file of a data directory; empty if there is none.
   *
   * @throws FormatTooNewException if a newer version wrote it
   * @throws CorruptFileException if a property is missing or malformed
   */
  public static Optional<MetaProperties> read(Path directory) {
    Path file = directory.resolve(FILE_NAME);
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(Files.readString(file, StandardCharsets.UTF_8)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      throw new LogException("cannot read file=" + file, e);
    }
    int version = number(properties, "version", file);
    if (version > VERSION) {
      throw new FormatTooNewException(
          "version is " + version + ", expected at most " + VERSION + ", in file=" + file);
    }
    String clusterId = text(properties, "cluster.id", file);
    int nodeId = number(properties, version == 0 ? "broker.id" : "node.id", file);
    String directoryId = text(properties, "directory.id", file);
    try {
      return Optional.of(new MetaProperties(clusterId, nodeId, UuidText.parse(directoryId)));
    } catch (IllegalArgumentException e) {
      throw new CorruptFileException(
          "directory.id=" + directoryId + " is no id of 22 characters, in file=" + file);
    }
  }

  /** Writes the file durably, in place of an older one. */
  public void write(Path directory) {
    String text =
        "version="
            + VERSION
            + "\ncluster.id="
            + clusterId
            + "\nnode.id="
            + nodeId
            + "\ndirectory.id="
            + UuidText.of(directoryId)
            + "\n";
    AtomicFile.writeDurably(directory.resolve(FILE_NAME), text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Properties properties, String name, Path file) {
    String value = properties.getProperty(name);
    if (value == null) {
      throw new CorruptFileException("property " + name + " is missing in file=" + file);
    }
    return value;
  }

  private static int number(Properties properties, String name, Path file) {
    String value = text(properties, name, file);
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new CorruptFileException(name + "=" + value + " is no number, in file=" + file);
    }
  }
}
