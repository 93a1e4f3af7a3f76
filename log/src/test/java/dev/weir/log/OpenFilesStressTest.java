package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.segment.IndexEntry;
import dev.weir.log.segment.OpenFiles;
import dev.weir.log.segment.SparseIndex;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Look-ups and reads by several threads, with so few open files that each opens and closes some,
 * while segments come, go, are compacted and cut.
 */
final class OpenFilesStressTest {
  private static final int READERS = 3;
  private static final int OPEN_MAX = 3;
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);
  private static final long NOW_MS = 5000;

  @TempDir(factory = MemoryDirectory.class)
  Path path;

  private final OpenFiles files = new OpenFiles(OPEN_MAX);
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicLong done = new AtomicLong();

  private LogDirectory directory() {
    LogDirectory directory =
        LogDirectory.openWith(
            path, () -> Instant.ofEpochMilli(NOW_MS), Executors.newSingleThreadExecutor(), files);
    directory.load(LogConfig.DEFAULT);
    return directory;
  }

  /** Runs the writer on this thread, and readers, with a seed each, until it has ended. */
  private void beside(LongConsumer reader, Runnable writer)
      throws ExecutionException, InterruptedException {
    try (ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        long seed = i;
        running.add(
            threads.submit(
                () -> {
                  for (long n = 0; !ended.get(); n++) {
                    reader.accept(seed * 1_000_003 + n);
                    done.incrementAndGet();
                  }
                }));
      }
      try {
        writer.run();
      } finally {
        ended.set(true);
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
    assertThat(done.get()).isPositive();
  }

  private static void append(PartitionLog log, String key, String value) {
    assertThat(
            log.append(
                RecordBatchBuilder.data(Compression.NONE)
                    .add(1000, Batches.text(key), Batches.text(value))
                    .build(),
                0,
                AppendOrigin.CLIENT))
        .isInstanceOf(AppendOutcome.Appended.class);
  }

  /** The batches from one offset on, all sound, the first with it or behind it. */
  private static void readAt(PartitionLog log, long offset, String prefix) {
    if (!(log.read(offset, 300, ReadUpTo.LOG_END) instanceof LogSlice slice)) {
      return; // deleted meanwhile
    }
    long least = offset;
    for (RecordBatchView batch : slice.batches()) {
      assertThat(batch.checksumMatches()).as("%s of %s", batch, slice).isTrue();
      assertThat(batch.lastOffset()).as("%s of %s", batch, slice).isGreaterThanOrEqualTo(least);
      least = batch.nextOffset();
      batch.forEachRecord(
          record ->
              assertThat(Batches.string(Objects.requireNonNull(record.value())))
                  .isEqualTo(prefix + record.offset()));
    }
  }

  /** Retention and compaction take files away under readers, who have the old bytes or the new. */
  @Test
  void readersHaveSoundBytesWhileSegmentsAreDeletedAndCompacted() throws Exception {
    LogDirectory directory = directory();
    PartitionLog log =
        directory.create(
            PARTITION,
            new UUID(1, 1),
            LogConfig.of(
                Map.of(
                    "segment.bytes", "1500",
                    "index.interval.bytes", "100",
                    "retention.bytes", "60000",
                    "cleanup.policy", "compact,delete",
                    "min.cleanable.dirty.ratio", "0.01")));
    append(log, "k", "v0");
    beside(
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          long start = log.logStartOffset();
          readAt(log, start + random.nextLong(log.logEndOffset() - start), "v");
        },
        () -> {
          for (int i = 1; i < 4_000; i++) {
            append(log, "k" + i % 400, "v" + i);
            if (i % 200 == 0) {
              log.advanceHighWatermark(log.flush());
              log.deleteOldSegments(NOW_MS + i);
              log.compact(NOW_MS + i);
            }
          }
        });
    log.deleteOldSegments(NOW_MS + 4_000 + log.config().fileDeleteDelayMs());
    files.closeUnused();
    assertThat(files.count()).isZero();
    directory.close();
  }

  /** Of a log that is cut and goes on otherwise, nothing of before is found afterwards. */
  @Test
  void afterATruncationLookUpsFindWhatWasAppendedSince() throws Exception {
    LogDirectory directory = directory();
    PartitionLog log =
        directory.create(
            PARTITION,
            new UUID(1, 1),
            LogConfig.of(Map.of("segment.bytes", "1500", "index.interval.bytes", "100")));
    append(log, "k", "v0");
    Random random = new Random(5);
    beside(
        seed -> {
          long offset = new SplittableRandom(seed).nextLong(400);
          try {
            if (log.read(offset, 300, ReadUpTo.LOG_END) instanceof LogSlice slice) {
              slice.toBuffer();
            }
          } catch (LogException e) {
            assertThat(e).as("cut meanwhile").isNotInstanceOf(LogOfflineException.class);
          }
        },
        () -> {
          for (int round = 0; round < 15; round++) {
            log.truncateTo(random.nextLong(log.logEndOffset() + 1));
            while (log.logEndOffset() < 250 + random.nextInt(150)) {
              // Batches of other sizes than before, so that nothing is where it was.
              String filling = "x".repeat(random.nextInt(40));
              append(log, "k" + filling, "v" + log.logEndOffset());
            }
            for (long offset = 0; offset < log.logEndOffset(); offset++) {
              LogSlice slice = (LogSlice) log.read(offset, 1, ReadUpTo.LOG_END);
              assertThat(slice.batches().iterator().next().baseOffset())
                  .as("round %d, offset %d", round, offset)
                  .isEqualTo(offset);
            }
          }
        });
    directory.close();
  }

  /** An index whose file is written, sealed, opened and cut: no page of before a cut is served. */
  @Test
  void noLookUpFindsAnEntryThatWasCutOff() throws Exception {
    SparseIndex index =
        SparseIndex.create(files, path.resolve("x.index"), SparseIndex.Layout.OFFSET);
    SparseIndex other =
        SparseIndex.create(files, path.resolve("y.index"), SparseIndex.Layout.OFFSET);
    for (int i = 0; i < 4000; i++) {
      other.append(i, i);
    }
    other.seal();
    Random random = new Random(6);
    beside(
        seed -> {
          SplittableRandom any = new SplittableRandom(seed);
          int key = any.nextInt(4000);
          assertThat(other.floorByKey(key)).hasValue(new IndexEntry(key, key));
          Optional<IndexEntry> found = index.floorByKey(any.nextInt(12_000));
          assertThat(found.map(IndexEntry::key).orElse(0L)).isLessThan(12_000);
          if (any.nextInt(50) == 0) {
            files.closeUnused();
          }
        },
        () -> {
          int entries = 0;
          int[] valueOf = new int[6000];
          for (int round = 0; round < 60; round++) {
            int kept = entries == 0 ? 0 : random.nextInt(entries);
            index.truncateToKey(2L * kept);
            entries = kept;
            int step = 1 + random.nextInt(5); // other values than before
            int until = Math.min(6000, entries + random.nextInt(5000));
            while (entries < until) {
              valueOf[entries] = (entries == 0 ? 0 : valueOf[entries - 1]) + step;
              index.append(2L * entries, valueOf[entries]);
              entries++;
            }
            if (random.nextBoolean()) {
              index.seal();
            }
            for (int i = 0; i < entries; i += 1 + random.nextInt(40)) {
              IndexEntry expected = new IndexEntry(2L * i, valueOf[i]);
              assertThat(index.floorByKey(2L * i + 1)).as("round %d", round).hasValue(expected);
              assertThat(index.floorByValue(valueOf[i])).as("round %d", round).hasValue(expected);
            }
          }
        });
  }

  /** A reader who comes too late finds a closed channel, and no other file's bytes. */
  @Test
  void whatIsReadAfterItsTimeIsClosed() throws Exception {
    LogDirectory directory = directory();
    PartitionLog log =
        directory.create(
            PARTITION,
            new UUID(1, 1),
            LogConfig.of(
                Map.of(
                    "segment.bytes", "300",
                    "index.interval.bytes", "100",
                    "retention.bytes", "2000",
                    "file.delete.delay.ms", "0")));
    append(log, "k", "v0");
    LogSlice late = (LogSlice) log.read(0, 100, ReadUpTo.LOG_END);
    AtomicLong closed = new AtomicLong();
    beside(
        seed -> {
          long start = log.logStartOffset();
          try {
            readAt(log, start, "v");
          } catch (LogException e) {
            assertThat(e).hasRootCauseInstanceOf(ClosedChannelException.class);
            closed.incrementAndGet();
          }
        },
        () -> {
          for (int i = 1; i < 2500; i++) {
            append(log, "k", "v" + i);
            if (i % 10 == 0) {
              log.advanceHighWatermark(log.flush());
              log.deleteOldSegments(NOW_MS);
            }
          }
        });
    assertThat(closed.get()).isLessThan(done.get());
    assertThatThrownBy(late::toBuffer).hasRootCauseInstanceOf(ClosedChannelException.class);
    directory.close();
  }
}
