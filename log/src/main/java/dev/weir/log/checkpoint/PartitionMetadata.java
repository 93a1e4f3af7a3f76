package dev.weir.log.checkpoint;

import dev.weir.log.CorruptFileException;
import dev.weir.log.FormatTooNewException;
import dev.weir.log.LogException;
import dev.weir.log.UuidText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The file {@code partition.metadata}: two lines, {@code version: 0} and {@code topic_id: ID}. */
public final class PartitionMetadata {
  /** Name of the file. */
  public static final String FILE_NAME = "partition.metadata";

  private static final String VERSION = "version: ";
  private static final String TOPIC_ID = "topic_id: ";

  private PartitionMetadata() {}

  /** The topic id of a partition directory; empty if there is no file. */
  public static Optional<UUID> read(Path directory) {
    Path file = directory.resolve(FILE_NAME);
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (CharacterCodingException e) {
      throw new CorruptFileException("text is not UTF-8, in file=" + file);
    } catch (IOException e) {
      throw new LogException("cannot read file=" + file, e);
    }
    if (lines.size() < 2
        || !lines.get(0).startsWith(VERSION)
        || !lines.get(1).startsWith(TOPIC_ID)) {
      throw new CorruptFileException(
          "expected the lines '" + VERSION + "0' and '" + TOPIC_ID + "ID' in file=" + file);
    }
    String version = lines.get(0).substring(VERSION.length());
    if (!version.equals("0")) {
      throw new FormatTooNewException("version is " + version + ", expected 0, in file=" + file);
    }
    try {
      return Optional.of(UuidText.parse(lines.get(1).substring(TOPIC_ID.length())));
    } catch (IllegalArgumentException e) {
      throw new CorruptFileException(lines.get(1) + " is no id of 22 characters, in file=" + file);
    }
  }

  /** Writes the file; it is durable after the partition's first flush. */
  public static void write(Path directory, UUID topicId) {
    String text = VERSION + "0\n" + TOPIC_ID + UuidText.of(topicId) + "\n";
    AtomicFile.write(directory.resolve(FILE_NAME), text.getBytes(StandardCharsets.UTF_8));
  }
}
