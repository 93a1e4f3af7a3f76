package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.fault.FaultDisk;
import dev.weir.log.fault.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Full disks and I/O errors: one log goes offline, and comes back when it can. */
final class FailedWriteTest {
  private static final LogConfig CONFIG =
      LogConfig.of(Map.of("segment.bytes", "400", "index.interval.bytes", "60"));
  private static final TopicPartition HIT = new TopicPartition("hit", 0);
  private static final TopicPartition OTHER = new TopicPartition("other", 0);
  private static final long NOW_MS = 5000;

  private final FaultDisk disk = FaultDisk.empty();
  private LogDirectory directory;
  private PartitionLog hit;
  private PartitionLog other;
  private int sequence;

  @BeforeEach
  void twoLogs() {
    directory = open();
    hit = directory.create(HIT, new UUID(1, 1), CONFIG);
    other = directory.create(OTHER, new UUID(1, 2), CONFIG);
  }

  private LogDirectory open() {
    LogDirectory opened =
        LogDirectory.openWith(
            disk.root().resolve("data"),
            () -> Instant.ofEpochMilli(NOW_MS),
            new DeferredExecutor());
    opened.load(CONFIG);
    return opened;
  }

  private static void append(PartitionLog log, String value) {
    append(log, value, 0);
  }

  private static void append(PartitionLog log, String value, int epoch) {
    assertThat(log.append(Batches.of(value), epoch, AppendOrigin.CLIENT))
        .isInstanceOf(AppendOutcome.Appended.class);
  }

  private static FaultDisk.Faults failing(Operation.Kind kind, String text) {
    return operation ->
        operation.kind() == kind && operation.path().contains(text)
            ? Optional.of(new IOException("Input/output error"))
            : Optional.empty();
  }

  @Test
  void aLogThatCannotBeWrittenIsOfflineWithItsFileNamedAndTheOthersGoOn() {
    append(hit, "a");
    disk.failWhere(failing(Operation.Kind.WRITE, "hit-0"));
    assertThatThrownBy(() -> append(hit, "b"))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("file=/data/hit-0/00000000000000000000.log");
    assertThatThrownBy(() -> append(hit, "c")).isInstanceOf(LogOfflineException.class);
    append(other, "x");
    assertThat(other.flush()).isEqualTo(1);
    assertThat(hit.flush()).as("what was appended before is whole").isEqualTo(1);
    assertThat(Batches.values(hit)).containsExactly("a");
    directory.doUpkeep(NOW_MS);
    assertThatThrownBy(() -> append(hit, "d")).hasMessageContaining("hit-0");
    disk.failWhere(_ -> Optional.empty());
    directory.doUpkeep(NOW_MS);
    append(hit, "e");
    assertThat(Batches.values(hit)).containsExactly("a", "e");
    directory.close();
    directory = open();
    assertThat(directory.wasStoppedCleanly()).isTrue();
    assertThat(Batches.values(directory.log(HIT).orElseThrow())).containsExactly("a", "e");
  }

  @Test
  void aLogWhoseSyncFailedStaysOfflineUntilItIsOpenedAnew() {
    append(hit, "a");
    assertThat(hit.flush()).isEqualTo(1);
    append(hit, "b");
    disk.failWhere(failing(Operation.Kind.FORCE, "hit-0"));
    assertThatThrownBy(() -> hit.flush()).hasMessageContaining("hit-0");
    disk.failWhere(_ -> Optional.empty());
    directory.doUpkeep(NOW_MS);
    assertThatThrownBy(() -> append(hit, "c")).isInstanceOf(LogOfflineException.class);
    assertThatThrownBy(() -> hit.flush()).isInstanceOf(LogOfflineException.class);
    append(other, "x");
    directory.close();
    directory = open();
    assertThat(directory.wasStoppedCleanly()).isFalse();
    append(directory.log(HIT).orElseThrow(), "d");
  }

  /** A write of {@code hit} has failed, and left records that no flush has covered. */
  private void afterAFailedWrite() {
    append(hit, "a");
    disk.failWhere(failing(Operation.Kind.WRITE, "hit-0"));
    assertThatThrownBy(() -> append(hit, "b")).isInstanceOf(LogException.class);
    disk.failWhere(_ -> Optional.empty());
  }

