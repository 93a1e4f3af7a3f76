package dev.weir.log.checkpoint;

import dev.weir.log.CorruptFileException;
import dev.weir.log.FormatTooNewException;
import dev.weir.log.LogException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Apache Kafka's checkpoint format: UTF-8 lines of the version (0), the number of entries, and one
 * entry each, its fields divided by a space.
 */
final class TextCheckpoint {
  private static final int VERSION = 0;

  private TextCheckpoint() {}

  /** One line's text. */
  static byte[] encode(List<String> entries) {
    StringBuilder text = new StringBuilder();
    text.append(VERSION).append('\n').append(entries.size()).append('\n');
    for (String entry : entries) {
      text.append(entry).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The fields of each entry; none if there is no file. An empty file has none either: Apache Kafka
   * makes its files before it has anything to write into them.
   */
  static List<String[]> read(Path file, int fields) {
    List<String> lines;
    try {
      String text = Files.readString(file, StandardCharsets.UTF_8);
      lines = text.lines().toList();
      if (!text.isEmpty() && !text.endsWith("\n")) {
        // A power loss may have left a part, and the last number with fewer digits.
        throw corrupt(file, lines.size(), "line does not end");
      }
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (CharacterCodingException e) {
      throw new CorruptFileException("text is not UTF-8, in file=" + file);
    } catch (IOException e) {
      throw new LogException("cannot read file=" + file, e);
    }
    if (lines.isEmpty()) {
      return List.of();
    }
    if (lines.size() < 2) {
      throw corrupt(file, lines.size() + 1, "file ends, expected a version and a count");
    }
    long version = number(lines.get(0), file, 1);
    if (version > VERSION) {
      throw new FormatTooNewException(
          "version is " + version + ", expected " + VERSION + ", in file=" + file);
    }
    long count = number(lines.get(1), file, 2);
    if (count != lines.size() - 2L) {
      throw corrupt(file, 2, "count is " + count + ", but " + (lines.size() - 2) + " lines follow");
    }
    List<String[]> entries = new ArrayList<>();
    for (int i = 2; i < lines.size(); i++) {
      String[] entry = lines.get(i).split(" ", -1);
      if (entry.length != fields) {
        throw corrupt(file, i + 1, "entry has " + entry.length + " fields, expected " + fields);
      }
      entries.add(entry);
    }
    return entries;
  }

  static long number(String text, Path file, int line) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw corrupt(file, line, "'" + text + "' is no number");
    }
  }

  /** A number that is no more than an int holds, and not negative. */
  static int count(String text, Path file, int line) {
    long number = number(text, file, line);
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw corrupt(file, line, number + " is out of 0.." + Integer.MAX_VALUE);
    }
    return (int) number;
  }

  static CorruptFileException corrupt(Path file, int line, String what) {
    return new CorruptFileException(what + ", in line=" + line + " of file=" + file);
  }
}
