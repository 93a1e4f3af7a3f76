package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.segment.BatchScan;
import dev.weir.log.segment.IndexEntry;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.OpenFiles;
import dev.weir.log.segment.SparseIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Index files byte by byte, and look-ups against a sorted map. */
final class SparseIndexFilesTest {
  @TempDir(factory = MemoryDirectory.class)
  Path path;

  /**
   * Kafka's rule: an entry before a batch once more than the interval was written since the last.
   */
  @Test
  void offsetIndexHasTheLastOffsetOfABatchAndItsPosition() throws IOException {
    LogConfig config = LogConfig.of(Map.of("index.interval.bytes", "300"));
    LogDirectory directory = LogDirectory.open(path, () -> Instant.ofEpochMilli(5000));
    directory.load(config);
    PartitionLog log = directory.create(new TopicPartition("t", 0), new UUID(1, 1), config);
    for (int i = 0; i < 50; i++) {
      log.append(Batches.of("a", "b".repeat(i)), 0, AppendOrigin.CLIENT);
    }
    List<Integer> expected = new ArrayList<>();
    LogSegment segment = log.segments().getFirst();
    BatchScan scan = segment.scanHeaders(0);
    int since = 0;
    while (segment.next(scan)) {
      RecordBatchView batch = scan.batch();
      if (since > 300) {
        expected.add((int) batch.lastOffset());
        expected.add((int) scan.position());
        since = 0;
      }
      since += batch.sizeInBytes();
    }
    directory.close();
    ByteBuffer index =
        ByteBuffer.wrap(Files.readAllBytes(path.resolve("t-0/00000000000000000000.index")));
    List<Integer> actual = new ArrayList<>();
    while (index.hasRemaining()) {
      actual.add(index.getInt());
    }
    assertThat(actual).hasSizeGreaterThan(10).isEqualTo(expected);
  }

  @Test
  void lookUpsAgreeWithASortedMapWhileTheIndexGrowsAndIsCut() {
    Random random = new Random(11);
    SparseIndex index =
        SparseIndex.create(new OpenFiles(), path.resolve("x.timeindex"), SparseIndex.Layout.TIME);
    NavigableMap<Long, Integer> model = new TreeMap<>();
    long key = 0;
    int value = 0;
    for (int i = 0; i < 6000; i++) {
      key += 1 + random.nextInt(5);
      value += random.nextInt(4);
      index.append(key, value);
      model.put(key, value);
      switch (random.nextInt(900)) {
        case 0 -> {
          index.seal();
          agree(index, model, random);
          index.open();
        }
        case 1 -> {
          long cut = random.nextLong(key);
          index.truncateToKey(cut);
          model.tailMap(cut, true).clear();
          key = model.isEmpty() ? 0 : model.lastKey();
          value = model.isEmpty() ? 0 : model.get(key);
        }
        case 2 -> index.writeOut();
        default -> {}
      }
      if (i % 50 == 0) {
        agree(index, model, random);
      }
    }
    index.seal();
    index.check(Long.MAX_VALUE);
    agree(index, model, random);
  }

  private static void agree(SparseIndex index, NavigableMap<Long, Integer> model, Random random) {
    assertThat(index.entries()).isEqualTo(model.size());
    for (int i = 0; i < 10 && !model.isEmpty(); i++) {
      long key = random.nextLong(model.lastKey() + 3);
      Map.Entry<Long, Integer> floor = model.floorEntry(key);
      assertThat(index.floorByKey(key).map(IndexEntry::key).orElse(-1L))
          .isEqualTo(floor == null ? -1L : floor.getKey());
      int value = random.nextInt(model.lastEntry().getValue() + 3);
      long byValue =
          model.entrySet().stream()
              .filter(entry -> entry.getValue() <= value)
              .mapToLong(Map.Entry::getKey)
              .max()
              .orElse(-1);
      assertThat(index.floorByValue(value).map(IndexEntry::key).orElse(-1L)).isEqualTo(byValue);
    }
    assertThat(index.last().map(IndexEntry::key).orElse(-1L))
        .isEqualTo(model.isEmpty() ? -1L : model.lastKey());
  }

  @Test
  void entryThatGoesBackIsNamedWithFileAndPosition() throws IOException {
    Path file = path.resolve("y.index");
    Files.write(file, ByteBuffer.allocate(16).putInt(42).putInt(7).putInt(17).putInt(9).array());
    assertThatThrownBy(
            () -> SparseIndex.sealed(new OpenFiles(), file, SparseIndex.Layout.OFFSET).check(100))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("key=17")
        .hasMessageContaining("at position=8 of file=" + file);
  }
}
