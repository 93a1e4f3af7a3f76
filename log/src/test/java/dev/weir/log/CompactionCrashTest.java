package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.compaction.Compaction;
import dev.weir.log.compaction.CompactionProgress;
import dev.weir.log.compaction.DirtyRange;
import dev.weir.log.compaction.SegmentSwap;
import dev.weir.log.segment.SegmentList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kill between any two steps of the swap: the newest value of each key is always there. */
final class CompactionCrashTest {
  private static final TopicPartition PARTITION = new TopicPartition("state", 0);
  private static final LogConfig CONFIG =
      LogConfig.of(
          Map.of(
              "cleanup.policy", "compact",
              "segment.bytes", "1000",
              "index.interval.bytes", "100"));

  @TempDir(factory = MemoryDirectory.class)
  Path path;

  private LogDirectory directory;
  private PartitionLog log;
  private Map<String, Long> newest;
  private long bytesBefore;

  @BeforeEach
  void writeManyVersions() {
    open();
    for (int i = 0; i < 100; i++) {
      log.append(
          RecordBatchBuilder.data(Compression.NONE)
              .add(1000, Batches.text("k" + i % 5), Batches.text("value " + i))
              .build(),
          0,
          AppendOrigin.CLIENT);
    }
    log.advanceHighWatermark(100);
    newest = newestByKey();
    bytesBefore = log.sizeBytes();
  }

  private void open() {
    directory = LogDirectory.open(path, () -> Instant.ofEpochMilli(5000));
    directory.load(CONFIG);
    log =
        directory
            .log(PARTITION)
            .orElseGet(() -> directory.create(PARTITION, new UUID(1, 1), CONFIG));
    log.updateConfig(CONFIG);
  }

  private Map<String, Long> newestByKey() {
    Map<String, Long> offsets = new TreeMap<>();
    long offset = 0;
    while (offset < log.logEndOffset()) {
      for (var record : Batches.read(log, offset, ReadUpTo.LOG_END)) {
        var key = java.util.Objects.requireNonNull(record.key());
        offsets.put(
            java.nio.charset.StandardCharsets.UTF_8.decode(key).toString(), record.offset());
        offset = record.offset() + 1;
      }
    }
    return offsets;
  }

  private Compaction.Result compactUpToThePreparedFiles() {
    log.flush(); // as upkeep does before it puts compacted segments in place
    directory.writeCheckpoints();
    long end = log.segments().getLast().baseOffset();
    DirtyRange range = new DirtyRange(0, end, 0, 1);
    Compaction.Result result =
        new Compaction(
                CONFIG, Map.of(), 5000, Compaction.KEYS_MAX, new CompactionProgress(5000, range))
            .run(SegmentList.of(log.segments()), range);
    assertThat(result.bytes().after()).isLessThan(result.bytes().before());
    return result;
  }

  private void killAndCheck() throws IOException {
    directory.abandon();
    open();
    assertThat(newestByKey()).isEqualTo(newest);
    try (Stream<Path> files = Files.list(log.directory())) {
      assertThat(files.map(Path::toString))
          .noneMatch(name -> name.endsWith(".swap") || name.endsWith(".cleaned"));
    }
    assertThat(log.append(Batches.of("x"), 0, AppendOrigin.CLIENT))
        .isInstanceOf(AppendOutcome.Refused.class);
    directory.close();
  }

  @Test
  void killBeforeTheSwapCounts() throws IOException {
    compactUpToThePreparedFiles();
    killAndCheck();
    assertThat(log.sizeBytes()).isEqualTo(bytesBefore);
  }

  @Test
  void killOnceTheSwapCounts() throws IOException {
    SegmentSwap.prepare(log.directory(), compactUpToThePreparedFiles().replacements());
    killAndCheck();
    assertThat(log.sizeBytes()).isLessThan(bytesBefore / 2);
  }

  @Test
  void killAmidTheRenames() throws IOException {
    List<Compaction.Replacement> replacements = compactUpToThePreparedFiles().replacements();
    SegmentSwap.prepare(log.directory(), replacements);
    Path swap = log.directory().resolve("00000000000000000000.index.swap");
    Files.move(
        swap,
        log.directory().resolve("00000000000000000000.index"),
        StandardCopyOption.REPLACE_EXISTING);
    killAndCheck();
    assertThat(log.sizeBytes()).isLessThan(bytesBefore / 2);
  }

  @Test
  void readInFlightKeepsTheOldBytes() {
    LogSlice slice = (LogSlice) log.read(0, 500, ReadUpTo.LOG_END);
    var before = slice.toBuffer();
    assertThat(log.compact(5000)).isPresent();
    assertThat(slice.toBuffer()).isEqualTo(before);
    assertThat(newestByKey()).isEqualTo(newest);
    directory.close();
  }
}
