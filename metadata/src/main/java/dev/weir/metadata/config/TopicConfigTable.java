package dev.weir.metadata.config;

import static dev.weir.metadata.config.ConfigType.BOOLEAN;
import static dev.weir.metadata.config.ConfigType.DOUBLE;
import static dev.weir.metadata.config.ConfigType.INT;
import static dev.weir.metadata.config.ConfigType.LIST;
import static dev.weir.metadata.config.ConfigType.LONG;
import static dev.weir.metadata.config.ConfigType.STRING;
import static dev.weir.metadata.config.Constraint.atLeast;

import dev.weir.metadata.config.ConfigDefinition.Synonym;
import dev.weir.metadata.config.ConfigDefinition.Visibility;
import dev.weir.metadata.config.Constraint.Any;
import dev.weir.metadata.config.Constraint.Between;
import dev.weir.metadata.config.Constraint.BetweenOr;
import dev.weir.metadata.config.Constraint.Fraction;
import dev.weir.metadata.config.Constraint.OneOf;
import dev.weir.metadata.config.Constraint.SomeOf;
import dev.weir.metadata.config.Constraint.ThrottledReplicas;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows of {@link TopicConfigs}: the topic configurations of Kafka 4.4, and Weir's. */
final class TopicConfigTable {
  private static final long MINUTE_MS = 60_000;
  private static final long HOUR_MS = 3_600_000;

  private TopicConfigTable() {}

  static List<ConfigDefinition> rows() {
    return Stream.of(retention(), batches(), segments(), replication(), tiering())
        .flatMap(List::stream)
        .sorted(Comparator.comparing(ConfigDefinition::name))
        .toList();
  }

  private static List<ConfigDefinition> retention() {
    return List.of(
        row(
            "cleanup.policy",
            LIST,
            "delete",
            new SomeOf(List.of("compact", "delete")),
            "What happens to old records: delete drops log segments beyond the retention "
                + "limits, compact keeps the newest record of each key, both do both, and an "
                + "empty list keeps everything.",
            synonym("log.cleanup.policy")),
        row(
            "delete.retention.ms",
            LONG,
            "86400000",
            atLeast(0),
            "How long a compacted topic keeps a tombstone: the time that a reader who began "
                + "at offset 0 has to see it.",
            synonym("log.cleaner.delete.retention.ms")),
        row(
            "file.delete.delay.ms",
            LONG,
            "60000",
            atLeast(0),
            "How long a file stays on disk after it has left the log.",
            synonym("log.segment.delete.delay.ms")),
        row(
            "max.compaction.lag.ms",
            LONG,
            "9223372036854775807",
            atLeast(1),
            "Longest time for which a record may stay out of compaction; also rolls the "
                + "active segment.",
            synonym("log.cleaner.max.compaction.lag.ms")),
        row(
            "min.cleanable.dirty.ratio",
            DOUBLE,
            "0.5",
            new Fraction(0, 1),
            "Share of a log that must be uncompacted before it is compacted.",
            synonym("log.cleaner.min.cleanable.ratio")),
        row(
            "min.compaction.lag.ms",
            LONG,
            "0",
            atLeast(0),
            "Shortest time for which a record stays out of compaction.",
            synonym("log.cleaner.min.compaction.lag.ms")),
        row(
            "retention.bytes",
            LONG,
            "-1",
            new Any(),
            "Size of a partition above which its oldest segments are dropped; -1 is no " + "limit.",
            synonym("log.retention.bytes")),
        row(
            "retention.ms",
            LONG,
            "604800000",
            atLeast(-1),
            "Age above which segments are dropped; -1 is no limit.",
            synonym("log.retention.ms"),
            coarse("log.retention.minutes", MINUTE_MS),
            coarse("log.retention.hours", HOUR_MS)));
  }

