package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lock, identity, checkpoints and start of a data directory. */
final class LogDirectoryTest {
  private static final UUID ID = new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L);

  @TempDir(factory = MemoryDirectory.class)
  Path path;

  private LogDirectory open() {
    LogDirectory directory = LogDirectory.open(path, () -> Instant.EPOCH);
    directory.load(LogConfig.DEFAULT);
    return directory;
  }

  @Test
  void onlyOneNodeHoldsADirectory() {
    try (LogDirectory _ = open()) {
      assertThatThrownBy(() -> LogDirectory.open(path, () -> Instant.EPOCH))
          .isInstanceOf(DirectoryLockedException.class)
          .hasMessageContaining(".lock");
    }
    open().close();
  }

  @Test
  void identityIsKafkasMetaProperties() throws IOException {
    LogDirectory directory = open();
    assertThat(directory.metaProperties()).isEmpty();
    MetaProperties properties = new MetaProperties("clusterA", 3, ID);
    directory.format(properties);
    assertThat(directory.metaProperties()).hasValue(properties);
    assertThat(Files.readString(path.resolve("meta.properties")))
        .isEqualTo(
            "version=1\ncluster.id=clusterA\nnode.id=3\ndirectory.id=AQIDBAUGBwgJCgsMDQ4PEA\n");
    directory.close();
  }

  @Test
  void newerOrDamagedIdentityIsRefusedByName() throws IOException {
    Files.writeString(path.resolve("meta.properties"), "version=2\n");
    assertThatThrownBy(() -> MetaProperties.read(path)).isInstanceOf(FormatTooNewException.class);
    Files.writeString(path.resolve("meta.properties"), "version=1\nnode.id=1\n");
    assertThatThrownBy(() -> MetaProperties.read(path))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("cluster.id");
  }

  @Test
  void filesOfAPartitionAreKafkas() throws IOException {
    LogDirectory directory = open();
    PartitionLog log = directory.create(new TopicPartition("a-b", 2), ID, LogConfig.DEFAULT);
    log.append(Batches.of("x", "y"), 6, AppendOrigin.CLIENT);
    log.advanceHighWatermark(2);
    directory.close();
    Path partition = path.resolve("a-b-2");
    assertThat(Files.readString(partition.resolve("partition.metadata")))
        .isEqualTo("version: 0\ntopic_id: AQIDBAUGBwgJCgsMDQ4PEA\n");
    assertThat(Files.readString(partition.resolve("leader-epoch-checkpoint")))
        .isEqualTo("0\n1\n6 0\n");
    assertThat(partition.resolve("00000000000000000000.index")).isEmptyFile();
    assertThat(Files.size(partition.resolve("00000000000000000000.timeindex"))).isEqualTo(12);
    assertThat(partition.resolve("00000000000000000002.snapshot")).exists();
    assertThat(Files.readString(path.resolve("recovery-point-offset-checkpoint")))
        .isEqualTo("0\n1\na-b 2 2\n");
    assertThat(Files.readString(path.resolve("replication-offset-checkpoint")))
        .isEqualTo("0\n1\na-b 2 2\n");
    assertThat(Files.readString(path.resolve("log-start-offset-checkpoint")))
        .isEqualTo("0\n1\na-b 2 0\n");
    assertThat(path.resolve(".kafka_cleanshutdown")).exists();

    directory = open();
    assertThat(path.resolve(".kafka_cleanshutdown")).doesNotExist();
    PartitionLog again = directory.log(new TopicPartition("a-b", 2)).orElseThrow();
    assertThat(again.topicId()).isEqualTo(ID);
    assertThat(again.highWatermark()).isEqualTo(2);
    assertThat(again.recoveryPoint()).isEqualTo(2);
    directory.close();
  }

  @Test
  void aCutWithinABatchTakesTheRecoveryPointToTheStartOfTheBatch() throws IOException {
    LogDirectory directory = open();
    PartitionLog log = directory.create(new TopicPartition("a", 0), ID, LogConfig.DEFAULT);
    log.append(Batches.of("v"), 0, AppendOrigin.CLIENT);
    log.append(Batches.of("w", "x", "y"), 0, AppendOrigin.CLIENT);
    assertThat(log.flush()).isEqualTo(4);
    directory.writeCheckpoints();
    log.truncateTo(3);
    assertThat(log.logEndOffset()).isEqualTo(1);
    assertThat(Files.readString(path.resolve("recovery-point-offset-checkpoint")))
        .as("what is appended from 1 on is not to be trusted after a crash")
        .isEqualTo("0\n1\na 0 1\n");
    directory.close();
  }

  @Test
  void deletedPartitionLeavesNothing() {
    LogDirectory directory = open();
    TopicPartition partition = new TopicPartition("t".repeat(249), 0);
    directory.create(partition, ID, LogConfig.DEFAULT);
    directory.delete(partition);
    directory.close();
    directory = open();
    assertThat(directory.logs()).isEmpty();
    directory.close();
    assertThat(path.toFile().listFiles(f -> f.getName().startsWith("t"))).isEmpty();
  }

  @Test
  void markerOfACleanStopNamesTheBrokersEpoch() throws IOException {
    open().close();
    assertThat(Files.readString(path.resolve(".kafka_cleanshutdown")))
        .isEqualTo("{\"version\":0,\"brokerEpoch\":-1}");
    LogDirectory directory = open();
    directory.registeredUnder(17);
    directory.close();
    assertThat(Files.readString(path.resolve(".kafka_cleanshutdown")))
        .isEqualTo("{\"version\":0,\"brokerEpoch\":17}");
  }

  @Test
  void nothingIsRemovedFromALogBeforeItsSettingsAreKnown() {
    TopicPartition partition = new TopicPartition("old", 0);
    LogConfig small = LogConfig.of(Map.of("segment.bytes", "200", "retention.ms", "-1"));
    LogDirectory directory = open();
    PartitionLog log = directory.create(partition, ID, small);
    for (int i = 0; i < 3; i++) {
      log.append(
          Batches.of("a value of more than half a segment, to fill it"), 0, AppendOrigin.CLIENT);
    }
    log.advanceHighWatermark(3);
    assertThat(log.highWatermark()).isEqualTo(3);
    directory.close();

    directory = LogDirectory.open(path, () -> Instant.EPOCH);
    directory.load(LogConfig.KEEPING_ALL);
    PartitionLog again = directory.log(partition).orElseThrow();
    directory.doUpkeep(Long.MAX_VALUE / 2);
    assertThat(again.logStartOffset()).isZero();
    again.updateConfig(LogConfig.of(Map.of("retention.ms", "1")));
    List<PartitionLog> moved = new ArrayList<>();
    directory.doUpkeep(Long.MAX_VALUE / 2, moved::add);
    assertThat(again.logStartOffset()).isEqualTo(3);
    directory.doUpkeep(Long.MAX_VALUE / 2, moved::add);
    assertThat(moved).as("told once of its new start").containsExactly(again);
    directory.close();
  }

  @Test
  void manyPartitionsOpenAgain() {
    LogDirectory directory = open();
    for (int i = 0; i < 60; i++) {
      directory.create(new TopicPartition("many", i), ID, LogConfig.DEFAULT);
    }
    directory.close();
    directory = open();
    assertThat(directory.logs()).hasSize(60);
    directory.close();
  }

  @Test
  void namesThatAreNoPartitionsAreLeftAlone() throws IOException {
    Files.createDirectory(path.resolve("no-partition"));
    Files.createDirectory(path.resolve("x-1.abc-stray"));
    LogDirectory directory = open();
    assertThat(directory.logs()).isEmpty();
    directory.close();
    assertThat(path.resolve("no-partition")).exists();
  }

  @Test
  void recordsLostSinceACleanStopMakeItNoCleanOne() throws IOException {
    TopicPartition partition = new TopicPartition("t", 0);
    try (LogDirectory directory = open()) {
      PartitionLog log = directory.create(partition, ID, LogConfig.DEFAULT);
      log.append(Batches.of("first"), 0, AppendOrigin.CLIENT);
      log.append(Batches.of("second"), 0, AppendOrigin.CLIENT);
    }
    try (LogDirectory directory = open()) {
      assertThat(directory.wasStoppedCleanly()).isTrue();
    }
    Path file = path.resolve("t-0").resolve("00000000000000000000.log");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 1));
    try (LogDirectory directory = open()) {
      assertThat(directory.log(partition).orElseThrow().logEndOffset()).isEqualTo(1);
      assertThat(directory.wasStoppedCleanly()).isFalse();
    }
  }

  private static final TopicPartition GOOD = new TopicPartition("good", 0);
  private static final TopicPartition BAD = new TopicPartition("bad", 0);

  /** Two partitions of several segments each, closed cleanly; the first segment of one rots. */
  private void spoilAFinishedSegment() throws IOException {
    LogConfig small = LogConfig.of(Map.of("segment.bytes", "100"));
    try (LogDirectory directory = open()) {
      for (TopicPartition partition : List.of(GOOD, BAD)) {
        PartitionLog log = directory.create(partition, ID, small);
        for (int i = 0; i < 5; i++) {
          log.append(Batches.of("value " + i), 0, AppendOrigin.CLIENT);
        }
        log.advanceHighWatermark(5);
        log.advanceLogStartOffset(1);
        assertThat(log.segmentCount()).isGreaterThan(3);
      }
    }
    Path files = path.resolve("bad-0");
    Files.delete(files.resolve("leader-epoch-checkpoint"));
    byte[] rotten = Files.readAllBytes(files.resolve("00000000000000000001.log"));
    rotten[16] = 77; // the magic of the first batch
    Files.write(files.resolve("00000000000000000001.log"), rotten);
  }

  @Test
  void damageOfAFinishedSegmentTakesItsPartitionOfflineAndNoOther() throws IOException {
    spoilAFinishedSegment();
    for (int start = 0; start < 2; start++) {
      try (LogDirectory directory = open()) {
        assertThat(directory.log(GOOD).orElseThrow().logEndOffset()).isEqualTo(5);
        assertThat(directory.log(BAD)).isEmpty();
        assertThat(directory.unopened().get(BAD)).hasMessageContaining("bad-0");
        assertThatThrownBy(() -> directory.create(BAD, ID, LogConfig.DEFAULT))
            .isInstanceOf(LogException.class)
            .hasMessageContaining("bad-0");
        assertThat(directory.topicIdOfUnopened(BAD)).isEqualTo(ID);
      }
      assertThat(path.resolve(".kafka_cleanshutdown")).doesNotExist();
    }
    assertThat(Files.readString(path.resolve("log-start-offset-checkpoint")))
        .contains("bad 0 1", "good 0 1");
  }

  @Test
  void damagedPartitionCanBeDeletedAndMadeAnew() throws IOException {
    spoilAFinishedSegment();
    try (LogDirectory directory = open()) {
      directory.delete(BAD);
      assertThat(directory.unopened()).isEmpty();
      assertThat(directory.create(BAD, ID, LogConfig.DEFAULT).logEndOffset()).isZero();
    }
    assertThat(path.resolve(".kafka_cleanshutdown")).exists();
  }

  @Test
  void creationThatFailedHalfWayDoesNotBlockTheName() throws IOException {
    try (LogDirectory directory = open()) {
      // As it is when the process dies, or the disk refuses the first file.
      Files.createDirectory(path.resolve("good-0"));
      Files.createFile(path.resolve("good-0/00000000000000000000.log"));
      assertThat(directory.create(GOOD, ID, LogConfig.DEFAULT).topicId()).isEqualTo(ID);
      Files.createDirectory(path.resolve("bad-0"));
      Files.writeString(path.resolve("bad-0/00000000000000000000.log"), "records of another");
      assertThatThrownBy(() -> directory.create(BAD, ID, LogConfig.DEFAULT))
          .hasMessageContaining("has records of something else");
    }
  }

  @Test
  void logStartOffsetsAreDurableOnceTheyAreWritten() {
    LogDirectory directory = open();
    PartitionLog log = directory.create(GOOD, ID, LogConfig.DEFAULT);
    log.append(Batches.of("a", "b", "c"), 0, AppendOrigin.CLIENT);
    log.advanceHighWatermark(3);
    log.advanceLogStartOffset(2);
    directory.writeLogStartOffsets();
    directory.abandon();
    try (LogDirectory again = open()) {
      assertThat(again.log(GOOD).orElseThrow().logStartOffset()).isEqualTo(2);
    }
  }
}