  @Test
  void aSyncThatFailsWhileTheLogComesBackIsFinal() {
    afterAFailedWrite();
    AtomicInteger within = new AtomicInteger();
    disk.failWhere(
        operation -> {
          if (operation.kind() == Operation.Kind.FORCE) {
            return Optional.of(new IOException("Input/output error"));
          }
          if (operation.path().contains("hit-0") && within.getAndIncrement() == 0) {
            assertThatThrownBy(hit::flush).hasMessageContaining("cannot sync");
          }
          return Optional.empty();
        });
    assertThat(hit.comeBack()).isFalse();
    assertThat(within.get()).as("operations of the come-back").isPositive();
    disk.failWhere(_ -> Optional.empty());
    assertThat(hit.isOffline()).isTrue();
    assertThat(hit.comeBack()).isFalse();
    assertThatThrownBy(hit::flush).isInstanceOf(LogOfflineException.class);
  }

  /** A come-back beside a sync waits for what the sync finds. */
  @Test
  void aLogDoesNotComeBackBesideASyncThatFails() throws Exception {
    afterAFailedWrite();
    AtomicBoolean isBack = new AtomicBoolean();
    Thread comingBack = Thread.ofPlatform().unstarted(() -> isBack.set(hit.comeBack()));
    AtomicBoolean waits = new AtomicBoolean();
    disk.failWhere(
        operation -> {
          if (operation.kind() != Operation.Kind.FORCE) {
            return Optional.empty();
          }
          comingBack.start();
          long until = System.nanoTime() + 10_000_000_000L;
          while (comingBack.getState() != Thread.State.WAITING && System.nanoTime() < until) {
            Thread.onSpinWait();
          }
          waits.set(comingBack.getState() == Thread.State.WAITING);
          return Optional.of(new IOException("Input/output error"));
        });
    assertThatThrownBy(hit::flush).hasMessageContaining("cannot sync");
    comingBack.join();
    assertThat(waits).as("it waits for the sync").isTrue();
    assertThat(isBack).isFalse();
    assertThatThrownBy(hit::flush).isInstanceOf(LogOfflineException.class);
  }

  /** At every byte: what was acknowledged is there, and the log goes on when there is room. */
  @Test
  void aDiskThatFillsUpAnywhere() {
    for (int room = 0; room < 1500; room += 7) {
      FaultDisk full = FaultDisk.empty();
      int bytes = room;
      goesOn(full, "room=" + bytes, () -> full.roomLeft(bytes), () -> full.roomLeft(1 << 30));
    }
  }

  /** The same where one operation fails, whichever it is, that is no sync. */
  @Test
  void anyOneOperationThatFails() {
    AtomicInteger seen = new AtomicInteger();
    for (int at = 0; at == 0 || seen.get() >= at; at++) {
      FaultDisk failing = FaultDisk.empty();
      int wanted = at + 1;
      seen.set(0);
      goesOn(
          failing,
          "operation " + wanted,
          () ->
              failing.failWhere(
                  operation -> {
                    boolean sync =
                        operation.kind() == Operation.Kind.FORCE
                            || operation.kind() == Operation.Kind.SYNC_DIRECTORY;
                    return !sync && seen.incrementAndGet() == wanted
                        ? Optional.of(new IOException("Input/output error"))
                        : Optional.empty();
                  }),
          () -> {});
    }
    assertThat(seen.get()).isGreaterThan(20);
  }

  private void goesOn(FaultDisk on, String where, Runnable fault, Runnable relief) {
    DeferredExecutor background = new DeferredExecutor();
    LogDirectory logs =
        LogDirectory.openWith(
            on.root().resolve("data"), () -> Instant.ofEpochMilli(NOW_MS), background);
    logs.load(CONFIG);
    PartitionLog log = logs.create(HIT, new UUID(1, 1), CONFIG);
    List<String> acknowledged = new ArrayList<>();
    sequence = 0;
    fault.run();
    int round = 0;
    while (acknowledged.size() < 30) {
      try {
        if (round % 5 == 4) {
          log.append(Batches.transactional(9, 0, sequence), round, AppendOrigin.CLIENT);
          acknowledged.add("t" + sequence);
          sequence++;
          log.append(Batches.marker(9, 0, ControlType.ABORT, 0), round, AppendOrigin.COORDINATOR);
        } else {
          append(log, "v" + round, round);
          acknowledged.add("v" + round);
        }
      } catch (LogException e) {
        assertThat(e.getMessage()).as(where).contains("hit-0");
        relief.run();
        logs.doUpkeep(NOW_MS);
      }
      round++;
    }
    assertThat(log.isOffline()).as(where).isFalse();
    assertThat(log.flush()).as(where).isEqualTo(log.logEndOffset());
    check(log, acknowledged, where);
    on.failWhere(_ -> Optional.empty()); // what fails at the stop is left to recovery
    logs.close();
    Dumped.requireSound(on.root());
    logs = LogDirectory.openWith(on.root().resolve("data"), Instant::now, new DeferredExecutor());
    logs.load(CONFIG);
    assertThat(logs.wasStoppedCleanly()).as(where).isTrue();
    check(logs.log(HIT).orElseThrow(), acknowledged, where);
    logs.close();
  }

