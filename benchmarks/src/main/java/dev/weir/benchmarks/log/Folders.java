package dev.weir.benchmarks.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders below the system's temporary one, or that of {@code java.io.tmpdir}. */
final class Folders {
  private Folders() {}

  static Path make() throws IOException {
    return Files.createTempDirectory("weir-bench-log");
  }

  static void delete(Path folder) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> files = Files.walk(folder)) {
      deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : deepestFirst) {
      Files.deleteIfExists(file); // Kafka may have renamed or removed it meanwhile
    }
  }
}
