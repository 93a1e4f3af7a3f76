package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.checkpoint.LeaderEpochs;
import dev.weir.log.fault.FaultDisk;
import dev.weir.log.producer.ProducerStates;
import dev.weir.log.segment.AbortedTransaction;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.SegmentList;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What must hold of a log that is opened after a crash. */
final class CrashCheck {
  private final CrashWorld world;
  private final FaultDisk disk;

  CrashCheck(CrashWorld world, FaultDisk disk) {
    this.world = world;
    this.disk = disk;
  }

  /** Opens the log, and then goes on with it. */
  void run() {
    LogDirectory directory = CrashWorld.open(disk, new DeferredExecutor());
    assertThat(directory.unopened()).isEmpty();
    Optional<PartitionLog> opened = directory.log(CrashWorld.PARTITION);
    if (opened.isEmpty()) {
      assertThat(world.durableEnd).as("acknowledged up to").isZero();
      directory.close();
      return;
    }
    PartitionLog log = opened.get();
    log.updateConfig(world.policy.config());
    if (log.topicId().equals(LogDirectory.NO_TOPIC_ID)) {
      assertThat(world.durableEnd).as("a flushed log has its topic id").isZero();
    }
    CrashWorld.identify(log);
    log.advanceHighWatermark(log.flush());
    checkContents(log);
    checkDerived(log);
    directory.writeCheckpoints();
    Dumped.requireSound(disk.root());
    checkItGoesOn(log);
    long end = log.logEndOffset();
    directory.close();
    Dumped.requireSound(disk.root());
    directory = CrashWorld.open(disk, new DeferredExecutor());
    log = directory.log(CrashWorld.PARTITION).orElseThrow();
    assertThat(log.logEndOffset()).isEqualTo(end);
    checkDerived(log);
    directory.close();
  }

  private void checkContents(PartitionLog log) {
    assertThat(log.logEndOffset()).as("log end").isGreaterThanOrEqualTo(world.durableEnd);
    assertThat(log.logStartOffset()).isLessThanOrEqualTo(log.logEndOffset());
    assertThat(log.logStartOffset())
        .as("log start")
        .isBetween(world.forgottenEnd, Math.max(world.forgettableEnd, world.forgottenEnd));
    long next = 0;
    int epoch = -1;
    Map<Long, ByteBuffer> found = new HashMap<>();
    for (RecordBatchView batch : CrashWorld.batches(log)) {
      assertThat(batch.checksumMatches()).as(batch.toString()).isTrue();
      assertThat(batch.baseOffset()).as("base offset").isGreaterThanOrEqualTo(next);
      assertThat(batch.leaderEpoch()).as("leader epoch").isGreaterThanOrEqualTo(epoch);
      if (world.policy != CrashWorld.Policy.COMPACT) {
        if (next >= world.forgettableEnd) {
          assertThat(batch.baseOffset()).as("base offset").isEqualTo(next);
        }
        assertThat(world.ever).contains(CrashWorld.Written.of(batch.bytes()));
      }
      next = batch.nextOffset();
      epoch = batch.leaderEpoch();
      found.put(batch.baseOffset(), batch.bytes());
    }
    if (world.policy == CrashWorld.Policy.COMPACT) {
      checkNewest(log);
      return;
    }
    for (CrashWorld.Written written : world.live) {
      if (written.nextOffset() <= world.durableEnd
          && written.baseOffset() >= world.forgettableEnd) {
        assertThat(found.get(written.baseOffset()))
            .as("batch at " + written.baseOffset())
            .isEqualTo(written.bytes());
      }
    }
  }

  /** Of a compacted log: each key's newest acknowledged value is there, unless a newer one is. */
  private void checkNewest(PartitionLog log) {
    Map<String, Map.Entry<Long, String>> newest = new HashMap<>();
    CrashWorld.batches(log).forEach(batch -> takeNewest(batch, newest));
    Map<String, Map.Entry<Long, String>> expected = new HashMap<>();
    for (CrashWorld.Written written : world.live) {
      if (written.nextOffset() <= world.durableEnd
          && written.baseOffset() >= world.forgettableEnd) {
        takeNewest(RecordBatchView.at(written.bytes(), 0), expected);
      }
    }
    expected.forEach(
        (key, entry) -> {
          assertThat(newest).containsKey(key);
          Map.Entry<Long, String> there = Objects.requireNonNull(newest.get(key));
          assertThat(there.getKey()).as("offset of " + key).isGreaterThanOrEqualTo(entry.getKey());
          if (there.getKey().equals(entry.getKey())) {
            assertThat(there.getValue()).isEqualTo(entry.getValue());
          }
        });
  }