  /** All that was acknowledged, in order, and nothing of what failed. */
  private static void check(PartitionLog log, List<String> acknowledged, String where) {
    List<String> found = new ArrayList<>();
    CrashWorld.batches(log).stream()
        .filter(batch -> !batch.isControl())
        .forEach(
            batch ->
                batch.forEachRecord(
                    record ->
                        found.add(
                            record.value() == null ? "null" : Batches.string(record.value()))));
    assertThat(found).as(where).containsExactlyElementsOf(acknowledged);
  }

  @Test
  void aCompactionThatFindsNoRoomTakesItsFilesAway() throws IOException {
    LogConfig compact =
        LogConfig.of(
            Map.of(
                "cleanup.policy", "compact",
                "segment.bytes", "300",
                "min.cleanable.dirty.ratio", "0.1"));
    hit.updateConfig(compact);
    for (int i = 0; i < 20; i++) {
      hit.append(
          RecordBatchBuilder.data(Compression.NONE)
              .add(1000, Batches.text("k"), Batches.text("v" + i))
              .build(),
          0,
          AppendOrigin.CLIENT);
    }
    hit.advanceHighWatermark(hit.flush());
    disk.failWhere(failing(Operation.Kind.WRITE, ".cleaned"));
    assertThatThrownBy(() -> hit.compact(NOW_MS)).hasMessageContaining(".cleaned");
    try (Stream<Path> files = Files.list(hit.directory())) {
      assertThat(files.map(Object::toString)).noneMatch(name -> name.endsWith(".cleaned"));
    }
    assertThat(hit.isOffline()).isFalse();
    disk.failWhere(_ -> Optional.empty());
    assertThat(hit.compact(NOW_MS)).as("it is left alone for a while").isEmpty();
    assertThat(hit.compact(NOW_MS + CompactionHistory.RETRY_MIN_MS)).isPresent();
  }

  @Test
  void aLogThatCannotBePreparedForAKillKeepsNoOtherFromItsCheckpoint() {
    append(hit, "a");
    append(other, "x");
    assertThat(other.flush()).isEqualTo(1);
    assertThat(hit.flush()).isEqualTo(1);
    disk.failWhere(
        operation ->
            operation.path().contains("hit-0")
                ? Optional.of(new IOException("Input/output error"))
                : Optional.empty());
    directory.writeCheckpoints();
    disk.failWhere(_ -> Optional.empty());
    LogDirectory found = CrashWorld.open(disk.afterPowerLoss(1), new DeferredExecutor());
    assertThat(found.log(OTHER).orElseThrow().recoveryPoint()).isEqualTo(1);
    assertThat(found.log(HIT).orElseThrow().recoveryPoint()).isEqualTo(1);
  }

  @Test
  void anAppendWhileTheDirectoryIsBeingClosedSucceedsWhereItIsPublished() {
    FaultDisk another = FaultDisk.empty();
    ExecutorService background = Executors.newSingleThreadExecutor();
    LogDirectory closing =
        LogDirectory.openWith(another.root().resolve("data"), Instant::now, background);
    closing.load(CONFIG);
    PartitionLog log = closing.create(HIT, new UUID(1, 1), CONFIG);
    background.shutdown();
    for (int i = 0; i < 30; i++) {
      append(log, "v" + i);
    }
    assertThat(log.segmentCount()).isGreaterThan(2);
    closing.close();
  }

  /** A start trusts it below the recovery point. */
  @Test
  void aSnapshotWithinASegmentIsSyncedByTheNextFlush() {
    append(hit, "a");
    hit.flush();
    append(hit, "b");
    directory.writeCheckpoints();
    int before = disk.operations().size();
    hit.flush();
    List<Operation> since = disk.operations();
    assertThat(since.subList(before, since.size()))
        .anyMatch(
            operation ->
                operation.kind() == Operation.Kind.FORCE
                    && operation.path().endsWith("hit-0/00000000000000000002.snapshot"));
  }

  @Test
  void aSegmentThatFollowsAFullOneHasASnapshotAtItsFirstCheckpoint() {
    while (hit.segmentCount() == 1) {
      append(hit, "a");
      hit.flush();
      directory.writeCheckpoints();
    }
    append(hit, "b");
    directory.writeCheckpoints();
    assertThat(hit.state().snapshots.offsets()).contains(hit.logEndOffset());
  }
}