  private static List<ConfigDefinition> batches() {
    return List.of(
        row(
            "compression.gzip.level",
            INT,
            "-1",
            new BetweenOr(1, 9, -1),
            "Level used where compression.type is gzip; -1 is the codec's own default.",
            synonym("compression.gzip.level")),
        row(
            "compression.lz4.level",
            INT,
            "9",
            new Between(1, 17),
            "Level used where compression.type is lz4.",
            synonym("compression.lz4.level")),
        row(
            "compression.type",
            STRING,
            "producer",
            new OneOf(List.of("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer")),
            "Codec in which batches are stored; producer stores them as they were sent.",
            synonym("compression.type")),
        row(
            "compression.zstd.level",
            INT,
            "3",
            new Between(-131072, 22),
            "Level used where compression.type is zstd.",
            synonym("compression.zstd.level")),
        row(
            "max.decompressed.message.bytes",
            INT,
            "2147483639",
            new Between(1, 2_147_483_639),
            "Largest size of one record after decompression.",
            synonym("max.decompressed.message.bytes")),
        row(
            "max.message.bytes",
            INT,
            "1048588",
            atLeast(0),
            "Largest size of one record batch, as sent.",
            synonym("message.max.bytes")),
        row(
            "message.timestamp.after.max.ms",
            LONG,
            "3600000",
            atLeast(0),
            "How far a record's own timestamp may lie in the future; ignored under "
                + "LogAppendTime.",
            synonym("log.message.timestamp.after.max.ms")),
        row(
            "message.timestamp.before.max.ms",
            LONG,
            "9223372036854775807",
            atLeast(0),
            "How far a record's own timestamp may lie in the past; ignored under "
                + "LogAppendTime.",
            synonym("log.message.timestamp.before.max.ms")),
        row(
            "message.timestamp.type",
            STRING,
            "CreateTime",
            new OneOf(List.of("CreateTime", "LogAppendTime")),
            "Whether a record carries the producer's time or that of its append.",
            synonym("log.message.timestamp.type")));
  }

  private static List<ConfigDefinition> segments() {
    return List.of(
        row(
            "flush.messages",
            LONG,
            "9223372036854775807",
            atLeast(1),
            "Records after which the log is flushed to disk.",
            synonym("log.flush.interval.messages")),
        row(
            "flush.ms",
            LONG,
            "9223372036854775807",
            atLeast(0),
            "Milliseconds after which the log is flushed to disk.",
            synonym("log.flush.interval.ms"),
            synonym("log.flush.scheduler.interval.ms")),
        row(
            "index.interval.bytes",
            INT,
            "4096",
            atLeast(0),
            "Bytes of log between two entries of the offset index.",
            synonym("log.index.interval.bytes")),
        internal(
            "internal.segment.bytes",
            INT,
            null,
            new Any(),
            "Log segment size without the lower bound of segment.bytes; for tests."),
        row(
            "preallocate",
            BOOLEAN,
            "false",
            new Any(),
            "Whether a new log segment's file gets its whole size at once.",
            synonym("log.preallocate")),
        row(
            "segment.bytes",
            INT,
            "1073741824",
            atLeast(1048576),
            "Size at which the active log segment is closed and a new one begun.",
            synonym("log.segment.bytes")),
        row(
            "segment.index.bytes",
            INT,
            "10485760",
            atLeast(4),
            "Largest size of a segment's offset index.",
            synonym("log.index.size.max.bytes")),
        row(
            "segment.jitter.ms",
            LONG,
            "0",
            atLeast(0),
            "Greatest random time by which segments are closed early, so that not all close "
                + "together.",
            synonym("log.roll.jitter.ms"),
            coarse("log.roll.jitter.hours", HOUR_MS)),
        row(
            "segment.ms",
            LONG,
            "604800000",
            atLeast(1),
            "Age at which the active log segment is closed even if it is not full.",
            synonym("log.roll.ms"),
            coarse("log.roll.hours", HOUR_MS)));
  }

