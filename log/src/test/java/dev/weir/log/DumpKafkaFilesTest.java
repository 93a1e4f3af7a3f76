package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.dump.DumpItem;
import dev.weir.log.dump.DumpItem.ControlRecord;
import dev.weir.log.dump.DumpItem.DataRecord;
import dev.weir.log.dump.DumpItem.OffsetEntry;
import dev.weir.log.dump.DumpItem.Room;
import dev.weir.log.dump.DumpItem.TimeEntry;
import dev.weir.log.dump.FileKind;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.message.SnapshotFooterRecord;
import org.apache.kafka.common.message.SnapshotHeaderRecord;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of files that Apache Kafka's own code wrote. */
final class DumpKafkaFilesTest {
  private static final String SEGMENT = "00000000000000000004";

  @TempDir(factory = MemoryDirectory.class)
  Path path;

  private static Path given(String name) {
    URL found =
        Objects.requireNonNull(DumpKafkaFilesTest.class.getResource("/kafka-4.4.0/" + name));
    try {
      return Path.of(found.toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void allOfThemAreSound() throws IOException {
    try (var files = Files.walk(given(""))) {
      List<Path> known = files.filter(file -> FileKind.of(file).isPresent()).toList();
      assertThat(known).hasSize(12);
      for (Path file : known) {
        assertThat(new Dumped().verify(file).findings()).as(file.toString()).isEmpty();
      }
    }
  }

  @Test
  void batchesHaveTheirOffsetsCodecsAndProducers() {
    List<DumpItem.Batch> batches =
        new Dumped().list(given("orders-0/" + SEGMENT + ".log")).batches();
    assertThat(batches)
        .extracting(
            batch ->
                batch.baseOffset()
                    + ".."
                    + batch.lastOffset()
                    + " "
                    + batch.leaderEpoch()
                    + " "
                    + batch.codec()
                    + " "
                    + batch.producerId()
                    + " "
                    + batch.attributes())
        .containsExactly(
            "4..6 1 none -1 []",
            "7..8 1 gzip 40 []",
            "9..10 1 none 41 [transactional]",
            "11..11 1 lz4 42 [transactional]",
            "12..12 2 none 41 [transactional, control]",
            "13..13 2 none 42 [transactional, control]",
            "14..15 2 snappy -1 []",
            "16..16 5 zstd -1 []",
            "17..17 5 none 41 [transactional]");
    assertThat(batches.getFirst().maxTimestampMs()).isEqualTo(1002);
    assertThat(batches.getLast().baseSequence()).isEqualTo(2);
  }

  @Test
  void recordsOfAllCodecsAreDecodedAndMarkersNamed() {
    StringBuilder seen = new StringBuilder();
    // The bytes of a record are valid only while it is handed over, so they are read then.
    new Dumped() {
      @Override
      public void item(DumpItem item) {
        switch (item) {
          case DataRecord(var content) ->
              seen.append(content.offset())
                  .append(text(content.key()))
                  .append(text(content.value()))
                  .append('\n');
          case ControlRecord(var content, var type, OptionalInt epoch) ->
              seen.append(content.offset()).append(type).append(epoch).append('\n');
          default -> {}
        }
      }
    }.listDeep(given("orders-0/" + SEGMENT + ".log"));
    assertThat(seen)
        .hasToString(
            """
            4 a one
            5 b two
            6 c null
            7 d three
            8 null four
            9 e aborted
            10 f aborted too
            11 g committed
            12Optional[ABORT]OptionalInt[9]
            13Optional[COMMIT]OptionalInt[9]
            14 h five
            15 i six
            16 j seven
            17 k open
            """);
  }

  private static String text(@Nullable ByteBuffer bytes) {
    return " " + (bytes == null ? "null" : Batches.string(bytes));
  }

  @Test
  void indexesAreShownWithAbsoluteOffsets() {
    List<DumpItem> offsets = new Dumped().list(given("orders-0/" + SEGMENT + ".index")).items();
    List<DumpItem> times = new Dumped().list(given("orders-0/" + SEGMENT + ".timeindex")).items();
    assertThat(offsets).hasSize(4).first().isEqualTo(new OffsetEntry(0, 10, 196));
    assertThat(times).hasSize(4).last().isEqualTo(new TimeEntry(36, 2000, 17));
  }

  @Test
  void roomOfAnIndexThatIsWrittenIsNoEntry() {
    List<DumpItem> offsets = new Dumped().list(given("live/" + SEGMENT + ".index")).items();
    assertThat(offsets).hasSize(5).last().isEqualTo(new Room(32, 1168));
  }

  @Test
  void producersTransactionsEpochsAndIdsAreThoseOfKafka() {
    assertThat(new Dumped().list(given("orders-0/" + SEGMENT + ".txnindex")).items())
        .containsExactly(new DumpItem.Aborted(0, 41, 9, 12, 11));
    assertThat(new Dumped().list(given("orders-0/00000000000000000018.snapshot")).items())
        .hasSize(3)
        .contains(
            new DumpItem.Producer(
                41, (short) 0, OptionalInt.of(2), 17, 0, 2000, 9, OptionalLong.of(17)));
    assertThat(new Dumped().list(given("orders-0/leader-epoch-checkpoint")).items())
        .extracting(item -> ((DumpItem.EpochStart) item).start().toString())
        .containsExactly(
            "Start[epoch=1, startOffset=4]",
            "Start[epoch=2, startOffset=12]",
            "Start[epoch=5, startOffset=16]");
    assertThat(new Dumped().list(given("orders-0/partition.metadata")).items())
        .containsExactly(new DumpItem.TopicId(new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L)));
    assertThat(new Dumped().list(given("replication-offset-checkpoint")).items())
        .containsExactly(new DumpItem.PartitionOffset(new TopicPartition("orders", 0), 18));
  }

  @Test
  void metadataLogAndItsSnapshotsHaveControlRecords() throws IOException {
    ByteBuffer room = ByteBuffer.allocate(4096);
    MemoryRecords change =
        MemoryRecords.withLeaderChangeMessage(0, 7, 1, room, new LeaderChangeMessage());
    Path log = path.resolve("00000000000000000000.log");
    Files.write(log, bytes(change.buffer()));
    assertThat(types(log)).containsExactly("LEADER_CHANGE");
    assertThat(new Dumped().verify(log).findings()).isEmpty();

    ByteBuffer both = ByteBuffer.allocate(4096);
    both.put(
        MemoryRecords.withSnapshotHeaderRecord(
                0, 7, 1, ByteBuffer.allocate(512), new SnapshotHeaderRecord())
            .buffer());
    both.put(
        MemoryRecords.withSnapshotFooterRecord(
                1, 7, 1, ByteBuffer.allocate(512), new SnapshotFooterRecord())
            .buffer());
    Path snapshot = path.resolve("00000000000000000005-0000000001.checkpoint");
    Files.write(snapshot, bytes(both.flip()));
    assertThat(types(snapshot)).containsExactly("SNAPSHOT_HEADER", "SNAPSHOT_FOOTER");
    assertThat(new Dumped().verify(snapshot).findings()).isEmpty();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static List<String> types(Path file) {
    return new Dumped()
        .listDeep(file).items().stream()
            .filter(ControlRecord.class::isInstance)
            .map(item -> ((ControlRecord) item).type().orElseThrow())
            .toList();
  }
}
