package dev.weir.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What Apache Kafka's {@code DumpLogSegments} says of files.
 *
 * @param lines all that it printed
 */
record LogDump(List<String> lines) {
  private static final String TOOL = "org.apache.kafka.tools.DumpLogSegments";

  private static final Pattern BATCH =
      Pattern.compile(
          "baseOffset: (?<base>\\d+) lastOffset: (?<last>\\d+) count: (?<count>\\d+) .*");

  private static final Pattern GAP = Pattern.compile(" +(?<before>-?\\d+) is followed by \\d+");

  /** What it prints where all is well. Everything else tells of something wrong. */
  private static final Pattern WELL =
      Pattern.compile(
          "Dumping .*"
              + "|Log starting offset: \\d+"
              + "|Snapshot end offset: \\d+, epoch: \\d+"
              + "|baseOffset: .* isvalid: true"
              + "|\\| offset: .*"
              + "|offset: \\d+ position: \\d+ *"
              + "|timestamp: \\d+ offset: \\d+ *"
              + "|producerId: \\d+ producerEpoch: .*"
              + "|version: 0 producerId: \\d+ firstOffset: .*"
              + "|.* passed sanity check\\."
              + "|.*index is empty\\."
              + "|Non-consecutive offsets in .*" // of its lines see gaps()
              + "|");

  /** Files of these kinds in a folder, in the order of their names. */
  static List<Path> files(Path folder, String... extensions) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(
              file -> Stream.of(extensions).anyMatch(end -> file.toString().endsWith("." + end)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs the tool on files, of which there must be some. */
  static LogDump of(List<Path> files, String... options) {
    if (files.isEmpty()) {
      throw new AssertionError("no files to dump");
    }
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add("--files");
    arguments.add(files.stream().map(Path::toString).collect(Collectors.joining(",")));
    return new LogDump(KafkaPeer.run(TOOL, arguments));
  }

  /** Everything that it found wrong. */
  List<String> wrong() {
    return lines.stream()
        .filter(line -> !WELL.matcher(line).matches() && !GAP.matcher(line).matches())
        .toList();
  }

  /**
   * Offsets that are missing between records, as compaction leaves them. That a segment does not
   * begin at 0 is a gap to the tool as well (-1 is followed by its first offset), in Kafka's own
   * files too.
   */
  List<String> gaps() {
    return lines.stream()
        .filter(
            line -> {
              Matcher gap = GAP.matcher(line);
              return gap.matches() && !gap.group("before").equals("-1");
            })
        .toList();
  }

  /** The lines of batches. */
  List<String> batches() {
    return lines.stream().filter(line -> BATCH.matcher(line).matches()).toList();
  }

  /** How many records the batches hold, as their headers count them. */
  long recordCount() {
    return batches().stream()
        .map(BATCH::matcher)
        .filter(Matcher::matches)
        .mapToLong(batch -> Long.parseLong(batch.group("count")))
        .sum();
  }

  /** How many records it saw when it went into the batches. */
  long recordsSeen() {
    return lines.stream().filter(line -> line.startsWith("| offset: ")).count();
  }
}
