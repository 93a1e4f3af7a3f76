package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.segment.LogSegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random writes, tombstones, transactions, compactions and restarts. Whatever was compacted, a
 * reader that starts anywhere and reads committed records ends with the newest value of each key
 * that was written from there on.
 */
final class CompactionModelTest {
  private static final TopicPartition PARTITION = new TopicPartition("state", 3);
  private static final int OPERATIONS = 300;
  private static final int KEYS = 12;

  @TempDir(factory = MemoryDirectory.class)
  Path path;

  private record Newest(long offset, @Nullable String value) {}

  private final Map<String, Newest> newestByKey = new HashMap<>();
  private long nowMs = 1_000_000;
  private int sequence;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 3);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void readersEndWithTheNewestValueOfEachKey(long seed) {
    Random random = new Random(seed);
    LogConfig config =
        LogConfig.of(
            Map.of(
                "cleanup.policy", "compact",
                "segment.bytes", "1500",
                "index.interval.bytes", "200",
                "min.cleanable.dirty.ratio", "0.01",
                "delete.retention.ms", "5000"));
    LogDirectory directory = open(config);
    PartitionLog log = directory.create(PARTITION, new UUID(1, 2), config);
    int compactions = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      nowMs += random.nextInt(400);
      switch (random.nextInt(24)) {
        case 0, 1 -> {
          Optional<CompactionReport> report = log.compact(nowMs);
          compactions += report.isPresent() ? 1 : 0;
          if (report.isPresent()) {
            assertOneRecordAKey(log);
          }
        }
        case 2 -> {
          directory.close();
          Dumped.requireSound(path);
          directory = open(config);
        }
        case 3 -> {
          directory.writeCheckpoints();
          directory.abandon();
          directory = open(config);
        }
        case 4, 5 -> transaction(log, random);
        default -> write(log, random);
      }
      log = log(directory);
      log.updateConfig(config);
      log.advanceHighWatermark(log.logEndOffset());
      checkReaders(log, random.nextLong(log.logEndOffset() + 1));
      checkReaders(log, 0);
    }
    assertThat(compactions).isGreaterThan(3);
    directory.close();
    Dumped.requireSound(path);
  }

  private LogDirectory open(LogConfig config) {
    LogDirectory directory = LogDirectory.open(path, () -> Instant.ofEpochMilli(nowMs));
    directory.load(config);
    return directory;
  }

  private static PartitionLog log(LogDirectory directory) {
    return directory.log(PARTITION).orElseThrow();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private void write(PartitionLog log, Random random) {
    Compression[] codecs = Compression.values();
    RecordBatchBuilder builder = RecordBatchBuilder.data(codecs[random.nextInt(codecs.length)]);
    int count = 1 + random.nextInt(4);
    if (random.nextBoolean()) {
      builder.producer(7, (short) 0, sequence);
      sequence += count;
    }
    Map<String, Newest> written = fill(builder, random, count, log.logEndOffset());
    assertThat(log.append(builder.build(), 0, AppendOrigin.CLIENT))
        .isInstanceOf(AppendOutcome.Appended.class);
    newestByKey.putAll(written);
  }

  private Map<String, Newest> fill(
      RecordBatchBuilder builder, Random random, int count, long base) {
    Map<String, Newest> written = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String key = "k" + random.nextInt(KEYS);
      String value =
          random.nextInt(4) == 0 ? null : "v" + random.nextInt() + "y".repeat(random.nextInt(90));
      builder.add(nowMs, bytes(key), value == null ? null : bytes(value));
      written.put(key, new Newest(base + i, value));
    }
    return written;
  }

  /** Records of one transaction, then its end, with others' records between them. */
  private void transaction(PartitionLog log, Random random) {
    long producer = 100L + random.nextInt(1_000_000);
    RecordBatchBuilder builder =
        RecordBatchBuilder.data(Compression.NONE).producer(producer, (short) 0, 0).transactional();
    Map<String, Newest> written = fill(builder, random, 1 + random.nextInt(3), log.logEndOffset());
    assertThat(log.append(builder.build(), 0, AppendOrigin.CLIENT))
        .isInstanceOf(AppendOutcome.Appended.class);
    int between = random.nextInt(6);
    Map<String, Newest> others = new HashMap<>();
    for (int i = 0; i < between; i++) {
      RecordBatchBuilder other = RecordBatchBuilder.data(Compression.LZ4);
      others.putAll(fill(other, random, 2, log.logEndOffset()));
      log.append(other.build(), 0, AppendOrigin.CLIENT);
    }
    log.advanceHighWatermark(log.logEndOffset());
    if (random.nextBoolean()) {
      log.compact(nowMs);
    }
    boolean commit = random.nextBoolean();
    ByteBuffer marker =
        RecordBatchBuilder.control()
            .producer(producer, (short) 0, RecordBatchView.NO_SEQUENCE)
            .transactional()
            .addControl(
                nowMs,
                commit ? ControlType.COMMIT : ControlType.ABORT,
                ByteBuffer.allocate(6).putShort((short) 0).putInt(0).flip())
            .build();
    assertThat(log.append(marker, 0, AppendOrigin.COORDINATOR))
        .isInstanceOf(AppendOutcome.Appended.class);
    if (commit) {
      newestByKey.putAll(written);
    }
    newestByKey.putAll(others);
  }

  private void checkReaders(PartitionLog log, long from) {
    Map<String, Newest> seen = new HashMap<>();
    long offset = from;
    long last = -1;
    Map<Long, List<Long>> abortedFirst = new HashMap<>();
    for (AbortedRange aborted : log.abortedTransactions(from, log.logEndOffset())) {
      abortedFirst
          .computeIfAbsent(aborted.producerId(), _ -> new ArrayList<>())
          .add(aborted.firstOffset());
    }
    Set<Long> aborting = new HashSet<>();
    while (offset < log.lastStableOffset()) {
      LogSlice slice = (LogSlice) log.read(offset, 3000, ReadUpTo.LAST_STABLE);
      assertThat(slice.sizeBytes()).as("records below the last stable offset").isPositive();
      for (RecordBatchView batch : slice.batches()) {
        assertThat(batch.checksumMatches()).isTrue();
        assertThat(batch.baseOffset()).isGreaterThan(last);
        last = batch.lastOffset();
        offset = batch.nextOffset();
        long producer = batch.producerId();
        if (abortedFirst.getOrDefault(producer, List.of()).stream()
            .anyMatch(first -> first <= batch.lastOffset())) {
          aborting.add(producer);
          abortedFirst.remove(producer);
        }
        if (batch.isControl()) {
          aborting.remove(producer);
        } else if (!batch.isTransactional() || !aborting.contains(producer)) {
          note(batch, from, seen);
        }
      }
    }
    newestByKey.forEach(
        (key, newest) -> {
          Newest read = seen.get(key);
          if (newest.offset() >= from && newest.value() != null) {
            assertThat(read).as("key " + key + " from " + from).isEqualTo(newest);
          } else if (newest.offset() >= from && read != null) {
            // A tombstone may have gone, with all that was before it.
            assertThat(read).as("key " + key + " from " + from).isEqualTo(newest);
          }
        });
    seen.keySet().forEach(key -> assertThat(newestByKey).containsKey(key));
  }

  private static void note(RecordBatchView batch, long from, Map<String, Newest> seen) {
    batch.forEachRecord(
        record -> {
          ByteBuffer key = java.util.Objects.requireNonNull(record.key());
          ByteBuffer value = record.value();
          if (record.offset() >= from) {
            seen.put(
                StandardCharsets.UTF_8.decode(key).toString(),
                new Newest(
                    record.offset(),
                    value == null ? null : StandardCharsets.UTF_8.decode(value).toString()));
          }
        });
  }

  private static void assertOneRecordAKey(PartitionLog log) {
    Map<String, Newest> seen = new HashMap<>();
    int records = 0;
    for (LogSegment segment : log.segments()) {
      var scan = segment.scanBatches(0);
      while (segment.next(scan)) {
        if (scan.batch().lastOffset() < log.cleanedUntil() && !scan.batch().isControl()) {
          records += scan.batch().recordCount();
          note(scan.batch(), 0, seen);
        }
      }
    }
    assertThat(records).as("records below cleanedUntil").isEqualTo(seen.size());
  }
}
