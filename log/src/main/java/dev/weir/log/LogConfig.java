package dev.weir.log;

import dev.weir.log.batch.Compression;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of one partition log, from topic properties with Apache Kafka's names and defaults.
 *
 * @param segmentBytes {@code segment.bytes}: a segment is closed before it grows beyond this
 * @param segmentMs {@code segment.ms}: a segment is closed when its first record is this old
 * @param segmentIndexBytes {@code segment.index.bytes}: bound of each index file
 * @param indexIntervalBytes {@code index.interval.bytes}: log bytes between two index entries
 * @param maxMessageBytes {@code max.message.bytes}: largest batch
 * @param retentionBytes {@code retention.bytes}, -1 for no bound
 * @param retentionMs {@code retention.ms}, -1 for no bound
 * @param cleanupPolicies {@code cleanup.policy}
 * @param deleteRetentionMs {@code delete.retention.ms}: how long tombstones stay after compaction
 * @param minCompactionLagMs {@code min.compaction.lag.ms}
 * @param maxCompactionLagMs {@code max.compaction.lag.ms}
 * @param minCleanableDirtyRatio {@code min.cleanable.dirty.ratio}, 0 to 1
 * @param compression {@code compression.type}; empty for {@code producer}
 * @param timestampSource {@code message.timestamp.type}
 * @param timestampBeforeMaxMs {@code message.timestamp.before.max.ms}
 * @param timestampAfterMaxMs {@code message.timestamp.after.max.ms}
 * @param fileDeleteDelayMs {@code file.delete.delay.ms}: how long a deleted file stays readable for
 *     reads in flight
 * @param flushMessages {@code flush.messages}: records between two flushes by the appender
 * @param singleReplicaFlush {@code weir.flush.single.replica}
 */
