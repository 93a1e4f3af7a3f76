package dev.weir.log;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.segment.BatchScan;
import dev.weir.log.segment.LogSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compaction of a replica's log whose offsets have gaps of up to two billion, as that of a leader
 * has that was compacted before, with room for many keys or for a few.
 */
final class CompactionGapsTest {
  private static final TopicPartition PARTITION = new TopicPartition("state", 0);
  private static final long[] GAPS = {0, 0, 0, 0, 0, 0, 1, 1000, 500_000_000, 2_000_000_000};
  private static final List<Compression> CODECS = List.of(Compression.values());
  private static final LogConfig CONFIG =
      LogConfig.of(
          Map.of(
              "cleanup.policy", "compact",
              "segment.bytes", "1500",
              "index.interval.bytes", "200",
              "min.cleanable.dirty.ratio", "0.0",
              "delete.retention.ms", "5000"));

  @TempDir(factory = MemoryDirectory.class)
  Path path;

  private final Map<String, Long> newest = new HashMap<>();
  private final Set<String> deleted = new HashSet<>();
  private long nowMs = 1_000_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 17})
  void everyRecordThatIsLeftIsFoundAndTheNewestOfEachKeyIsLeft(long seed) throws IOException {
    Random random = new Random(seed);
    int keysMax = seed % 2 == 0 ? 3 : 1000;
    int runs = 0;
    try (LogDirectory directory = LogDirectory.open(path, () -> Instant.ofEpochMilli(nowMs))) {
      directory.load(CONFIG);
      PartitionLog log = directory.create(PARTITION, new UUID(1, 1), CONFIG);
      for (int step = 0; step < 300; step++) {
        nowMs += random.nextInt(700);
        append(log, random);
        if (random.nextInt(8) == 0) {
          log.advanceHighWatermark(log.logEndOffset());
          runs += log.compact(nowMs, keysMax).isPresent() ? 1 : 0;
          check(log, "seed=" + seed + " step=" + step);
        }
      }
      assertThat(runs).isPositive();
      log.advanceHighWatermark(log.logEndOffset());
      while (log.compact(nowMs, keysMax).isPresent()) {
        check(log, "seed=" + seed + " cleanedUntil=" + log.cleanedUntil());
      }
      assertThat(log.cleanedUntil()).isEqualTo(log.segments().getLast().baseOffset());
    }
    Dumped.requireSound(path);
  }

  private void append(PartitionLog log, Random random) {
    long base = log.logEndOffset() + GAPS[random.nextInt(GAPS.length)];
    RecordBatchBuilder builder = RecordBatchBuilder.data(CODECS.get(random.nextInt(CODECS.size())));
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      String key = "k" + random.nextInt(15);
      boolean isTombstone = random.nextInt(4) == 0;
      builder.add(
          nowMs,
          Batches.text(key),
          isTombstone ? null : ByteBuffer.wrap(new byte[random.nextInt(150)]));
      newest.put(key, base + i);
      if (isTombstone) {
        deleted.add(key);
      } else {
        deleted.remove(key);
      }
    }
    ByteBuffer batch = builder.build();
    batch.putLong(0, base);
    assertThat(log.append(batch, 0, AppendOrigin.REPLICATION))
        .isInstanceOf(AppendOutcome.Appended.class);
  }

  private void check(PartitionLog log, String place) {
    Map<String, Long> last = new HashMap<>();
    Set<String> below = new HashSet<>();
    for (LogSegment segment : log.segments()) {
      BatchScan scan = segment.scanBatches(0);
      while (segment.next(scan)) {
        RecordBatchView batch = scan.batch();
        assertThat(segment.reaches(batch.lastOffset())).as("%s %s", place, batch).isTrue();
        assertThat(firstRead(log, batch.baseOffset())).as(place).isEqualTo(batch.baseOffset());
        batch.forEachRecord(
            each -> {
              String key = Batches.string(requireNonNull(each.key()));
              last.put(key, each.offset());
              if (each.offset() < log.cleanedUntil()) {
                assertThat(below.add(key)).as("%s twice key=%s", place, key).isTrue();
              }
            });
      }
    }
    newest.forEach(
        (key, offset) -> {
          if (!deleted.contains(key) || last.containsKey(key)) {
            assertThat(last).as(place).containsEntry(key, offset);
          }
        });
  }

  private static long firstRead(PartitionLog log, long offset) {
    LogSlice slice = (LogSlice) log.read(offset, 1, ReadUpTo.LOG_END);
    return slice.batches().iterator().next().baseOffset();
  }
}
