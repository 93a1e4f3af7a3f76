package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.CompactionStatus.Phase;
import dev.weir.log.CompactionStatus.Running;
import dev.weir.log.CompactionVerdict.Due;
import dev.weir.log.CompactionVerdict.Failing;
import dev.weir.log.CompactionVerdict.Held;
import dev.weir.log.CompactionVerdict.NothingDirty;
import dev.weir.log.CompactionVerdict.Offline;
import dev.weir.log.CompactionVerdict.OpenTransaction;
import dev.weir.log.CompactionVerdict.TooYoung;
import dev.weir.log.CompactionVerdict.Uncommitted;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.fault.FaultDisk;
import dev.weir.log.fault.Operation;
import dev.weir.log.segment.LogSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of compaction is what the cleaner goes by. */
final class CompactionStatusTest {
  private static final TopicPartition PARTITION = new TopicPartition("state", 2);
  private static final Map<String, String> COMPACTED =
      Map.of(
          "cleanup.policy", "compact",
          "segment.bytes", "600",
          "index.interval.bytes", "100",
          "min.cleanable.dirty.ratio", "0.5",
          "delete.retention.ms", "3000");

  private final FaultDisk disk = FaultDisk.empty();
  private final AtomicLong nowMs = new AtomicLong(1_000_000);
  private LogDirectory directory = open();
  private PartitionLog log = directory.create(PARTITION, new UUID(1, 1), config());

  private LogDirectory open() {
    LogDirectory opened =
        LogDirectory.openWith(
            disk.root().resolve("data"),
            () -> Instant.ofEpochMilli(nowMs.get()),
            new DeferredExecutor());
    opened.load(config());
    return opened;
  }

  private static LogConfig config(String... namesAndValues) {
    Map<String, String> properties = new HashMap<>(COMPACTED);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return LogConfig.of(properties);
  }

  private CompactionStatus status() {
    return log.compactionStatus(nowMs.get()).orElseThrow();
  }

  private CompactionVerdict verdict() {
    return status().verdict();
  }

  private void write(int count, int keys) {
    for (int i = 0; i < count; i++) {
      append(
          RecordBatchBuilder.data(Compression.NONE)
              .add(nowMs.get(), Batches.text("k" + i % keys), Batches.text("v" + i)));
    }
    log.advanceHighWatermark(log.logEndOffset());
  }

  private void append(RecordBatchBuilder batch) {
    assertThat(log.append(batch.build(), 0, AppendOrigin.CLIENT))
        .isInstanceOf(AppendOutcome.Appended.class);
  }