public record LogConfig(
    int segmentBytes,
    long segmentMs,
    int segmentIndexBytes,
    int indexIntervalBytes,
    int maxMessageBytes,
    long retentionBytes,
    long retentionMs,
    Set<CleanupPolicy> cleanupPolicies,
    long deleteRetentionMs,
    long minCompactionLagMs,
    long maxCompactionLagMs,
    double minCleanableDirtyRatio,
    Optional<Compression> compression,
    TimestampSource timestampSource,
    long timestampBeforeMaxMs,
    long timestampAfterMaxMs,
    long fileDeleteDelayMs,
    long flushMessages,
    SingleReplicaFlush singleReplicaFlush) {

  /** What happens to old records. */
  public enum CleanupPolicy {
    /** Segments are deleted by age and size. */
    DELETE,
    /** The newest record of each key is kept. */
    COMPACT
  }

  /** Whose clock a record's timestamp is. */
  public enum TimestampSource {
    /** The producer's. */
    CREATE_TIME,
    /** This node's, at the append. */
    LOG_APPEND_TIME
  }

  /** When an append to a topic with one replica counts as committed. */
  public enum SingleReplicaFlush {
    /** After a flush that it shares with other appends. */
    GROUP,
    /** Once it is in the page cache. */
    OS
  }

  /** All defaults. */
  public static final LogConfig DEFAULT = of(Map.of());

  /**
   * For logs whose topics' settings are not known, or not yet: nothing is removed from them. By the
   * defaults a log that is to be kept for good would lose what is older than a week.
   */
  public static final LogConfig KEEPING_ALL = of(Map.of("cleanup.policy", ""));

  /** One entry of a time index; Apache Kafka takes 4 bytes, which a node has to start with. */
  private static final int INDEX_BYTES_MIN = 12;

  /** A delay that can be added to the time of day. */
  private static final long FOREVER_MS = Long.MAX_VALUE / 2;

  public LogConfig {
    cleanupPolicies = Set.copyOf(cleanupPolicies);
    if (segmentBytes < 1 || segmentIndexBytes < INDEX_BYTES_MIN || indexIntervalBytes < 0) {
      throw new IllegalArgumentException(
          "segment.bytes="
              + segmentBytes
              + ", segment.index.bytes="
              + segmentIndexBytes
              + ", index.interval.bytes="
              + indexIntervalBytes);
    }
  }

  /**
   * Reads the topic properties that concern the log; others are left to whom they concern.
   *
   * @throws IllegalArgumentException if a value is none that the property takes; the message names
   *     the property
   */
  public static LogConfig of(Map<String, String> properties) {
    Reader in = new Reader(properties);
    return new LogConfig(
        in.intOr("segment.bytes", 1 << 30),
        in.longOr("segment.ms", 604_800_000L),
        Math.max(INDEX_BYTES_MIN, in.intOr("segment.index.bytes", 10 << 20)),
        in.intOr("index.interval.bytes", 4096),
        in.intOr("max.message.bytes", (1 << 20) + 12),
        in.longOr("retention.bytes", -1),
        in.longOr("retention.ms", 604_800_000L),
        policies(in.textOr("cleanup.policy", "delete")),
        in.longOr("delete.retention.ms", 86_400_000L),
        in.longOr("min.compaction.lag.ms", 0),
        in.longOr("max.compaction.lag.ms", Long.MAX_VALUE),
        in.doubleOr("min.cleanable.dirty.ratio", 0.5),
        compression(in.textOr("compression.type", "producer")),
        timestampSource(in.textOr("message.timestamp.type", "CreateTime")),
        in.longOr("message.timestamp.before.max.ms", Long.MAX_VALUE),
        in.longOr("message.timestamp.after.max.ms", 3_600_000L),
        Math.min(FOREVER_MS, in.longOr("file.delete.delay.ms", 60_000L)),
        in.longOr("flush.messages", Long.MAX_VALUE),
        singleReplicaFlush(in.textOr("weir.flush.single.replica", "group")));
  }

  /** Whether the log is compacted, so that every record needs a key. */
  public boolean compacted() {
    return cleanupPolicies.contains(CleanupPolicy.COMPACT);
  }

  private static Set<CleanupPolicy> policies(String text) {
    Set<CleanupPolicy> policies = EnumSet.noneOf(CleanupPolicy.class);
    for (String name : text.split(",", -1)) {
      switch (name.trim()) {
        case "delete" -> policies.add(CleanupPolicy.DELETE);
        case "compact" -> policies.add(CleanupPolicy.COMPACT);
        case "" -> {} // Kafka accepts an empty list: nothing is ever removed
        default -> throw bad("cleanup.policy", text, "compact, delete or both");
      }
    }
    return policies;
  }

  private static Optional<Compression> compression(String text) {
    return switch (text) {
      case "producer" -> Optional.empty();
      case "uncompressed" -> Optional.of(Compression.NONE);
      default ->
          Optional.of(
              Compression.ofName(text)
                  .orElseThrow(
                      () ->
                          bad(
                              "compression.type",
                              text,
                              "producer, uncompressed, gzip, snappy, lz4 or zstd")));
    };
  }

  private static TimestampSource timestampSource(String text) {
    return switch (text) {
      case "CreateTime" -> TimestampSource.CREATE_TIME;
      case "LogAppendTime" -> TimestampSource.LOG_APPEND_TIME;
      default -> throw bad("message.timestamp.type", text, "CreateTime or LogAppendTime");
    };
  }

  private static SingleReplicaFlush singleReplicaFlush(String text) {
    return switch (text) {
      case "group" -> SingleReplicaFlush.GROUP;
      case "os" -> SingleReplicaFlush.OS;
      default -> throw bad("weir.flush.single.replica", text, "group or os");
    };
  }

  private static IllegalArgumentException bad(String name, String value, String expected) {
    return new IllegalArgumentException(name + "=" + value + ", expected " + expected);
  }

  /**
   * Values are taken as they were accepted: without the white space, and what else, around them.
   */
  private record Reader(Map<String, String> properties) {
    String textOr(String name, String ifAbsent) {
      return properties.getOrDefault(name, ifAbsent).trim();
    }

    int intOr(String name, int ifAbsent) {
      long value = longOr(name, ifAbsent);
      if (value != (int) value) {
        throw bad(name, Long.toString(value), "a whole number of 32 bits");
      }
      return (int) value;
    }

    long longOr(String name, long ifAbsent) {
      String text = properties.get(name);
      try {
        return text == null ? ifAbsent : Long.parseLong(text.trim());
      } catch (NumberFormatException e) {
        throw bad(name, String.valueOf(text), "a whole number");
      }
    }

    double doubleOr(String name, double ifAbsent) {
      String text = properties.get(name);
      try {
        return text == null ? ifAbsent : Double.parseDouble(text.trim());
      } catch (NumberFormatException e) {
        throw bad(name, String.valueOf(text), "a number");
      }
    }
  }
}
