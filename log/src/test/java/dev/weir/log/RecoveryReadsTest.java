package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.fault.FaultDisk;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a start after a kill reads of a log: what was written since the last checkpoint, and the
 * headers since the last snapshot of the producers, however much lies before.
 */
final class RecoveryReadsTest {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);
  private static final int SEGMENT_BYTES = 80_000;
  private static final int SNAPSHOT_BYTES = SEGMENT_BYTES / 8;
  private static final int BATCH_BYTES = 1000;
  private static final int TAIL_BATCHES = 5;
  private static final LogConfig CONFIG =
      LogConfig.of(
          Map.of(
              "segment.bytes", "" + SEGMENT_BYTES,
              "index.interval.bytes", "1000",
              "retention.ms", "-1"));

  /** A header scan reads a window of 8 KB, also beyond the last batch that it needs. */
  private static final int WINDOW_BYTES = 8 << 10;

  private FaultDisk disk = FaultDisk.empty();
  private LogDirectory directory = open();
  private PartitionLog log = directory.create(PARTITION, new UUID(1, 1), CONFIG);
  private int sequence;

  private LogDirectory open() {
    LogDirectory opened =
        LogDirectory.openWith(
            disk.root().resolve("data"), () -> Instant.ofEpochMilli(1), new DeferredExecutor());
    opened.load(CONFIG);
    return opened;
  }

  private void append(int batches) {
    for (int i = 0; i < batches; i++) {
      ByteBuffer batch =
          RecordBatchBuilder.data(Compression.NONE)
              .producer(7, (short) 0, sequence++)
              .add(sequence, null, ByteBuffer.allocate(BATCH_BYTES - 70))
              .build();
      assertThat(log.append(batch, 0, AppendOrigin.CLIENT))
          .isInstanceOf(AppendOutcome.Appended.class);
    }
  }

  /** Batches that are flushed, with a checkpoint after every few, and some that are not. */
  private void write(int flushedBatches) {
    for (int done = 0; done < flushedBatches; done += 4) {
      append(4);
      var _ = log.flush();
      directory.writeCheckpoints();
    }
    append(TAIL_BATCHES);
  }

  private long bytesReadByAStartAfterAKill() {
    disk = disk.afterKill();
    long before = disk.bytesRead();
    directory = open();
    long read = disk.bytesRead() - before;
    log = directory.log(PARTITION).orElseThrow();
    return read;
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 76, 400, 4000})
  void aStartAfterAKillReadsTheTailAndNotTheLog(int flushedBatches) {
    write(flushedBatches);
    long sizeBytes = log.sizeBytes();
    assertThat(sizeBytes).isEqualTo(log.logEndOffset() * BATCH_BYTES);
    long tail = (TAIL_BATCHES + 4 + 1) * BATCH_BYTES; // since the checkpoint, from an index entry
    long headers = SNAPSHOT_BYTES + 2 * 4 * BATCH_BYTES + WINDOW_BYTES; // checkpoints are late
    long indexes = 2 * SEGMENT_BYTES / 1000 * 20L; // those of the last segment
    assertThat(bytesReadByAStartAfterAKill()).isLessThan(tail + headers + indexes + 2000);
    assertThat(log.logEndOffset()).isEqualTo(sizeBytes / BATCH_BYTES);
    append(1); // the producer is known with its sequence
  }

  @Test
  void withoutACheckpointAllIsRead() {
    append(60);
    assertThat(bytesReadByAStartAfterAKill()).isGreaterThan(60 * BATCH_BYTES);
  }

  @Test
  void noMoreThanThreeSnapshotsAreThereBesideThoseOfSegments() {
    for (int i = 0; i < 300; i++) {
      append(4);
      if (i % 3 > 0) {
        var _ = log.flush();
      }
      directory.writeCheckpoints();
      long between =
          log.state().snapshots.offsets().stream()
              .filter(
                  offset -> log.segments().stream().noneMatch(each -> each.baseOffset() == offset))
              .count();
      assertThat(between).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void aLogThatIsNeverFlushedGetsOneSnapshotOnly() {
    for (int i = 0; i < 15; i++) {
      append(4);
      directory.writeCheckpoints();
    }
    assertThat(log.segmentCount()).isOne();
    assertThat(log.state().snapshots.offsets()).hasSize(1);
  }
}