  /**
   * At each step: what is due is compacted, up to where the status says; what is held is not, and
   * stays as it is. With settings, times, transactions, watermarks and failures at random.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void dueMeansCompactedAndAReasonMeansUntouched(long seed) {
    Random random = new Random(seed);
    Map<String, Integer> seen = new TreeMap<>();
    Optional<Integer> open = Optional.empty();
    for (int step = 0; step < 600; step++) {
      String place = "seed=" + seed + " step=" + step;
      nowMs.addAndGet(random.nextInt(3000));
      switch (random.nextInt(14)) {
        case 0 -> {
          if (open.isPresent() && !log.isOffline()) {
            ControlType end = random.nextBoolean() ? ControlType.COMMIT : ControlType.ABORT;
            log.append(Batches.marker(open.get(), 0, end, 0), 0, AppendOrigin.COORDINATOR);
            open = Optional.empty();
          }
        }
        case 1 -> {
          if (open.isEmpty() && !log.isOffline()) {
            open = Optional.of(1000 + step);
            append(
                RecordBatchBuilder.data(Compression.NONE)
                    .producer(1000 + step, (short) 0, 0)
                    .transactional()
                    .add(nowMs.get(), Batches.text("t"), Batches.text("x")));
          }
        }
        case 2 -> log.updateConfig(randomConfig(random));
        case 3 ->
            disk.failWhere(random.nextInt(3) > 0 ? _ -> Optional.empty() : failing(".cleaned"));
        case 4 -> {
          log.advanceHighWatermark(log.logEndOffset() - random.nextInt(5));
          restart();
        }
        default -> {
          for (int i = random.nextInt(20); i > 0 && !log.isOffline(); i--) {
            writeOne(random);
          }
          if (random.nextInt(3) > 0) {
            log.advanceHighWatermark(log.logEndOffset());
          }
        }
      }
      String kind = checkTurn(place);
      seen.merge(kind, 1, Integer::sum);
    }
    assertThat(seen.keySet())
        .as("seed=" + seed)
        .contains("Due", "BelowRatio", "InActiveSegment", "TooYoung", "Uncommitted")
        .contains("OpenTransaction", "NotCompacted", "Failing");
  }

  private String checkTurn(String place) {
    CompactionStatus before = status();
    long sizeBefore = log.sizeBytes();
    switch (before.verdict()) {
      case Due due -> {
        try {
          CompactionReport report = log.compact(nowMs.get()).orElseThrow();
          assertThat(report.dirtyStartOffset()).as(place).isEqualTo(due.startOffset());
          assertThat(report.cleanedUntil()).as(place).isEqualTo(due.endOffset());
          assertThat(status().offsets().cleanedUntil()).as(place).isEqualTo(due.endOffset());
          assertThat(verdict()).as(place).isNotInstanceOf(Due.class);
          assertThat(status().lastRun()).as(place).contains(report);
        } catch (LogException e) {
          assertThat(e.getMessage()).as(place).contains(".cleaned");
          assertThat(verdict()).as(place).isInstanceOf(Failing.class);
        }
      }
      case Held held -> {
        assertThat(log.compact(nowMs.get())).as(place + " " + held).isEmpty();
        assertThat(log.sizeBytes()).as(place).isEqualTo(sizeBefore);
        assertThat(status()).as(place).isEqualTo(before);
      }
    }
    return before.verdict().getClass().getSimpleName();
  }

  private void writeOne(Random random) {
    ByteBuffer value = random.nextInt(4) == 0 ? null : ByteBuffer.allocate(random.nextInt(60));
    append(
        RecordBatchBuilder.data(Compression.NONE)
            .add(nowMs.get(), Batches.text("k" + random.nextInt(9)), value));
  }

  private static LogConfig randomConfig(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> config("cleanup.policy", "delete", "retention.ms", "-1");
      case 1 -> config("min.compaction.lag.ms", "9000");
      case 2 -> config("min.cleanable.dirty.ratio", "0.8", "max.compaction.lag.ms", "20000");
      case 3 -> config("min.cleanable.dirty.ratio", "0.0");
      default -> config();
    };
  }

  private void restart() {
    LogConfig config = log.config();
    disk.failWhere(_ -> Optional.empty());
    directory.close();
    directory = open();
    log = directory.log(PARTITION).orElseThrow();
    log.updateConfig(config);
  }

  private static FaultDisk.Faults failing(String text) {
    return operation ->
        operation.kind() == Operation.Kind.WRITE && operation.path().contains(text)
            ? Optional.of(new IOException("No space left on device"))
            : Optional.empty();
  }

  @Test
  void anOpenTransactionIsNamedWithItsProducerAfterARestartToo() {
    append(
        RecordBatchBuilder.data(Compression.NONE)
            .producer(4711, (short) 0, 0)
            .transactional()
            .add(nowMs.get(), Batches.text("t"), Batches.text("x")));
    write(40, 3);
    assertThat(verdict()).isEqualTo(new OpenTransaction(0, 4711));
    restart();
    assertThat(verdict()).isEqualTo(new OpenTransaction(0, 4711));
    directory.abandon();
    directory = open();
    log = directory.log(PARTITION).orElseThrow();
    log.advanceHighWatermark(log.logEndOffset());
    assertThat(verdict()).isEqualTo(new OpenTransaction(0, 4711));
    log.append(Batches.marker(4711, 0, ControlType.COMMIT, 0), 0, AppendOrigin.COORDINATOR);
    assertThat(verdict()).as("the marker is not committed").isInstanceOf(Uncommitted.class);
    log.advanceHighWatermark(log.logEndOffset());
    assertThat(verdict()).isInstanceOf(Due.class);
  }

  @Test
  void aRunTellsWhatItReadKeptAndRemoved() {
    write(30, 3);
    append(RecordBatchBuilder.data(Compression.NONE).add(nowMs.get(), Batches.text("k0"), null));
    write(8, 3); // k0 once more, so that the tombstone goes as an older record
    append(RecordBatchBuilder.data(Compression.NONE).add(nowMs.get(), Batches.text("gone"), null));
    write(20, 3);
    long sizeBefore = log.sizeBytes() - log.segments().getLast().sizeBytes();
    CompactionReport report = log.compact(nowMs.get()).orElseThrow();
    assertThat(report.bytesBefore()).isEqualTo(sizeBefore);
    assertThat(report.bytesRead()).isEqualTo(2 * sizeBefore);
    assertThat(report.bytesAfter())
        .isEqualTo(log.sizeBytes() - log.segments().getLast().sizeBytes());
    assertThat(report.recordsBefore()).isEqualTo(report.cleanedUntil());
    assertThat(report.keys()).isEqualTo(4);
    assertThat(report.recordsAfter()).as("three keys and a tombstone").isEqualTo(4);
    assertThat(report.tombstonesExpired()).isZero();

    write(60, 3);
    nowMs.addAndGet(3001); // delete.retention.ms
    CompactionReport second = log.compact(nowMs.get()).orElseThrow();
    assertThat(second.tombstonesExpired()).isOne();
    assertThat(second.recordsAfter()).isEqualTo(3);
    assertThat(second.bytesRead())
        .as("what is clean is read once")
        .isEqualTo(2 * second.bytesBefore() - report.bytesAfter());
    CompactionTotals totals = status().totals();
    assertThat(totals).isEqualTo(CompactionTotals.NONE.plus(report).plus(second));
    assertThat(totals.runs()).isEqualTo(2);
  }

  @Test
  void aRunThatIsUnderWayTellsHowFarItIs() {
    write(200, 5);
    List<Running> seen = new ArrayList<>();
    disk.failWhere(
        operation -> {
          if (operation.path().contains(".cleaned") || operation.path().contains(".swap")) {
            // A rename is made under the log's lock, by this thread, which may take it again.
            seen.add(status().running().orElseThrow());
          }
          return Optional.empty();
        });
    assertThat(status().running()).isEmpty();
    CompactionReport report = log.compact(nowMs.get()).orElseThrow();
    assertThat(status().running()).isEmpty();
    long done = 0;
    Phase phase = Phase.READING_KEYS;
    for (Running each : seen) {
      assertThat(each.startedMs()).isEqualTo(nowMs.get());
      assertThat(each.bytesToDo()).isEqualTo(report.bytesRead());
      assertThat(each.bytesDone()).isBetween(done, each.bytesToDo());
      assertThat(each.phase()).isGreaterThanOrEqualTo(phase);
      done = each.bytesDone();
      phase = each.phase();
    }
    assertThat(seen.stream().map(Running::phase)).contains(Phase.WRITING, Phase.SWAPPING);
    assertThat(done).isEqualTo(report.bytesRead());
  }

  @Test
  void failuresAreToldAndTriedAgainLessAndLessOften() {
    write(40, 3);
    disk.failWhere(failing(".cleaned"));
    long sinceMs = nowMs.get();
    long[] waits = {60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000, 3_600_000};
    for (int i = 0; i < waits.length; i++) {
      directory.doUpkeep(nowMs.get());
      Failing failing = (Failing) verdict();
      assertThat(failing.failures()).isEqualTo(i + 1);
      assertThat(failing.sinceMs()).isEqualTo(sinceMs);
      assertThat(failing.retryAtMs()).isEqualTo(nowMs.get() + waits[i]);
      assertThat(failing.error()).contains(".log.cleaned").endsWith(": No space left on device");
      nowMs.addAndGet(waits[i] - 1);
      assertThat(verdict()).isEqualTo(failing);
      nowMs.addAndGet(1);
      assertThat(verdict()).isInstanceOf(Due.class);
      assertThat(status().failing()).as("until a run has succeeded").contains(failing);
    }
    disk.failWhere(
        _ -> {
          if (status().running().isPresent()) {
            assertThat(status().failing()).as("while it is tried again").isPresent();
          }
          return Optional.empty();
        });
    directory.doUpkeep(nowMs.get());
    disk.failWhere(_ -> Optional.empty());
    assertThat(status().lastRun()).isPresent();
    assertThat(status().failing()).isEmpty();
    assertThat(verdict()).isNotInstanceOf(Failing.class);
    assertThat(directory.upkeep().totals().failures()).isEqualTo(waits.length);
    assertThat(directory.upkeep().totals().runs()).isOne();
    assertThat(directory.upkeep().totals().bytesAfter())
        .isEqualTo(status().totals().bytesAfter())
        .isPositive();
    assertThat(directory.upkeep().lastRoundMs()).hasValue(nowMs.get());
  }

  @Test
  void aDamagedBatchIsNeverCopiedAndItsFileIsTold() throws IOException {
    write(40, 3);
    LogSegment damaged = log.segments().get(1);
    try (var lease = damaged.shared().lease()) {
      lease.channel().write(ByteBuffer.wrap(new byte[] {77}), damaged.sizeBytes() - 2);
    }
    long sizeBefore = log.sizeBytes();
    directory.doUpkeep(nowMs.get());
    assertThat(verdict())
        .isInstanceOfSatisfying(
            Failing.class,
            failing ->
                assertThat(failing.error())
                    .startsWith("checksum does not match at position=")
                    .endsWith("file=" + damaged.file()));
    assertThat(log.sizeBytes()).isEqualTo(sizeBefore);
    assertThat(log.cleanedUntil()).isZero();
    write(1, 1);
  }

  @Test
  void aChangeOfTheSettingsTriesAgainAtOnce() {
    write(40, 3);
    disk.failWhere(failing(".cleaned"));
    directory.doUpkeep(nowMs.get());
    assertThat(verdict()).isInstanceOf(Failing.class);
    log.updateConfig(config());
    assertThat(verdict()).isInstanceOf(Due.class);
    assertThat(status().failing()).as("it has not helped yet").isPresent();
    directory.doUpkeep(nowMs.get());
    assertThat(((Failing) verdict()).failures()).isEqualTo(2);
  }

  @Test
  void whereNothingIsLeftToCompactNothingFails() {
    write(40, 3);
    disk.failWhere(failing(".cleaned"));
    directory.doUpkeep(nowMs.get());
    assertThat(status().failing()).isPresent();
    log.truncateFullyAndStartAt(log.logEndOffset());
    assertThat(status().sizes().dirtyBytes()).isZero();
    assertThat(status().failing()).isEmpty();
    assertThat(verdict()).isInstanceOf(NothingDirty.class);
    write(40, 3);
    assertThat(verdict()).as("it is to be tried again").isInstanceOf(Failing.class);
    log.updateConfig(config("cleanup.policy", "delete"));
    assertThat(status().failing()).isEmpty();
  }

  @Test
  void aLogThatIsDeletedWhileItIsCompactedHasNotFailed() {
    write(200, 5);
    AtomicLong deletions = new AtomicLong();
    disk.onRead(
        (_, _, _) -> {
          if (deletions.get() == 0 && status().running().isPresent()) {
            deletions.incrementAndGet();
            directory.delete(PARTITION);
          }
        });
    directory.doUpkeep(nowMs.get());
    assertThat(deletions).hasValue(1);
    assertThat(log.compactionHistory().failing()).isEmpty();
    assertThat(directory.upkeep().totals()).isEqualTo(CompactionTotals.NONE);
    assertThat(directory.upkeep().lastRoundMs()).hasValue(nowMs.get());
  }

  @Test
  void aRoundIsOverWhenItsLastLogHasHadItsTurn() {
    write(200, 5);
    long startedMs = nowMs.get();
    AtomicLong ofRun = new AtomicLong();
    disk.onRead(
        (_, _, _) -> {
          nowMs.addAndGet(7);
          ofRun.addAndGet(7);
        });
    directory.doUpkeep(startedMs);
    assertThat(status().lastRun()).isPresent();
    assertThat(ofRun.get()).isPositive();
    assertThat(directory.upkeep().lastRoundMs()).hasValue(startedMs + ofRun.get());
  }

  @Test
  void toTellHowALogStandsNoIndexIsReadUnlessRecordsHaveToReachAnAge() {
    write(200, 5);
    restart();
    List<String> read = new ArrayList<>();
    disk.onRead((path, _, _) -> read.add(path.toString()));
    assertThat(verdict()).isInstanceOf(Due.class);
    assertThat(read).noneMatch(path -> path.endsWith(".timeindex"));
    log.updateConfig(config("min.compaction.lag.ms", "9000"));
    assertThat(verdict()).isInstanceOf(TooYoung.class);
    assertThat(read).anyMatch(path -> path.endsWith(".timeindex"));
  }

  @Test
  void anOfflineLogTellsItsError() {
    write(40, 3);
    disk.failWhere(failing("state-2"));
    assertThatThrownBy(() -> write(1, 1)).isInstanceOf(LogException.class);
    assertThat(verdict())
        .isInstanceOfSatisfying(
            Offline.class,
            offline ->
                assertThat(offline.error())
                    .startsWith("cannot write")
                    .contains("/data/state-2/")
                    .endsWith("No space left on device"));
    assertThatThrownBy(() -> log.compact(nowMs.get())).isInstanceOf(LogOfflineException.class);
    disk.failWhere(_ -> Optional.empty());
    directory.doUpkeep(nowMs.get());
    assertThat(status().lastRun()).as("it came back and had its turn").isPresent();
  }

  @Test
  void aLogThatIsGoneIsToldOfNoMore() {
    write(40, 3);
    assertThat(directory.upkeep().compaction(nowMs.get())).hasSize(1);
    PartitionLog gone = log;
    directory.delete(PARTITION);
    assertThat(directory.upkeep().compaction(nowMs.get())).isEmpty();
    assertThat(gone.compactionStatus(nowMs.get())).isEmpty();
  }
}
