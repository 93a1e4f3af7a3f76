package dev.weir.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.broker.config.NodeProperties;
import dev.weir.log.AppendOrigin;
import dev.weir.log.AppendOutcome;
import dev.weir.log.CompactionStatus;
import dev.weir.log.CompactionVerdict;
import dev.weir.log.CompactionVerdict.NothingDirty;
import dev.weir.log.CompactionVerdict.Offline;
import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.log.TopicPartition;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ConfigResource;
import dev.weir.metadata.PartitionImage;
import dev.weir.metadata.config.ConfigDefinition;
import dev.weir.metadata.config.ConfigType;
import dev.weir.metadata.config.Constraint;
import dev.weir.metadata.config.TopicConfigs;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.metadata.ConfigRecord;
import dev.weir.protocol.metadata.PartitionChangeRecord;
import dev.weir.protocol.metadata.PartitionRecord;
import dev.weir.protocol.metadata.TopicRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The partitions of a broker where a disk fails one of them. */
class PartitionsTest {
  private static final UUID STATE = new UUID(7, 1);
  private static final TopicPartition PARTITION = new TopicPartition("state", 0);

  private static final ClusterImage CREATED = withTopic(ClusterImage.EMPTY, "state", STATE);

  private static final ClusterImage LED_AGAIN =
      CREATED.apply(
          PartitionChangeRecord.DEFAULT.withTopicId(STATE).withPartitionId(0).withLeader(1));

  @TempDir private Path path;
  private LogDirectory directory;
  private Partitions partitions;

  @BeforeEach
  void open() {
    directory = LogDirectory.open(path, InstantSource.system());
    directory.load(LogConfig.DEFAULT);
    partitions =
        new Partitions(
            1, directory, new NodeProperties(1, Map.of("log.cleanup.policy", "compact")));
  }

  @AfterEach
  void close() {
    partitions.close();
    directory.close();
  }

  private List<CompactionVerdict> verdicts() {
    return partitions.compaction(0).stream().map(CompactionStatus::verdict).toList();
  }

  @Test
  void aLogThatIsOpenAndCannotBeLedIsToldOnceAndAsItIsOnceItCan() throws IOException {
    directory.create(PARTITION, STATE, LogConfig.DEFAULT);
    Path inTheWay = path.resolve("state-0").resolve("leader-epoch-checkpoint.tmp");
    Files.createDirectory(inTheWay);
    partitions.apply(ClusterImage.EMPTY, CREATED);
    assertThat(partitions.find("state", 0))
        .isEqualTo(new Lookup.Missing(ErrorCode.KAFKA_STORAGE_ERROR));
    assertThat(verdicts())
        .singleElement()
        .isInstanceOfSatisfying(
            Offline.class,
            offline -> assertThat(offline.error()).contains("leader-epoch-checkpoint"));

    Files.delete(inTheWay);
    directory.doUpkeep(0);
    partitions.apply(CREATED, LED_AGAIN);
    assertThat(partitions.find("state", 0)).isInstanceOf(Lookup.Found.class);
    assertThat(verdicts()).singleElement().isInstanceOf(NothingDirty.class);
  }