  private static void takeNewest(RecordBatchView batch, Map<String, Map.Entry<Long, String>> into) {
    if (batch.isControl() || batch.isTransactional()) {
      return;
    }
    batch.forEachRecord(
        record ->
            into.put(
                Batches.string(Objects.requireNonNull(record.key())),
                Map.entry(
                    record.offset(), Batches.string(Objects.requireNonNull(record.value())))));
  }

  /** Indexes, producers and epochs are those of the batches. */
  private void checkDerived(PartitionLog log) {
    List<LogSegment> segments = log.segments();
    List<List<AbortedTransaction>> aborted =
        segments.stream().map(segment -> segment.transactionIndex().entries()).toList();
    ProducerStates producers = new ProducerStates();
    LeaderEpochs epochs = LeaderEpochs.unsaved();
    LogLoader.replay(SegmentList.of(segments), producers, epochs, 0, log.logEndOffset());
    producers.highWatermarkIs(log.highWatermark());
    assertThat(segments.stream().map(segment -> segment.transactionIndex().entries()).toList())
        .as("transaction indexes as of a full replay")
        .isEqualTo(aborted);
    ProducerStates kept = log.state().producers;
    long open = kept.firstUnstableOffset().orElse(Long.MAX_VALUE);
    if (open >= log.logStartOffset()) { // else its records were deleted, and are not replayed
      assertThat(producers.firstUnstableOffset().orElse(Long.MAX_VALUE))
          .as("first offset of an open transaction")
          .isEqualTo(open);
    }
    assertThat(kept.lastOffsets()).as("producers").containsAllEntriesOf(producers.lastOffsets());
    List<LeaderEpochs.Start> expected =
        epochs.starts().stream()
            .filter(start -> start.startOffset() > log.logStartOffset())
            .toList();
    if (world.policy != CrashWorld.Policy.COMPACT) { // there an epoch may have lost its batches
      assertThat(
              log.state().epochs.starts().stream()
                  .filter(start -> start.startOffset() > log.logStartOffset())
                  .toList())
          .as("leader epochs")
          .isEqualTo(expected);
    }
    List<LogRecord> records = new ArrayList<>();
    CrashWorld.batches(log).forEach(batch -> batch.forEachRecord(records::add));
    records.removeIf(record -> record.offset() < log.logStartOffset());
    for (long time = 900; time < 2100; time += 100) {
      long from = time;
      assertThat(log.offsetForTimestamp(time).map(TimestampOffset::offset))
          .as("first record not before " + time)
          .isEqualTo(
              records.stream()
                  .filter(record -> record.timestampMs() >= from)
                  .map(LogRecord::offset)
                  .findFirst());
    }
  }

  private void checkItGoesOn(PartitionLog log) {
    int epoch = log.latestEpoch().orElse(0) + 1;
    int sequence = CrashWorld.nextSequence(log, CrashWorld.PRODUCER);
    long end = log.logEndOffset();
    AppendOutcome first = log.append(idempotent(sequence), epoch, AppendOrigin.CLIENT);
    assertThat(first).isInstanceOf(AppendOutcome.Appended.class);
    AppendOutcome again = log.append(idempotent(sequence), epoch, AppendOrigin.CLIENT);
    assertThat(again).isInstanceOf(AppendOutcome.Duplicate.class);
    assertThat(((AppendOutcome.Duplicate) again).baseOffset()).isEqualTo(end);
    assertThat(log.flush()).isEqualTo(end + 1);
    log.advanceHighWatermark(end + 1);
  }

  private static ByteBuffer idempotent(int sequence) {
    return RecordBatchBuilder.data(Compression.NONE)
        .producer(CrashWorld.PRODUCER, (short) 0, sequence)
        .add(1500, Batches.text("k0"), Batches.text("again"))
        .build();
  }
}
