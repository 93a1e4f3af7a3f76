package dev.weir.node;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.weir.log.LogDirectory;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How many files, sockets among them, this process may have open, and what follows from that.
 *
 * @param limit empty where the system does not tell
 */
record Descriptors(OptionalLong limit) {
  /** What {@code docs/reliability.md} recommends and gives the reason for; OpenSearch's figure. */
  static final long RECOMMENDED = 65_535;

  /**
   * Below it a node with some partitions and indexes may run out of them. A warning for every limit
   * below what is recommended stood at the start of nodes on which nothing will ever fail.
   */
  static final long LOW = 4_096;

  /** The part of them that logs keep open for readers; the rest is for writers and indexes. */
  private static final int LOG_SHARE = 4;

  /** Too few to be of use below that: each read of an old segment would open its files. */
  private static final int LOG_FILES_MIN = 16;

  /** Those of this process. The JVM has raised its limit to the hard one by now. */
  @Outside
  static Descriptors ofProcess() {
    return new Descriptors(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? OptionalLong.of(unix.getMaxFileDescriptorCount())
            : OptionalLong.empty());
  }

  /** How many files logs may keep open since somebody has read them. */
  int logFilesMax() {
    return limit.isEmpty()
        ? LogDirectory.OPEN_FILES_MAX
        : Math.clamp(limit.getAsLong() / LOG_SHARE, LOG_FILES_MIN, LogDirectory.OPEN_FILES_MAX);
  }

  /** What to tell whoever starts the node, if the limit is low. */
  Optional<String> warning() {
    return limit.isPresent() && limit.getAsLong() < LOW
        ? Optional.of(
            "limit of open files is low: limit="
                + limit.getAsLong()
                + " recommended="
                + RECOMMENDED
                + "; raise it (ulimit -n, LimitNOFILE of a service) before there are many"
                + " partitions, indexes and clients")
        : Optional.empty();
  }
}
