package dev.weir.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.log.LogException;
import dev.weir.log.MetaProperties;
import dev.weir.protocol.metadata.AbortTransactionRecord;
import dev.weir.protocol.metadata.BeginTransactionRecord;
import dev.weir.protocol.metadata.ConfigRecord;
import dev.weir.protocol.metadata.EndTransactionRecord;
import dev.weir.protocol.metadata.FeatureLevelRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.RegisterBrokerRecord;
import dev.weir.protocol.metadata.TopicRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.internal.ControlRecordUtils;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.FileRawSnapshotReader;
import org.apache.kafka.snapshot.RecordsSnapshotReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataLogTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1_000));
  private static final MetaProperties IDENTITY =
      new MetaProperties("MkU3OEVBNTcwNTJENDM2Qg", 1, new UUID(1, 2));
  private static final Voter VOTER =
      new Voter(1, new UUID(1, 2), List.of(new Voter.Endpoint("CONTROLLER", "localhost", 9093)));
  private static final MetadataRecord FEATURE =
      FeatureLevelRecord.DEFAULT.withName("metadata.version").withFeatureLevel((short) 33);

  @TempDir private Path path;

  private static MetadataRecord topic(String name) {
    return TopicRecord.DEFAULT.withName(name).withTopicId(new UUID(9, name.hashCode()));
  }

  private void format(Voter voter) {
    try (LogDirectory directory = LogDirectory.open(path, CLOCK)) {
      MetadataFormat.write(directory, List.of(voter), List.of(FEATURE), 1_000);
      directory.format(IDENTITY);
    }
  }

  /** One life of a node with the log. */
  private void running(Consumer<MetadataLog> action) {
    try (LogDirectory directory = LogDirectory.open(path, CLOCK)) {
      directory.load(LogConfig.DEFAULT);
      try (MetadataLog log = MetadataLog.open(directory, CLOCK, _ -> {})) {
        log.lead();
        action.accept(log);
      }
    }
  }

  @Test
  void failedAppendEndsTheLeadAndIsToldOnce() {
    format(VOTER);
    List<String> told = new ArrayList<>();
    LogDirectory directory = LogDirectory.open(path, CLOCK);
    directory.load(LogConfig.DEFAULT);
    try (MetadataLog log = MetadataLog.open(directory, CLOCK, told::add)) {
      log.lead();
      directory.close(); // the files are gone from under the log, as with a failed disk
      assertThatThrownBy(() -> log.append(List.of(topic("lost")))).isInstanceOf(LogException.class);
      assertThat(told).hasSize(1);
      assertThat(log.append(List.of(topic("late")))).isInstanceOf(MetadataAppend.NotLeader.class);
      assertThat(told).hasSize(1);
    }
  }

  private static List<MetadataRecord> replayed(MetadataLog log) {
    List<MetadataRecord> records = new ArrayList<>();
    log.replay(records::add);
    return records;
  }

  private static long appended(MetadataLog log, MetadataRecord... records) {
    return ((MetadataAppend.Appended) log.append(List.of(records))).endOffset();
  }

  private static void commit(MetadataLog log, long endOffset) {
    CompletableFuture<Void> committed = new CompletableFuture<>();
    log.whenCommitted(endOffset, () -> committed.complete(null));
    committed.join();
  }

  @Test
  void firstLeaderCopiesTheCheckpointsRecordsIntoTheLog() {
    format(VOTER);
    for (int life = 1; life < 3; life++) {
      int epoch = life;
      running(
          log -> {
            assertThat(log.epoch()).isEqualTo(epoch);
            assertThat(replayed(log)).containsExactly(FEATURE);
            assertThat(log.highWatermark()).isEqualTo(log.logEndOffset());
          });
    }
  }

  @Test
  void kafkaReadsTheLog() throws IOException {
    format(VOTER);
    running(log -> commit(log, appended(log, topic("a"))));
    Path segment = path.resolve("__cluster_metadata-0/00000000000000000000.log");
    List<String> seen = new ArrayList<>();
    try (FileRecords records = FileRecords.open(segment.toFile(), /* mutable= */ false)) {
      for (RecordBatch batch : records.batches()) {
        batch.ensureValid();
        for (Record record : batch) {
          seen.add(
              batch.isControlBatch()
                  ? "leader " + ControlRecordUtils.deserializeLeaderChangeMessage(record).leaderId()
                  : batch.partitionLeaderEpoch()
                      + " "
                      + MetadataRecordSerde.INSTANCE.read(
                          new ByteBufferAccessor(record.value()), record.valueSize()));
        }
      }
    }
    assertThat(seen).hasSize(3);
    assertThat(seen.get(0)).isEqualTo("leader 1");
    assertThat(seen.get(1)).startsWith("1 ").contains("metadata.version", "33");
    assertThat(seen.get(2)).startsWith("1 ").contains("TopicRecord(name='a'");
  }

  @Test
  void appendIsCommittedOnceItIsFlushed() {
    format(VOTER);
    running(
        log -> {
          long before = log.highWatermark();
          long end = appended(log, topic("a"), topic("b"));
          assertThat(log.highWatermark()).isEqualTo(before);
          commit(log, end);
          assertThat(log.highWatermark()).isEqualTo(end);
          assertThat(log.partitionLog().recoveryPoint()).isGreaterThanOrEqualTo(end);
        });
  }

  @Test
  void committedOffsetIsToldAtOnce() {
    format(VOTER);
    running(
        log -> {
          List<String> told = new ArrayList<>();
          log.whenCommitted(log.highWatermark(), () -> told.add("done"));
          assertThat(told).containsExactly("done");
        });
  }

  @Test
  void restartReplaysInOrderInAHigherEpoch() {
    format(VOTER);
    running(
        log -> {
          appended(log, topic("a"));
          commit(log, appended(log, topic("b")));
        });
    running(
        log -> {
          assertThat(log.epoch()).isEqualTo(2);
          assertThat(replayed(log)).containsExactly(FEATURE, topic("a"), topic("b"));
          commit(log, appended(log, topic("c")));
        });
    running(
        log -> {
          assertThat(log.epoch()).isEqualTo(3);
          assertThat(replayed(log)).containsExactly(FEATURE, topic("a"), topic("b"), topic("c"));
          assertThat(log.partitionLog().latestEpoch()).hasValue(3);
        });
  }

  @Test
  void lostQuorumStateDoesNotTakeTheEpochBack() {
    format(VOTER);
    running(log -> commit(log, appended(log, topic("a"))));
    running(log -> {});
    assertThat(path.resolve("__cluster_metadata-0/quorum-state").toFile().delete()).isTrue();
    running(log -> assertThat(log.epoch()).isEqualTo(3));
  }

  @Test
  void recordAboveTheBoundIsRefusedAndNothingIsWritten() {
    format(VOTER);
    running(
        log -> {
          long end = log.logEndOffset();
          MetadataRecord large =
              RegisterBrokerRecord.DEFAULT.withLogDirs(
                  Collections.nCopies(MetadataBatches.BATCH_BYTES_MAX / 16, new UUID(1, 1)));
          assertThat(log.append(List.of(topic("a"), large)))
              .isInstanceOf(MetadataAppend.TooLarge.class);
          assertThat(log.logEndOffset()).isEqualTo(end);
        });
  }

  @Test
  void recordsAboveABatchAreWrittenAsOneTransaction() {
    format(VOTER);
    List<MetadataRecord> records = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      records.add(config("n" + i, "x".repeat(30_000)));
    }
    running(log -> commit(log, appended(log, records.toArray(MetadataRecord[]::new))));
    running(
        log -> {
          List<MetadataRecord> replayed = replayed(log);
          assertThat(replayed.subList(1, replayed.size())).isEqualTo(records);
        });
  }

  private static MetadataRecord config(String name, String value) {
    return ConfigRecord.DEFAULT.withName(name).withValue(value);
  }

  /** Keeps the last value of each name; every other record for good. */
  private static final class LastValues implements MetadataFold {
    private final Map<Object, MetadataRecord> last = new LinkedHashMap<>();

    @Override
    public void add(MetadataRecord record) {
      last.put(record instanceof ConfigRecord config ? config.name() : record, record);
    }

    @Override
    public void forEachRecord(Consumer<MetadataRecord> into) {
      last.values().forEach(into);
    }
  }

  private static final SnapshotPolicy EACH_10_KB =
      new SnapshotPolicy(10_000, LastValues::new, Runnable::run);

  private static final SnapshotPolicy EACH_100_BYTES =
      new SnapshotPolicy(100, LastValues::new, Runnable::run);

  private Path metadata() {
    return path.resolve("__cluster_metadata-0");
  }

  private List<Path> checkpoints() throws IOException {
    try (Stream<Path> files = Files.list(metadata())) {
      return files
          .filter(file -> file.getFileName().toString().matches("\\d.*checkpoint.*"))
          .sorted()
          .toList();
    }
  }

  private static void fill(MetadataLog log, int records) {
    for (int i = 0; i < records; i++) {
      commit(log, appended(log, config("n" + i % 20, i + "x".repeat(200))));
    }
  }

  private static List<MetadataRecord> folded(List<MetadataRecord> records) {
    LastValues values = new LastValues();
    records.forEach(values::add);
    List<MetadataRecord> folded = new ArrayList<>();
    values.forEachRecord(folded::add);
    return folded;
  }

  @Test
  void snapshotsTakeThePlaceOfTheLogBeforeThem() throws IOException {
    format(VOTER);
    for (int life = 0; life < 4; life++) {
      running(
          log -> {
            log.takeSnapshots(EACH_10_KB);
            fill(log, 500);
            assertThat(log.partitionLog().sizeBytes()).isLessThan(40_000);
            assertThat(log.partitionLog().logStartOffset()).isPositive();
          });
      assertThat(checkpoints()).hasSize(1);
    }
    List<MetadataRecord> expected = new ArrayList<>(List.of(FEATURE));
    for (int i = 480; i < 500; i++) {
      expected.add(config("n" + i % 20, i + "x".repeat(200)));
    }
    running(log -> assertThat(folded(replayed(log))).isEqualTo(expected));
    assertThat(checkpoints().getFirst().getFileName().toString())
        .matches("\\d{20}-000000000\\d\\.checkpoint")
        .doesNotStartWith("00000000000000000000");
  }

  @Test
  void snapshotsMayBeAskedForAtLessThanTheSizeOfABatch() throws IOException {
    format(VOTER);
    for (int life = 0; life < 2; life++) {
      running(
          log -> {
            log.takeSnapshots(EACH_100_BYTES);
            fill(log, 20);
          });
    }
    running(log -> assertThat(folded(replayed(log))).hasSize(21));
  }

  @Test
  void kafkaReadsTheSnapshot() throws IOException {
    format(VOTER);
    running(
        log -> {
          log.takeSnapshots(EACH_10_KB);
          fill(log, 500);
        });
    String name = checkpoints().getFirst().getFileName().toString();
    OffsetAndEpoch id =
        new OffsetAndEpoch(
            Long.parseLong(name.substring(0, 20)), Integer.parseInt(name.substring(21, 31)));
    List<String> seen = new ArrayList<>();
    try (FileRawSnapshotReader raw = FileRawSnapshotReader.open(metadata(), id);
        RecordsSnapshotReader<ApiMessageAndVersion> reader =
            RecordsSnapshotReader.of(
                raw,
                MetadataRecordSerde.INSTANCE,
                BufferSupplier.NO_CACHING,
                MetadataBatches.BATCH_BYTES_MAX,
                /* doCrcValidation= */ true,
                new LogContext())) {
      assertThat(reader.lastContainedLogOffset()).isEqualTo(id.offset() - 1);
      assertThat(reader.lastContainedLogEpoch()).isEqualTo(1);
      assertThat(reader.lastContainedLogTimestamp()).isEqualTo(1_000);
      while (reader.hasNext()) {
        Batch<ApiMessageAndVersion> batch = reader.next();
        batch.controlRecords().forEach(record -> seen.add(record.type().toString()));
        batch.records().forEach(record -> seen.add(record.message().toString()));
      }
    }
    assertThat(seen.subList(0, 3))
        .containsExactly("SNAPSHOT_HEADER", "KRAFT_VERSION", "KRAFT_VOTERS");
    assertThat(seen.get(3)).contains("FeatureLevelRecord", "metadata.version");
    assertThat(seen.subList(4, 24)).allMatch(text -> text.startsWith("ConfigRecord("));
    assertThat(seen.subList(24, seen.size())).containsExactly("SNAPSHOT_FOOTER");
  }

  /** A kill before the rename leaves the file under its unfinished name; after it, the old log. */
  @Test
  void killWhileASnapshotIsTakenLosesNothing(@TempDir Path copied) throws IOException {
    format(VOTER);
    running(log -> fill(log, 100));
    copy(path, copied);
    List<List<MetadataRecord>> expected = new ArrayList<>();
    running(
        log -> {
          expected.add(folded(replayed(log)));
          log.takeSnapshots(EACH_10_KB);
        });
    Path snapshot = checkpoints().getFirst();
    byte[] whole = Files.readAllBytes(snapshot);
    String name = snapshot.getFileName().toString();
    // As it is between the rename and the deletions: the snapshot, and the whole log beside it.
    copy(copied, path);
    running(log -> assertThat(folded(replayed(log))).isEqualTo(expected.getFirst()));
    // As it is before the rename, with the file whole or not.
    for (int bytes : List.of(whole.length, whole.length / 2, 0)) {
      Files.deleteIfExists(snapshot);
      copy(copied, path);
      Files.write(
          snapshot.resolveSibling(name.replace(".checkpoint", ".checkpoint.part")),
          Arrays.copyOf(whole, bytes));
      running(log -> assertThat(folded(replayed(log))).isEqualTo(expected.getFirst()));
      assertThat(checkpoints()).noneMatch(file -> file.toString().endsWith(".part"));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  @Test
  void snapshotEndsBeforeATransactionThatIsOpen() {
    format(VOTER);
    running(
        log -> {
          commit(log, appended(log, topic("a")));
          long before = log.highWatermark();
          commit(
              log, appended(log, BeginTransactionRecord.DEFAULT, config("n", "x".repeat(20_000))));
          log.takeSnapshots(EACH_10_KB);
          assertThat(log.partitionLog().logStartOffset()).isEqualTo(before);
          commit(log, appended(log, EndTransactionRecord.DEFAULT));
          assertThat(replayed(log))
              .containsExactly(FEATURE, topic("a"), config("n", "x".repeat(20_000)));
        });
  }

  @Test
  void closedLogTakesNoAppends() {
    format(VOTER);
    running(
        log -> {
          log.close();
          assertThat(log.append(List.of(topic("a")))).isInstanceOf(MetadataAppend.NotLeader.class);
        });
  }

  @Test
  void directoryOfAnotherVotersQuorumIsRefused() {
    format(new Voter(2, new UUID(5, 5), List.of()));
    assertThatThrownBy(() -> running(log -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("voters=[2]");
  }

  @Test
  void abortedTransactionIsNotSeen() {
    format(VOTER);
    running(
        log -> {
          appended(log, BeginTransactionRecord.DEFAULT);
          appended(log, topic("lost"));
          appended(log, AbortTransactionRecord.DEFAULT);
          appended(log, BeginTransactionRecord.DEFAULT, topic("kept"));
          commit(log, appended(log, EndTransactionRecord.DEFAULT, topic("after")));
          assertThat(replayed(log)).containsExactly(FEATURE, topic("kept"), topic("after"));
        });
  }

  @Test
  void openTransactionOfAnEarlierLeaderIsAborted() {
    format(VOTER);
    running(log -> commit(log, appended(log, BeginTransactionRecord.DEFAULT, topic("lost"))));
    running(
        log -> {
          assertThat(replayed(log)).containsExactly(FEATURE);
          commit(log, appended(log, topic("after")));
        });
    running(log -> assertThat(replayed(log)).containsExactly(FEATURE, topic("after")));
  }

  @Test
  void logLargerThanOneReadIsReplayedWhole() {
    format(VOTER);
    List<MetadataRecord> expected = new ArrayList<>();
    running(
        log -> {
          String value = "v".repeat(20_000);
          for (int i = 0; i < 120; i++) {
            MetadataRecord record = ConfigRecord.DEFAULT.withName("n" + i).withValue(value);
            expected.add(record);
            appended(log, record);
          }
          commit(log, log.logEndOffset());
        });
    running(log -> assertThat(replayed(log).subList(1, 121)).isEqualTo(expected));
  }
}