  private static List<ConfigDefinition> replication() {
    return List.of(
        row(
            "errors.deadletterqueue.group.enable",
            BOOLEAN,
            "false",
            new Any(),
            "Whether share groups may write records that they could not deliver to this "
                + "topic."),
        row(
            "follower.replication.throttled.replicas",
            LIST,
            "",
            new ThrottledReplicas(),
            "Replicas whose replication is throttled on the follower's side: "
                + "partition:broker pairs, or *."),
        row(
            "leader.replication.throttled.replicas",
            LIST,
            "",
            new ThrottledReplicas(),
            "Replicas whose replication is throttled on the leader's side: partition:broker "
                + "pairs, or *."),
        row(
            "min.insync.replicas",
            INT,
            "1",
            atLeast(1),
            "In-sync replicas, the leader among them, without which acks=all is refused.",
            synonym("min.insync.replicas")),
        row(
            "unclean.leader.election.enable",
            BOOLEAN,
            "false",
            new Any(),
            "Whether a replica that lacks acknowledged records may lead when no other is "
                + "left.",
            synonym("unclean.leader.election.enable")),
        row(
            "weir.flush.single.replica",
            STRING,
            "group",
            new OneOf(List.of("group", "os")),
            "Durability of a topic with one replica: group acknowledges after a flush that "
                + "is shared by all waiting appends, os as soon as the record is in the page "
                + "cache.",
            synonym("weir.flush.single.replica")),
        row(
            TopicConfigs.WEIR_INDEX,
            BOOLEAN,
            "false",
            new Any(),
            "Whether the topic is the log of a search index, which sets this when it creates the "
                + "topic. Its partition count stays, and its records are compacted and never "
                + "deleted."));
  }

  private static List<ConfigDefinition> tiering() {
    return List.of(
        row(
            "local.retention.bytes",
            LONG,
            "-2",
            atLeast(-2),
            "Bytes kept on the local disk of a tiered topic; -2 means as retention.bytes.",
            synonym("log.local.retention.bytes")),
        row(
            "local.retention.ms",
            LONG,
            "-2",
            atLeast(-2),
            "Milliseconds for which a tiered topic's segments stay on the local disk; -2 "
                + "means as retention.ms.",
            synonym("log.local.retention.ms")),
        row(
            "remote.copy.lag.bytes",
            LONG,
            "-1",
            atLeast(-1),
            "Bytes of newer log after which a segment is copied to the remote tier; 0 is at "
                + "once, -1 follows local retention.",
            synonym("log.remote.copy.lag.bytes")),
        row(
            "remote.copy.lag.ms",
            LONG,
            "0",
            atLeast(-1),
            "Age at which a segment is copied to the remote tier; 0 is at once, -1 follows "
                + "local retention.",
            synonym("log.remote.copy.lag.ms")),
        row(
            "remote.log.copy.disable",
            BOOLEAN,
            "false",
            new Any(),
            "Whether a tiered topic's remote part is read only."),
        row(
            "remote.log.delete.on.disable",
            BOOLEAN,
            "false",
            new Any(),
            "Whether the remote part is deleted when tiering is switched off."),
        row(
            "remote.storage.enable",
            BOOLEAN,
            "false",
            new Any(),
            "Whether old log segments move to the remote tier."));
  }

  private static ConfigDefinition row(
      String name,
      ConfigType type,
      @Nullable String defaultValue,
      Constraint constraint,
      String documentation,
      Synonym... synonyms) {
    return new ConfigDefinition(
        name, type, defaultValue, constraint, List.of(synonyms), Visibility.PUBLIC, documentation);
  }

  private static ConfigDefinition internal(
      String name,
      ConfigType type,
      @Nullable String defaultValue,
      Constraint constraint,
      String documentation) {
    return new ConfigDefinition(
        name, type, defaultValue, constraint, List.of(), Visibility.INTERNAL, documentation);
  }

  private static Synonym synonym(String property) {
    return new Synonym(property, 1);
  }

  private static Synonym coarse(String property, long factor) {
    return new Synonym(property, factor);
  }
}
