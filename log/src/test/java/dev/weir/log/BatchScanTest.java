package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.segment.BatchScan;
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
  private static final int COUNT = 2_000; // more than a window of either scan
  private static final int MAGIC_AT = 16;

  @TempDir Path folder;

  private Path file;
  private int batchBytes;

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

  private static void drain(BatchScan scan) throws IOException {
    while (scan.next()) {
      assertThat(scan.batch().sizeInBytes()).isPositive();
    }
  }
}
