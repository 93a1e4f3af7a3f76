package dev.weir.log;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.AppendOutcome.Appended;
import dev.weir.log.AppendOutcome.Duplicate;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.segment.BatchScan;
import dev.weir.log.segment.LogSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stays of a log and what goes, one rule each. */
final class CompactionRulesTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
  private static final long NOW = 1_000_000;
  private static final long RETENTION = 5000;
  private static final int SEGMENT_BYTES = 400;
  private static final String ROLL = "roll"; // key of what only fills a segment
  private static final String WIDE = "x".repeat(SEGMENT_BYTES / 2);

  @TempDir(factory = MemoryDirectory.class)
  Path path;

  private final Map<String, String> settings = new HashMap<>();
  private LogDirectory directory;
  private PartitionLog log;

  @BeforeEach
  void create() {
    settings.put("cleanup.policy", "compact");
    settings.put("segment.bytes", String.valueOf(SEGMENT_BYTES));
    settings.put("min.cleanable.dirty.ratio", "0");
    settings.put("delete.retention.ms", String.valueOf(RETENTION));
    directory = LogDirectory.open(path, () -> Instant.ofEpochMilli(NOW));
    directory.load(LogConfig.of(settings));
    log = directory.create(PARTITION, new UUID(1, 1), LogConfig.of(settings));
  }

  @AfterEach
  void close() {
    directory.close();
  }

  private void configure(String name, String value) {
    settings.put(name, value);
    log.updateConfig(LogConfig.of(settings));
  }

  private static RecordBatchBuilder data() {
    return RecordBatchBuilder.data(Compression.NONE);
  }

  private static RecordBatchBuilder add(
      RecordBatchBuilder to, @Nullable String key, @Nullable String value) {
    return to.add(
        NOW, key == null ? null : Batches.text(key), value == null ? null : Batches.text(value));
  }

  private void append(RecordBatchBuilder batch) {
    assertThat(log.append(batch.build(), 0, AppendOrigin.CLIENT)).isInstanceOf(Appended.class);
  }

  private void put(String key, @Nullable String value) {
    append(add(data(), key, value));
  }

  /** A batch of a producer, in a transaction. */
  private void putInTransaction(long producer, int sequence, String key, String value) {
    append(add(data().producer(producer, (short) 0, sequence).transactional(), key, value));
  }

  private void end(long producer, ControlType type) {
    log.append(Batches.marker(producer, 0, type, 1), 0, AppendOrigin.COORDINATOR);
  }

  /** Finishes the segment that is written to: what was appended may be compacted. */
  private void roll() {
    put(ROLL, WIDE);
    put(ROLL, WIDE);
    log.advanceHighWatermark(log.logEndOffset());
  }

  private CompactionReport compact(long nowMs) {
    roll();
    return log.compact(nowMs).orElseThrow();
  }

  /** Batches of the segments that have been compacted, but for those that only fill segments. */
  private List<RecordBatchView> batches() {
    List<RecordBatchView> batches = new ArrayList<>();
    for (LogSegment segment : log.segments()) {
      BatchScan scan = segment.scanBatches(0);
      while (segment.next(scan) && scan.batch().baseOffset() < log.cleanedUntil()) {
        ByteBuffer copy = ByteBuffer.allocate(scan.batch().sizeInBytes());
        RecordBatchView batch = RecordBatchView.at(copy.put(scan.batch().bytes()).flip(), 0);
        if (records(batch).stream().noneMatch(text -> text.startsWith(ROLL))) {
          batches.add(batch);
        }
      }
    }
    return batches;
  }

  private static List<String> records(RecordBatchView batch) {
    List<String> records = new ArrayList<>();
    if (!batch.isControl()) {
      batch.forEachRecord(
          record -> {
            ByteBuffer value = record.value();
            String key = Batches.string(requireNonNull(record.key()));
            records.add(key + "=" + (value == null ? "null" : Batches.string(value)));
          });
    }
    return records;
  }

  /** Records of the compacted segments, as key=value. */
  private List<String> left() {
    return batches().stream().flatMap(batch -> records(batch).stream()).toList();
  }

  private long markers() {
    return batches().stream().filter(RecordBatchView::isControl).count();
  }

  @Test
  void newestRecordOfEachKeyStays() {
    put("a", "1");
    put("b", "1");
    append(add(add(add(data(), "a", "2"), "c", "1"), "a", "3"));
    compact(NOW);
    assertThat(left()).containsExactly("b=1", "c=1", "a=3");
  }

  @Test
  void recordStaysUntilANewerOneOfItsKeyIsInTheDirtyPart() {
    put("a", "1");
    put("b", "1");
    compact(NOW);
    assertThat(left()).containsExactly("a=1", "b=1");
    put("b", "2");
    compact(NOW);
    assertThat(left()).containsExactly("a=1", "b=2");
  }

  @Test
  void whatIsInTheSegmentThatIsWrittenToCountsForNothing() {
    put("a", "1");
    roll();
    put("a", "2");
    log.advanceHighWatermark(log.logEndOffset());
    log.compact(NOW);
    assertThat(left()).containsExactly("a=1");
  }

  @Test
  void recordsWithoutAKeyGo() {
    configure("cleanup.policy", "delete");
    append(add(add(data(), null, "1"), "a", "1"));
    configure("cleanup.policy", "compact");
    compact(NOW);
    assertThat(left()).containsExactly("a=1");
  }

  @Test
  void batchesOfWhichNothingIsLeftGo() {
    put("a", "1");
    put("a", "2");
    compact(NOW);
    assertThat(batches()).hasSize(1);
    assertThat(batches().getFirst().baseOffset()).isEqualTo(1);
  }

  @Test
  void tombstoneGoesWhenItsRetentionHasPassedSinceTheRunThatFirstSawIt() {
    put("a", "1");
    put("a", null);
    compact(NOW);
    assertThat(left()).containsExactly("a=null");
    assertThat(compact(NOW + RETENTION - 1).tombstonesExpired()).isZero();
    assertThat(left()).containsExactly("a=null");
    assertThat(compact(NOW + RETENTION).tombstonesExpired()).isEqualTo(1);
    assertThat(left()).isEmpty();
  }

  @Test
  void recordsBesideATombstoneStayWhenItGoes() {
    append(add(add(add(data(), "a", null), "b", "1"), "c", null));
    compact(NOW);
    assertThat(left()).containsExactly("a=null", "b=1", "c=null");
    compact(NOW + RETENTION);
    assertThat(left()).containsExactly("b=1");
    assertThat(batches().getFirst().lastOffset()).as("the batch keeps its end").isEqualTo(2);
  }

  @Test
  void tombstoneThatANewerRecordReplacesIsForgottenAtOnce() {
    append(add(add(data(), "a", null), "b", "1"));
    put("a", "2");
    compact(NOW);
    assertThat(left()).containsExactly("b=1", "a=2");
    assertThat(batches().getFirst().hasDeleteHorizon()).as("nothing waits for a time").isFalse();
  }

  @Test
  void tombstoneOfAnEndlessRetentionStays() {
    configure("delete.retention.ms", String.valueOf(Long.MAX_VALUE));
    put("a", null);
    compact(NOW);
    assertThat(batches().getFirst().baseTimestamp()).isEqualTo(Long.MAX_VALUE);
    compact(Long.MAX_VALUE - 1);
    assertThat(left()).containsExactly("a=null");
  }

  @Test
  void batchWithoutTombstonesIsCopiedByteForByte() {
    ByteBuffer batch = add(add(data(), "a", "1"), "b", "1").build();
    log.append(batch.duplicate(), 0, AppendOrigin.CLIENT);
    ByteBuffer stored = ((LogSlice) log.read(0, 1, ReadUpTo.LOG_END)).toBuffer();
    compact(NOW);
    assertThat(batches().getFirst().bytes()).isEqualTo(stored);
    assertThat(batches().getFirst().hasDeleteHorizon()).isFalse();
  }

  @Test
  void recordsOfAbortedTransactionsGoAndThoseAroundThemStay() {
    put("a", "1");
    putInTransaction(7, 0, "a", "aborted");
    putInTransaction(8, 0, "b", "committed");
    end(7, ControlType.ABORT);
    end(8, ControlType.COMMIT);
    putInTransaction(7, 1, "c", "committed");
    end(7, ControlType.COMMIT);
    compact(NOW);
    assertThat(left()).containsExactly("a=1", "b=committed", "c=committed");
  }

  @Test
  void markerOfAnAbortedTransactionGoesLikeATombstone() {
    putInTransaction(7, 0, "a", "aborted");
    end(7, ControlType.ABORT);
    putInTransaction(7, 1, "b", "1");
    end(7, ControlType.COMMIT);
    compact(NOW);
    assertThat(markers()).isEqualTo(2);
    compact(NOW + RETENTION - 1);
    assertThat(markers()).isEqualTo(2);
    assertThat(log.abortedTransactions(0, 2)).hasSize(1);
    compact(NOW + RETENTION);
    assertThat(markers()).as("that of the commit, whose record is there").isEqualTo(1);
    assertThat(log.abortedTransactions(0, 2)).as("nobody waits for the other").isEmpty();
  }

  @Test
  void markerStaysWhileTheHeaderOfAnAbortedBatchDoes() {
    putInTransaction(7, 0, "a", "aborted"); // the last batch of its producer
    end(7, ControlType.ABORT);
    compact(NOW);
    compact(NOW + RETENTION);
    assertThat(left()).isEmpty();
    assertThat(batches()).hasSize(2);
    assertThat(markers()).as("else the header would begin a transaction without end").isEqualTo(1);
  }

  @Test
  void markerStaysWhileARecordOfItsTransactionDoes() {
    putInTransaction(7, 0, "a", "1");
    end(7, ControlType.COMMIT);
    compact(NOW);
    compact(NOW + RETENTION);
    compact(NOW + 3 * RETENTION);
    assertThat(left()).containsExactly("a=1");
    assertThat(markers()).isEqualTo(1);
  }

  @Test
  void headerOfAProducersLastBatchStaysForItsSequences() {
    append(add(data().producer(7, (short) 0, 0), "a", "1"));
    append(add(data().producer(7, (short) 0, 1), "a", "2"));
    put("a", "3");
    compact(NOW);
    assertThat(left()).containsExactly("a=3");
    List<RecordBatchView> kept = batches();
    assertThat(kept).hasSize(2);
    assertThat(kept.getFirst().recordCount()).isZero();
    assertThat(kept.getFirst().baseSequence()).isEqualTo(1);
    AppendOutcome retry =
        log.append(add(data().producer(7, (short) 0, 1), "a", "2").build(), 0, AppendOrigin.CLIENT);
    assertThat(retry).isInstanceOf(Duplicate.class);
    append(add(data().producer(7, (short) 0, 2), "b", "1"));
  }

  @Test
  void whatTheRunHasNoRoomForIsLeftToTheNext() {
    put("a", "1");
    put("b", "1");
    put("b", "2");
    put("a", "2");
    roll();
    CompactionReport first = log.compact(NOW, 1).orElseThrow();
    assertThat(first.cleanedUntil()).as("one key was looked at").isEqualTo(1);
    List<Long> seen = new ArrayList<>();
    for (int i = 0; i < 20 && log.compact(NOW, 1).isPresent(); i++) {
      seen.add(log.cleanedUntil());
    }
    assertThat(seen).isSorted().doesNotHaveDuplicates();
    assertThat(left()).contains("b=2", "a=2").doesNotContain("b=1");
  }

  @Test
  void neighboursThatFillASegmentExactlyAreJoined() {
    configure("segment.bytes", "150");
    put("a", "x".repeat(50));
    put("b", "x".repeat(50));
    List<LogSegment> segments = log.segments();
    assertThat(segments).hasSize(2);
    long both = segments.get(0).sizeBytes() + segments.get(1).sizeBytes();
    put("c", "x".repeat(50));
    log.advanceHighWatermark(2);
    configure("segment.bytes", String.valueOf(both - 1));
    log.compact(NOW);
    assertThat(log.segments()).hasSize(3);
    configure("segment.bytes", String.valueOf(both));
    put("d", "x".repeat(50)); // in the third segment, with c
    put("e", "x".repeat(50));
    log.advanceHighWatermark(log.logEndOffset());
    log.compact(NOW);
    assertThat(log.segments().getFirst().sizeBytes()).isEqualTo(both);
  }

  @Test
  void runCountsWhatItReadAndWrote() {
    put("a", "1");
    put("a", "2");
    put("b", null);
    CompactionReport report = compact(NOW);
    assertThat(report.dirtyStartOffset()).isZero();
    assertThat(report.keys()).as("a, b and what rolls").isBetween(2, 3);
    assertThat(report.recordsBefore() - report.recordsAfter()).isEqualTo(1);
    assertThat(report.bytesRead()).isEqualTo(2 * report.bytesBefore());
    assertThat(report.bytesAfter()).isPositive().isLessThan(report.bytesBefore());
  }

  @Test
  void batchThatIsDamagedStopsTheRunAndIsNamed() throws IOException {
    put("a", "1");
    put("b", "1");
    roll();
    LogSegment first = log.segments().getFirst();
    long second = first.positionOf(1, first.sizeBytes());
    try (FileChannel channel = FileChannel.open(first.file(), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {99}), second + RecordBatchView.HEADER_BYTES + 6);
    }
    assertThatThrownBy(() -> log.compact(NOW))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("position=" + second)
        .hasMessageContaining("file=" + first.file());
  }
}
