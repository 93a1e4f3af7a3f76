package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.segment.BatchScan;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchScanTest {
  private static final int COUNT = 5_000; // more than a window of either scan
  private static final int MAGIC_AT = 16;

  @TempDir Path folder;

  private Path file;
  private int batchBytes;
  private final List<Integer> reads = new ArrayList<>(); // bytes of each

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("00000000000000000000.log");
    ByteBuffer batch = Batches.of("a value of some length, and then some more of it");
    batchBytes = batch.remaining();
    ByteBuffer all = ByteBuffer.allocate(COUNT * batchBytes);
    for (int i = 0; i < COUNT; i++) {
      all.put(batch.duplicate());
    }
    Files.write(file, all.array());
  }

  @Test
  void everyBatchIsScannedInItsPlace() throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      for (BatchScan scan :
          new BatchScan[] {
            BatchScan.headers(channel, 0, channel.size()),
            BatchScan.whole(channel, 0, channel.size())
          }) {
        for (int i = 0; i < COUNT; i++) {
          assertThat(scan.next()).isTrue();
          assertThat(scan.position()).isEqualTo((long) i * batchBytes);
          assertThat(scan.batch().sizeInBytes()).isEqualTo(batchBytes);
        }
        assertThat(scan.next()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void batchesOfAnySizeAreScannedInTheirPlaces(long seed) throws IOException {
    Random random = new Random(seed);
    List<ByteBuffer> batches = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int bytes = random.nextInt(random.nextBoolean() ? 100 : 20_000);
      batches.add(Batches.of("x".repeat(bytes)));
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.truncate(0);
      for (ByteBuffer batch : batches) {
        channel.write(batch.duplicate(), channel.size());
      }
      for (BatchScan scan :
          List.of(
              BatchScan.headers(channel, 0, channel.size()),
              BatchScan.whole(channel, 0, channel.size()))) {
        long position = 0;
        for (ByteBuffer batch : batches) {
          assertThat(scan.next()).as("seed=%d position=%d", seed, position).isTrue();
          assertThat(scan.position()).as("seed=%d", seed).isEqualTo(position);
          assertThat(scan.batch().sizeInBytes()).isEqualTo(batch.remaining());
          assertThat(scan.batch().lastOffset()).isZero();
          position += batch.remaining();
        }
        assertThat(scan.next()).isFalse();
      }
    }
  }

  @Test
  void damageIsToldByItsPlaceInTheFile() throws IOException {
    long damaged = (COUNT - 3L) * batchBytes;
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) damaged + MAGIC_AT] = 9;
    Files.write(file, bytes);
    try (FileChannel channel = FileChannel.open(file)) {
      assertThatThrownBy(() -> drain(BatchScan.headers(channel, 0, channel.size())))
          .isInstanceOf(CorruptBatchException.class)
          .hasMessageEndingWith("at position=" + damaged);
      assertThatThrownBy(() -> drain(BatchScan.whole(channel, 0, channel.size())))
          .isInstanceOf(CorruptBatchException.class)
          .hasMessageEndingWith("at position=" + damaged);
    }
  }

  /** Scans of both depths over a region of the file. */
  private static List<BatchScan> scans(FileChannel channel, long position, long endPosition) {
    return List.of(
        BatchScan.headers(channel, position, endPosition),
        BatchScan.whole(channel, position, endPosition));
  }

  @Test
  void regionMayBeginAndEndAtAnyBatch() throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      for (BatchScan scan : scans(channel, 3L * batchBytes, 5L * batchBytes)) {
        assertThat(scan.position()).isEqualTo(3L * batchBytes);
        assertThat(scan.nextPosition()).isEqualTo(3L * batchBytes);
        assertThat(scan.next()).isTrue();
        assertThat(scan.next()).isTrue();
        assertThat(scan.nextPosition()).isEqualTo(5L * batchBytes);
        assertThat(scan.next()).isFalse();
      }
      for (BatchScan scan : scans(channel, 7, 7)) {
        assertThat(scan.next()).isFalse();
      }
    }
  }

  @Test
  void batchThatTheRegionCutsOffIsToldByItsPlace() throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      for (int left = 1; left < batchBytes; left++) {
        for (BatchScan scan : scans(channel, 0, batchBytes + left)) {
          assertThat(scan.next()).isTrue();
          assertThatThrownBy(scan::next)
              .as("left=%d", left)
              .isInstanceOf(CorruptBatchException.class)
              .hasMessageContaining("cut off after " + left + " bytes, at position=" + batchBytes);
          assertThat(scan.nextPosition()).isEqualTo(batchBytes);
        }
      }
    }
  }

  @Test
  void headerAloneIsABatch() throws IOException {
    ByteBuffer empty = Batches.of();
    Files.write(file, ByteBuffer.allocate(122).put(empty.duplicate()).put(empty).array());
    try (FileChannel channel = FileChannel.open(file)) {
      for (BatchScan scan : scans(channel, 0, 122)) {
        drain(scan);
        assertThat(scan.position()).isEqualTo(61);
        assertThat(scan.nextPosition()).isEqualTo(122);
      }
    }
  }

  @Test
  void fileShorterThanItShouldBeIsToldWithBothSizes() throws IOException {
    Files.write(file, Batches.of("a").array());
    long size = Files.size(file);
    try (FileChannel channel = FileChannel.open(file)) {
      for (BatchScan scan : scans(channel, 0, size + 100)) {
        assertThatThrownBy(() -> drain(scan))
            .isInstanceOf(EOFException.class)
            .hasMessage("file ends at " + size + ", expected " + (size + 100));
      }
    }
  }

  @Test
  void firstHeaderCostsOneSmallRead() throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      assertThat(BatchScan.headers(counting(channel), 0, channel.size()).next()).isTrue();
      assertThat(reads).containsExactly(512);
    }
  }

  @Test
  void headersOfSmallBatchesAreReadManyAtOnce() throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      drain(BatchScan.headers(counting(channel), 0, channel.size()));
      assertThat(reads.subList(1, reads.size() - 1)).containsOnly(8192);
      // At its end a window cuts off a header, which is read again, or records, which are not read.
      long atEnds = (long) reads.size() * batchBytes;
      assertThat(sum(reads)).isBetween(channel.size() - atEnds, channel.size() + atEnds);
    }
  }

  @Test
  void headersOfLargeBatchesAreReadAlone() throws IOException {
    int count = 20;
    ByteBuffer large = Batches.of("x".repeat(5000));
    ByteBuffer all = ByteBuffer.allocate(count * large.remaining());
    for (int i = 0; i < count; i++) {
      all.put(large.duplicate());
    }
    Files.write(file, all.array());
    try (FileChannel channel = FileChannel.open(file)) {
      drain(BatchScan.headers(counting(channel), 0, channel.size()));
      assertThat(reads).hasSize(count).startsWith(512);
      assertThat(reads.subList(1, count)).containsOnly(61);
    }
  }

  @Test
  void wholeBatchesAreReadInLargeWindowsAndNoByteTwiceButThoseCutOff() throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      drain(BatchScan.whole(counting(channel), 0, channel.size()));
      assertThat(reads).startsWith(256 << 10, 256 << 10).hasSize(3);
      assertThat(sum(reads)).isBetween(channel.size(), channel.size() + 2L * batchBytes);
    }
  }

  @Test
  void bytesMayComeOneByOne() throws IOException {
    ByteBuffer batch = Batches.of("a");
    BatchScan.Bytes oneByOne =
        (target, at) -> {
          target.put(batch.get((int) at));
          return 1;
        };
    for (BatchScan scan :
        List.of(
            BatchScan.headers(oneByOne, 0, batch.limit()),
            BatchScan.whole(oneByOne, 0, batch.limit()))) {
      assertThat(scan.next()).isTrue();
      assertThat(scan.nextPosition()).isEqualTo(batch.limit());
      assertThat(scan.batch().maxTimestamp()).isEqualTo(1000);
    }
  }

  private BatchScan.Bytes counting(FileChannel channel) {
    return (target, at) -> {
      int count = channel.read(target, at);
      reads.add(count);
      return count;
    };
  }

  private static long sum(List<Integer> numbers) {
    return numbers.stream().mapToLong(Integer::longValue).sum();
  }

  private static void drain(BatchScan scan) throws IOException {
    while (scan.next()) {
      assertThat(scan.batch().sizeInBytes()).isPositive();
    }
  }
}
