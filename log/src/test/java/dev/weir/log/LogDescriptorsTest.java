package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.fault.FaultDisk;
import dev.weir.log.segment.OpenFiles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How many descriptors a log takes, and what it does without. */
final class LogDescriptorsTest {
  private static final int OPEN_MAX = 16;
  private static final int MANY = 100_000;
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);
  private static final LogConfig CONFIG =
      LogConfig.of(
          Map.of("segment.bytes", "300", "index.interval.bytes", "60", "retention.bytes", "3000"));

  private final FaultDisk disk = FaultDisk.empty();
  private final OpenFiles files = new OpenFiles(OPEN_MAX);
  private final DeferredExecutor background = new DeferredExecutor();
  private LogDirectory directory;
  private PartitionLog log;

  LogDescriptorsTest() {
    disk.descriptorsLeft(MANY);
    directory = open();
    log = directory.create(PARTITION, new UUID(1, 1), CONFIG);
  }

  private LogDirectory open() {
    LogDirectory opened =
        LogDirectory.openWith(
            disk.root().resolve("data"), () -> Instant.ofEpochMilli(5000), background, files);
    opened.load(CONFIG);
    return opened;
  }

  private int descriptors() {
    return MANY - disk.descriptorsLeft();
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(log.append(Batches.of("value " + i), 0, AppendOrigin.CLIENT))
          .isInstanceOf(AppendOutcome.Appended.class);
    }
  }

  /** All values, one read after the other, each of a few batches. */
  private List<String> values() {
    List<String> values = new ArrayList<>();
    long next = log.logStartOffset();
    while (next < log.logEndOffset()) {
      LogSlice slice = (LogSlice) log.read(next, 150, ReadUpTo.LOG_END);
      for (RecordBatchView batch : slice.batches()) {
        batch.forEachRecord(
            record -> values.add(Batches.string(Objects.requireNonNull(record.value()))));
        next = batch.nextOffset();
      }
    }
    return values;
  }

  /** The lock of the directory and the segment that is written to come on top. */
  @Test
  void hundredsOfSegmentsTakeNoMoreDescriptorsThanTheBound() {
    append(900);
    log.advanceHighWatermark(log.flush());
    assertThat(log.segmentCount()).isGreaterThan(200);
    assertThat(descriptors()).isLessThanOrEqualTo(OPEN_MAX + 2);
    assertThat(values()).hasSize(900);
    assertThat(log.offsetForTimestamp(1)).isPresent();
    assertThat(descriptors()).isLessThanOrEqualTo(OPEN_MAX + 2);
    directory.close();
    assertThat(descriptors()).isZero();
    directory = open();
    log = directory.log(PARTITION).orElseThrow();
    assertThat(descriptors()).as("after a start").isLessThanOrEqualTo(2);
    assertThat(values()).hasSize(900);
    assertThat(descriptors()).isLessThanOrEqualTo(OPEN_MAX + 2);
    directory.abandon();
    assertThat(descriptors()).isZero();
  }

  /** What was not synced stays open: the system tells of its loss there. */
  @Test
  void aFinishedSegmentIsHeldOpenUntilItIsSynced() {
    append(100);
    assertThat(descriptors()).isGreaterThan(OPEN_MAX + 2);
    background.runAll();
    assertThat(descriptors()).isLessThanOrEqualTo(OPEN_MAX + 2);
  }

  /** Also where syncs in the background do not keep up, or are all there is of syncs. */
  @Test
  void whatIsNotSyncedTakesDescriptorsWithinABound() {
    append(900);
    assertThat(log.segmentCount()).isGreaterThan(200);
    assertThat(descriptors()).isLessThanOrEqualTo(OPEN_MAX + LogState.UNSYNCED_MAX + 3);
    assertThat(values()).hasSize(900);
  }

  @Test
  void aSegmentThatWasClosedGivesASliceItsBytesAfterItsDeletion() {
    append(100);
    log.advanceHighWatermark(log.flush());
    LogSlice slice = (LogSlice) log.read(0, 100, ReadUpTo.LOG_END);
    assertThat(values()).hasSize(100); // which closes the first segments
    assertThat(log.deleteOldSegments(5000)).isPositive();
    assertThat(slice.batches().iterator().next().baseOffset()).isZero();
    long late = 5000 + log.config().fileDeleteDelayMs();
    log.deleteOldSegments(late);
    assertThatThrownBy(slice::toBuffer)
        .isInstanceOf(LogException.class)
        .hasMessageContaining("00000000000000000000.log");
    assertThat(descriptors()).isLessThanOrEqualTo(OPEN_MAX + 2);
  }

  @Test
  void aLogForWhichNoDescriptorIsLeftComesBackWhenThereAreSome() {
    append(100);
    log.flush();
    disk.descriptorsLeft(0);
    LogSlice slice = (LogSlice) log.read(log.logEndOffset() - 1, 100, ReadUpTo.LOG_END);
    assertThat(slice.sizeBytes()).as("of the segment that is open").isPositive();
    for (int i = 0; i < OPEN_MAX + 2; i++) {
      disk.descriptorsLeft(0); // those that were closed to make room
      try {
        append(1);
      } catch (LogException e) {
        assertThat(OpenFiles.isForWantOfDescriptors(e)).isTrue();
      }
    }
    assertThat(log.isOffline()).isTrue();
    disk.descriptorsLeft(100);
    directory.doUpkeep(0);
    assertThat(log.isOffline()).isFalse();
    long end = log.logEndOffset();
    append(20);
    assertThat(log.flush()).isEqualTo(end + 20);
    assertThat(values()).hasSize(Math.toIntExact(end + 20 - log.logStartOffset()));
  }

  /** Whoever waits for a commit has to ask for a flush again: the log does not by itself. */
  @Test
  void upkeepTellsWhichLogIsBack() {
    append(10);
    disk.descriptorsLeft(0);
    assertThatThrownBy(log::flush).isInstanceOf(LogException.class);
    List<PartitionLog> back = new ArrayList<>();
    directory.doUpkeep(0, _ -> {}, back::add);
    assertThat(back).as("while it cannot come back").isEmpty();
    disk.descriptorsLeft(MANY);
    directory.doUpkeep(0, _ -> {}, back::add);
    assertThat(back).containsExactly(log);
    directory.doUpkeep(0, _ -> {}, back::add);
    assertThat(back).as("once").containsExactly(log);
    assertThat(log.flush()).isEqualTo(10);
  }

  /** Also where it was a sync that could not open its file: nothing was lost by that. */
  @Test
  void aFlushWithoutDescriptorsIsDoneAgain() {
    append(10);
    disk.descriptorsLeft(0);
    assertThatThrownBy(log::flush)
        .isInstanceOf(LogException.class)
        .satisfies(e -> assertThat(OpenFiles.isForWantOfDescriptors(e)).isTrue());
    disk.descriptorsLeft(100);
    assertThat(log.comeBack()).isTrue();
    assertThat(log.flush()).isEqualTo(10);
  }

  /** A flush that could not open an index has not put it on the disk: the next one has to. */
  @Test
  void anAbortedTransactionIsOnTheDiskAfterTheFlushThatFollowsAStarvedOne() {
    append(1);
    log.flush();
    log.append(Batches.transactional(9, 0, 0), 0, AppendOrigin.CLIENT);
    log.append(Batches.marker(9, 0, ControlType.ABORT, 0), 0, AppendOrigin.COORDINATOR);
    long end = log.logEndOffset();
    disk.descriptorsLeft(0);
    assertThatThrownBy(log::flush).isInstanceOf(LogException.class);
    disk.descriptorsLeft(MANY);
    assertThat(log.comeBack()).isTrue();
    assertThat(log.flush()).isEqualTo(end);
    directory.writeCheckpoints();
    assertThat(log.abortedTransactions(0, end)).hasSize(1);
    for (int image = 0; image < 60; image++) {
      LogDirectory found = CrashWorld.open(disk.afterPowerLoss(image), new DeferredExecutor());
      assertThat(found.log(PARTITION).orElseThrow().abortedTransactions(0, end))
          .as("image of seed=%d", image)
          .hasSize(1);
    }
  }

  /** A come-back that finds no descriptor itself is tried again. */
  @Test
  void aLogThatStarvesWhileItComesBackStaysOneThatCan() {
    append(10);
    log.append(Batches.transactional(9, 0, 0), 0, AppendOrigin.CLIENT);
    log.append(Batches.marker(9, 0, ControlType.ABORT, 0), 0, AppendOrigin.COORDINATOR);
    disk.descriptorsLeft(0);
    assertThatThrownBy(log::flush).isInstanceOf(LogException.class);
    for (int left = 0; left < 3; left++) {
      disk.descriptorsLeft(0);
      assertThatThrownBy(log::comeBack)
          .satisfies(e -> assertThat(OpenFiles.isForWantOfDescriptors(e)).isTrue());
    }
    disk.descriptorsLeft(MANY);
    assertThat(log.comeBack()).isTrue();
    long end = log.logEndOffset();
    append(1);
    assertThat(log.flush()).isEqualTo(end + 1);
  }

  /** Else an append would need a descriptor. */
  @Test
  void theSegmentThatIsWrittenStaysOpenAfterASync() {
    append(1);
    log.flush();
    files.closeUnused();
    disk.descriptorsLeft(0);
    append(1);
    assertThat(log.isOffline()).isFalse();
  }
}
