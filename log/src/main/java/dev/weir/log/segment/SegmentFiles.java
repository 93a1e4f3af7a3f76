package dev.weir.log.segment;

import dev.weir.log.LogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Names of the files of a partition: the base offset in 20 digits, and a suffix. */
public final class SegmentFiles {
  public static final String LOG = ".log";
  public static final String OFFSET_INDEX = ".index";
  public static final String TIME_INDEX = ".timeindex";
  public static final String TRANSACTION_INDEX = ".txnindex";
  public static final String SNAPSHOT = ".snapshot";

  /** Suffixes of what goes with a segment and is of no use without it. */
  public static final List<String> INDEXES = List.of(OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX);

  /** A segment that compaction is writing; removed at start. */
  public static final String CLEANED = ".cleaned";

  /** A segment that compaction has finished; its swap is completed at start. */
  public static final String SWAP = ".swap";

  /** A file that Apache Kafka has marked for deletion; removed at start. */
  public static final String DELETED = ".deleted";

  /**
   * What becomes the next segment file, empty. Left by a crash it is removed at start, and of no
   * concern to Apache Kafka, which passes over names that it does not know.
   */
  public static final String NEXT_LOG = "next.log.tmp";

  /** What becomes the next producer snapshot, likewise. */
  public static final String NEXT_SNAPSHOT = "next.snapshot.tmp";

  private static final int DIGITS = 20;

  private SegmentFiles() {}

  /** The file of {@code offset} with {@code suffix}. */
  public static Path file(Path directory, long offset, String suffix) {
    String digits = Long.toString(offset);
    return directory.resolve("0".repeat(DIGITS - digits.length()) + digits + suffix);
  }

  /** Names of the files in a directory, in order. */
  public static List<String> names(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    } catch (IOException e) {
      throw new LogException("cannot list directory=" + directory, e);
    }
  }

  /** Offsets of the names that end with {@code suffix}, in order. */
  public static List<Long> offsets(List<String> names, String suffix) {
    return names.stream()
        .flatMapToLong(name -> offset(name, suffix).stream())
        .sorted()
        .boxed()
        .toList();
  }

  /** The offset in a name that ends with {@code suffix}; empty if the name is no such. */
  public static OptionalLong offset(String name, String suffix) {
    if (name.length() != DIGITS + suffix.length() || !name.endsWith(suffix)) {
      return OptionalLong.empty();
    }
    String digits = name.substring(0, DIGITS);
    if (!digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(digits));
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // 20 digits hold more than a long does
    }
  }
}
