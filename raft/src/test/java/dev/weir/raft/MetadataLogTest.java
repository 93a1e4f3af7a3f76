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
import dev.weir.protocol.metadata.TopicRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.internal.ControlRecordUtils;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.metadata.MetadataRecordSerde;
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
  void batchAboveTheBoundIsRefusedAndNothingIsWritten() {
    format(VOTER);
    running(
        log -> {
          long end = log.logEndOffset();
          MetadataRecord large = ConfigRecord.DEFAULT.withName("n").withValue("x".repeat(30_000));
          List<MetadataRecord> records = Collections.nCopies(300, large);
          assertThat(log.append(records)).isInstanceOf(MetadataAppend.TooLarge.class);
          assertThat(log.logEndOffset()).isEqualTo(end);
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
