package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.fault.FaultDisk;
import dev.weir.log.fault.Operation;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.SegmentFiles;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What waits while old segments go, what does not, and what becomes of those that stay. */
final class SegmentDeletionTest {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);
  private static final LogConfig CONFIG =
      LogConfig.of(
          Map.of("segment.bytes", "300", "index.interval.bytes", "60", "retention.bytes", "600"));
  private static final long NOW_MS = 5000;

  private final FaultDisk disk = FaultDisk.empty();
  private LogDirectory directory = open(disk);
  private PartitionLog log = directory.create(PARTITION, new UUID(1, 1), CONFIG);

  private static LogDirectory open(FaultDisk disk) {
    LogDirectory opened =
        LogDirectory.openWith(
            disk.root().resolve("data"),
            () -> Instant.ofEpochMilli(NOW_MS),
            new DeferredExecutor());
    opened.load(CONFIG);
    return opened;
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(log.append(Batches.of("value " + i), 0, AppendOrigin.CLIENT))
          .isInstanceOf(AppendOutcome.Appended.class);
    }
  }

  private void committed(int count) {
    append(count);
    log.advanceHighWatermark(log.flush());
  }

  private static boolean isOfSegment(Operation operation) {
    return operation.kind() == Operation.Kind.DELETE && operation.path().contains("/t-0/0");
  }

  /** So appends, and what is told of the log, wait for none of them, though they be thousands. */
  @Test
  void noFileGoesUnderTheLockOfTheLogAndNoneBeforeItsSegmentHasLeft() {
    committed(200);
    List<Boolean> locked = new ArrayList<>();
    List<Long> starts = new ArrayList<>();
    disk.failWhere(
        operation -> {
          if (isOfSegment(operation)) {
            locked.add(log.state().lock.isHeldByCurrentThread());
            starts.add(log.logStartOffset());
          }
          return Optional.empty();
        });
    assertThat(log.deleteOldSegments(NOW_MS)).isGreaterThan(20);
    assertThat(locked).hasSizeGreaterThan(20).containsOnly(false);
    assertThat(log.logStartOffset()).isPositive();
    assertThat(starts).containsOnly(log.logStartOffset());
    assertThat(basesOnDisk()).isEqualTo(bases());
  }

  /** Else some of them would come back after a power loss. */
  @Test
  void theNewStartIsOnTheDiskBeforeTheFirstFileGoes() {
    committed(100);
    int before = disk.operations().size();
    assertThat(log.deleteOldSegments(NOW_MS)).isPositive();
    List<Operation> since = disk.operations().subList(before, disk.operations().size());
    int saved =
        since.stream()
            .filter(operation -> operation.path().contains("log-start-offset-checkpoint"))
            .mapToInt(since::lastIndexOf)
            .max()
            .orElseThrow();
    int firstGone =
        since.stream()
            .filter(SegmentDeletionTest::isOfSegment)
            .mapToInt(since::indexOf)
            .min()
            .orElseThrow();
    assertThat(saved).isLessThan(firstGone);
  }

  @Test
  void filesThatCannotBeRemovedGoWithTheNextTurn() {
    committed(100);
    AtomicInteger left = new AtomicInteger(5);
    disk.failWhere(
        operation ->
            isOfSegment(operation) && left.decrementAndGet() < 0
                ? Optional.of(new IOException("Input/output error"))
                : Optional.empty());
    assertThatThrownBy(() -> log.deleteOldSegments(NOW_MS)).isInstanceOf(LogException.class);
    assertThat(log.isOffline()).isFalse();
    long start = log.logStartOffset();
    assertThat(start).isPositive();
    assertThat(basesOnDisk()).as("files are left").hasSizeGreaterThan(bases().size());
    append(1);
    disk.failWhere(_ -> Optional.empty());
    log.deleteOldSegments(NOW_MS);
    assertThat(log.logStartOffset()).isEqualTo(start);
    assertThat(basesOnDisk()).isEqualTo(bases());
  }

  /** The directory may be that of another topic of this name as soon as the log is closed. */
  @Test
  void aLogThatIsClosedRemovesNoMoreFiles() throws InterruptedException {
    committed(100);
    Thread closing = Thread.ofPlatform().unstarted(log::abandon);
    AtomicInteger removed = new AtomicInteger();
    disk.failWhere(
        operation -> {
          if (isOfSegment(operation)
              && operation.path().endsWith(".log")
              && removed.incrementAndGet() == 3) {
            closing.start();
            long until = System.nanoTime() + 10_000_000_000L;
            while (closing.getState() != Thread.State.WAITING && System.nanoTime() < until) {
              Thread.onSpinWait();
            }
          }
          return Optional.empty();
        });
    log.deleteOldSegments(NOW_MS);
    closing.join();
    assertThat(removed).hasValue(3);
  }

  /** What is left of them is below the start of the log. */
  @Test
  void aStartRemovesWhatACloseHasLeft() {
    committed(100);
    AtomicInteger left = new AtomicInteger(5);
    disk.failWhere(
        operation ->
            isOfSegment(operation) && left.decrementAndGet() < 0
                ? Optional.of(new IOException("Input/output error"))
                : Optional.empty());
    assertThatThrownBy(() -> log.deleteOldSegments(NOW_MS)).isInstanceOf(LogException.class);
    disk.failWhere(_ -> Optional.empty());
    long start = log.logStartOffset();
    directory.close();
    directory = open(disk);
    log = directory.log(PARTITION).orElseThrow();
    assertThat(log.logStartOffset()).isEqualTo(start);
    assertThat(basesOnDisk()).isEqualTo(bases());
  }

  /** A segment that is made anew may have the name of one whose files are still there. */
  @Test
  void aTruncationToAnOffsetBelowTheStartKeepsWhatItMakes() {
    committed(100);
    disk.failWhere(
        operation ->
            isOfSegment(operation)
                ? Optional.of(new IOException("Input/output error"))
                : Optional.empty());
    assertThatThrownBy(() -> log.deleteOldSegments(NOW_MS)).isInstanceOf(LogException.class);
    disk.failWhere(_ -> Optional.empty());
    log.truncateFullyAndStartAt(0);
    append(2);
    log.deleteOldSegments(NOW_MS);
    assertThat(Batches.values(log)).containsExactly("value 0", "value 1");
    assertThat(basesOnDisk()).containsExactly(0L);
  }

  private List<Long> bases() {
    return log.segments().stream().map(LogSegment::baseOffset).toList();
  }

  private List<Long> basesOnDisk() {
    return SegmentFiles.offsets(SegmentFiles.names(log.directory()), SegmentFiles.LOG);
  }
}