  @Test
  void whatRetentionTakesIsSignalled() {
    partitions.apply(ClusterImage.EMPTY, CREATED);
    if (!(partitions.find("state", 0) instanceof Lookup.Found(Partition partition))) {
      throw new AssertionError("not led: " + partitions.find("state", 0));
    }
    partition
        .log()
        .updateConfig(
            LogConfig.of(
                Map.of(
                    "cleanup.policy", "delete",
                    "retention.ms", "1",
                    "weir.flush.single.replica", "os")));
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.NONE)
            .add(1, null, ByteBuffer.wrap(new byte[10]))
            .build();
    assertThat(partition.append(batch, AppendOrigin.CLIENT))
        .isInstanceOf(AppendOutcome.Appended.class);
    List<Long> starts = new ArrayList<>();
    partition.watch(new Watch(Runnable::run, () -> starts.add(partition.log().logStartOffset())));
    partitions.lookAfter(Long.MAX_VALUE / 2);
    partitions.lookAfter(Long.MAX_VALUE / 2);
    assertThat(starts).containsExactly(1L);
  }

  private static ClusterImage with(ClusterImage image, String topic, String name, String value) {
    return image.apply(
        ConfigRecord.DEFAULT
            .withResourceType(ConfigResource.Type.TOPIC.code())
            .withResourceName(topic)
            .withName(name)
            .withValue(value));
  }

  private static ClusterImage withOther(ClusterImage image) {
    return withTopic(image, "other", new UUID(7, 2));
  }

  private static ClusterImage withTopic(ClusterImage image, String name, UUID id) {
    return image
        .apply(TopicRecord.DEFAULT.withName(name).withTopicId(id))
        .apply(
            PartitionRecord.DEFAULT
                .withTopicId(id)
                .withPartitionId(0)
                .withReplicas(List.of(1))
                .withDirectories(List.of(PartitionImage.UNASSIGNED_DIRECTORY))
                .withIsr(List.of(1))
                .withLeader(1)
                .withLeaderEpoch(3));
  }

  @Test
  void aSettingThatNoLogTakesCostsItsTopicAloneAndOnlyUntilItIsChanged() {
    ClusterImage bad = with(withOther(CREATED), "state", "segment.bytes", "0");
    partitions.apply(ClusterImage.EMPTY, bad);
    assertThat(partitions.find("state", 0))
        .isEqualTo(new Lookup.Missing(ErrorCode.KAFKA_STORAGE_ERROR));
    assertThat(partitions.find(STATE, 0))
        .isEqualTo(new Lookup.Missing(ErrorCode.KAFKA_STORAGE_ERROR));
    assertThat(partitions.find("other", 0)).isInstanceOf(Lookup.Found.class);
    assertThat(verdicts())
        .anySatisfy(
            verdict ->
                assertThat(verdict)
                    .isInstanceOfSatisfying(
                        Offline.class,
                        offline ->
                            assertThat(offline.error())
                                .contains("topic=state")
                                .contains("segment.bytes=0")));

    partitions.apply(bad, with(bad, "state", "segment.bytes", "2000000"));
    assertThat(partitions.find("state", 0)).isInstanceOf(Lookup.Found.class);
  }

  @Test
  void aSettingThatNoLogTakesLeavesARunningPartitionWithItsOwnAndTheOthersGetTheirs() {
    ClusterImage good = withOther(CREATED);
    partitions.apply(ClusterImage.EMPTY, good);
    ClusterImage changed =
        with(with(good, "state", "segment.bytes", "0"), "other", "segment.bytes", "2000000");
    partitions.apply(good, changed);
    assertThat(directory.log(PARTITION).orElseThrow().config().segmentBytes()).isEqualTo(1 << 30);
    assertThat(directory.log(new TopicPartition("other", 0)).orElseThrow().config().segmentBytes())
        .isEqualTo(2_000_000);
  }

  /** Every value that a topic may be given is one that its logs take. */
  @Test
  void aLogTakesTheLeastAndTheGreatestValueOfEachProperty() {
    for (ConfigDefinition property : TopicConfigs.definitions()) {
      List<String> values = extremes(property);
      assertThat(values).as(property.name()).isNotEmpty();
      for (String value : values) {
        assertThat(property.refusal(value)).as("%s=%s", property.name(), value).isEmpty();
        assertThatCode(() -> LogConfig.of(Map.of(property.name(), value)))
            .as("%s=%s", property.name(), value)
            .doesNotThrowAnyException();
      }
    }
  }

  private static List<String> extremes(ConfigDefinition property) {
    List<String> bare =
        switch (property.constraint()) {
          case Constraint.Any _ -> ofType(property.type());
          case Constraint.Between(long least, long greatest) ->
              List.of(Long.toString(least), greatest(property.type(), greatest));
          case Constraint.BetweenOr(long least, long greatest, long special) ->
              List.of(Long.toString(least), Long.toString(greatest), Long.toString(special));
          case Constraint.Fraction(double least, double greatest) ->
              List.of(Double.toString(least), Double.toString(greatest));
          case Constraint.OneOf(List<String> words) -> words;
          case Constraint.SomeOf(List<String> words) ->
              List.of("", words.getFirst(), String.join(" , ", words));
          case Constraint.ThrottledReplicas _ -> List.of("", "*", "0:1,1:1");
        };
    return bare.stream().flatMap(text -> Stream.of(text, " " + text + "\t")).toList();
  }

  private static String greatest(ConfigType type, long bound) {
    return Long.toString(type == ConfigType.INT ? Math.min(bound, Integer.MAX_VALUE) : bound);
  }

  private static List<String> ofType(ConfigType type) {
    return switch (type) {
      case BOOLEAN -> List.of("true", "false");
      case SHORT -> List.of(Short.toString(Short.MIN_VALUE), Short.toString(Short.MAX_VALUE));
      case INT -> List.of(Integer.toString(Integer.MIN_VALUE), Integer.toString(Integer.MAX_VALUE));
      case LONG -> List.of(Long.toString(Long.MIN_VALUE), Long.toString(Long.MAX_VALUE));
      case DOUBLE -> List.of("0", "1");
      case STRING, LIST -> List.of("", "text");
    };
  }
}
