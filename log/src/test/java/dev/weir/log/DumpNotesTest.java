package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.dump.Finding;
import dev.weir.log.dump.Finding.Weight;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a verification lets pass, with a note or without one. */
final class DumpNotesTest {
  private static final String FIRST = "00000000000000000000";

  @TempDir(factory = MemoryDirectory.class)
  Path path;

  private Path segment(ByteBuffer... batches) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(4096);
    for (ByteBuffer batch : batches) {
      all.put(batch.duplicate());
    }
    byte[] bytes = new byte[all.flip().remaining()];
    all.get(bytes);
    return Files.write(path.resolve(FIRST + ".log"), bytes);
  }

  private static ByteBuffer batch(long baseOffset, long... timestampsMs) {
    RecordBatchBuilder builder =
        RecordBatchBuilder.data(Compression.NONE).baseOffset(baseOffset).leaderEpoch(0);
    for (long timestampMs : timestampsMs) {
      builder.add(timestampMs, null, Batches.text("v"));
    }
    return builder.build();
  }

  private Path offsetIndex(int relative, int position) throws IOException {
    ByteBuffer entry = ByteBuffer.allocate(8).putInt(relative).putInt(position);
    return Files.write(path.resolve(FIRST + ".index"), entry.array());
  }

  private Path timeIndex(long timestampMs, int relative) throws IOException {
    ByteBuffer entry = ByteBuffer.allocate(12).putLong(timestampMs).putInt(relative);
    return Files.write(path.resolve(FIRST + ".timeindex"), entry.array());
  }

  private static List<Finding> verify(Path file) {
    return new Dumped().verify(file).findings();
  }

  private static Finding only(Path file) {
    List<Finding> found = verify(file);
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  @Test
  void gapIsNotedWhereItIs() throws IOException {
    ByteBuffer first = batch(0, 10, 11);
    Finding found = only(segment(first, batch(5, 12)));
    assertThat(found.weight()).isEqualTo(Weight.NOTE);
    assertThat(found.position()).hasValue(first.limit());
    assertThat(found.text()).startsWith("offsets 2..4 are not there");
  }

  @Test
  void gapBeforeTheNextSegmentIsNotedAtTheEnd() throws IOException {
    Path file = segment(batch(0, 10));
    Files.createFile(path.resolve("00000000000000000007.log"));
    assertThat(only(file).weight()).isEqualTo(Weight.NOTE);
    assertThat(only(file).position()).hasValue(Files.size(file));
  }

  @Test
  void entryForAllBatchesOfAnAppendIsNoted() throws IOException {
    ByteBuffer first = batch(0, 10);
    segment(first, batch(1, 11), batch(2, 12, 13), batch(4, 14));
    Finding found = only(offsetIndex(3, first.limit()));
    assertThat(found.weight()).isEqualTo(Weight.NOTE);
    assertThat(found.text()).contains("which ends a batch behind the one at position");
    assertThat(only(offsetIndex(2, first.limit())).weight()).isEqualTo(Weight.PROBLEM);
    assertThat(only(offsetIndex(9, first.limit())).weight()).isEqualTo(Weight.PROBLEM);
  }

  @Test
  void timestampMayBeAtItsRecordOrAtTheEndOfItsBatch() throws IOException {
    segment(batch(0, 10, 30, 20));
    assertThat(verify(timeIndex(30, 1))).isEmpty();
    assertThat(verify(timeIndex(30, 2))).isEmpty();
    assertThat(only(timeIndex(30, 0)).weight()).isEqualTo(Weight.PROBLEM);
    assertThat(only(timeIndex(20, 2)).text()).contains("the batch there has 30");
  }

  @Test
  void timestampThatAnEarlierBatchHasTooIsNoted() throws IOException {
    segment(batch(0, 10), batch(1, 10), batch(2, 9));
    assertThat(only(timeIndex(10, 1)).weight()).isEqualTo(Weight.NOTE);
    assertThat(only(timeIndex(9, 2)).weight()).isEqualTo(Weight.PROBLEM);
  }

  @Test
  void transactionThatBeganInAnEarlierSegmentIsCheckedByTheSnapshotBetween() throws IOException {
    LogConfig config = LogConfig.of(Map.of("segment.bytes", "100"));
    LogDirectory directory = LogDirectory.open(path, () -> Instant.ofEpochMilli(5000));
    directory.load(config);
    PartitionLog log = directory.create(new TopicPartition("t", 0), new UUID(1, 1), config);
    log.append(Batches.transactional(7, 0, 0), 0, AppendOrigin.CLIENT);
    log.append(Batches.of("between"), 0, AppendOrigin.CLIENT);
    log.append(Batches.marker(7, 0, ControlType.ABORT, 1), 0, AppendOrigin.COORDINATOR);
    directory.close();
    Path index = path.resolve("t-0/00000000000000000002.txnindex");
    Path snapshot = path.resolve("t-0/00000000000000000002.snapshot");
    assertThat(verify(index)).isEmpty();

    byte[] sound = Files.readAllBytes(index);
    Files.write(index, ByteBuffer.wrap(sound.clone()).putLong(10, 1).array());
    assertThat(only(index).weight()).isEqualTo(Weight.PROBLEM);
    assertThat(only(index).text())
        .isEqualTo("entry has first offset 1 and last stable offset 3, the batches tell 0 and 3");

    Files.delete(snapshot);
    assertThat(verify(index)).hasSize(2).allMatch(found -> found.weight() == Weight.NOTE);
    assertThat(verify(index).getFirst().text()).contains(snapshot.getFileName().toString());
  }

  @Test
  void fileThatWaitsToBeDeletedIsReadAsWhatItIs() throws IOException {
    Path file = segment(batch(0, 10));
    Path marked = Files.move(file, path.resolve(FIRST + ".log.deleted"));
    assertThat(verify(marked)).isEmpty();
    assertThat(new Dumped().list(marked).batches()).hasSize(1);
  }
}
