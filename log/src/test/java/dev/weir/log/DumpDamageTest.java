package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.dump.FileKind;
import dev.weir.log.dump.Finding;
import dev.weir.log.dump.Finding.Weight;
import dev.weir.log.segment.SparseIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a verification makes of each kind of damage to files that were sound. */
final class DumpDamageTest {
  private static final String SEGMENT = "00000000000000000000";
  private static final long ABORTER = 7;
  private static final long COMMITTER = 8;

  @TempDir(factory = MemoryDirectory.class)
  Path path;

  private Path partition;

  /** A partition with every kind of file; nine batches of two leaders, an entry for each batch. */
  @BeforeEach
  void write() {
    LogConfig config = LogConfig.of(Map.of("index.interval.bytes", "0"));
    LogDirectory directory = LogDirectory.open(path, () -> Instant.ofEpochMilli(5000));
    directory.load(config);
    PartitionLog log = directory.create(new TopicPartition("t", 0), new UUID(1, 1), config);
    log.startEpoch(0);
    append(log, data(Compression.NONE, 1000, "a", "b", "c"), 0);
    append(log, data(Compression.GZIP, 2000, "d".repeat(50), "e"), 0);
    append(log, transactional(ABORTER, 3000), 0);
    append(log, transactional(COMMITTER, 4000), 0);
    log.startEpoch(3);
    append(log, Batches.marker(ABORTER, 0, ControlType.ABORT, 2), 3);
    append(log, Batches.marker(COMMITTER, 0, ControlType.COMMIT, 2), 3);
    append(log, transactional(ABORTER, 4500, 1), 3);
    append(log, Batches.marker(ABORTER, 0, ControlType.ABORT, 2), 3);
    append(log, data(Compression.ZSTD, 6000, "f", "g"), 3);
    log.advanceHighWatermark(log.logEndOffset());
    directory.close();
    partition = path.resolve("t-0");
  }

  private static void append(PartitionLog log, ByteBuffer batch, int epoch) {
    AppendOrigin origin =
        (batch.get(22) & 0x20) != 0 ? AppendOrigin.COORDINATOR : AppendOrigin.CLIENT;
    assertThat(log.append(batch, epoch, origin)).isInstanceOf(AppendOutcome.Appended.class);
  }

  private static ByteBuffer data(Compression codec, long timestampMs, String... values) {
    RecordBatchBuilder builder = RecordBatchBuilder.data(codec);
    long next = timestampMs;
    for (String value : values) {
      builder.add(next++, Batches.text("k" + value), Batches.text(value));
    }
    return builder.build();
  }

  private static ByteBuffer transactional(long producer, long timestampMs) {
    return transactional(producer, timestampMs, 0);
  }

  private static ByteBuffer transactional(long producer, long timestampMs, int sequence) {
    return RecordBatchBuilder.data(Compression.NONE)
        .producer(producer, (short) 0, sequence)
        .transactional()
        .add(timestampMs, null, Batches.text("x"))
        .build();
  }

  private Path file(String suffix) {
    return partition.resolve(SEGMENT + suffix);
  }

  private static List<Finding> verify(Path file) {
    return new Dumped().verify(file).findings();
  }

  @Test
  void whatTheLogWroteIsSound() throws IOException {
    try (var files = Files.walk(path)) {
      List<Path> known = files.filter(file -> FileKind.of(file).isPresent()).toList();
      assertThat(known).hasSizeGreaterThanOrEqualTo(10);
      for (Path file : known) {
        assertThat(verify(file)).as(file.toString()).isEmpty();
      }
    }
  }

  /**
   * Every bit of a segment has a meaning that something vouches for: the checksum, the order of the
   * batches, the checkpoint of leader epochs. One is only noted: base offset of the last batch,
   * which lies outside the checksum, and may be larger where compaction has left a gap.
   */
  @Test
  void everyFlippedBitOfASegmentIsReportedAtItsBatchOrTheNext() throws IOException {
    List<Long> starts = new ArrayList<>();
    new Dumped().list(file(".log")).batches().forEach(batch -> starts.add(batch.position()));
    byte[] sound = Files.readAllBytes(file(".log"));
    assertThat(starts).hasSize(9);
    starts.add((long) sound.length);
    Set<Long> onlyNoted = new TreeSet<>();
    forEachFlip(
        file(".log"),
        position -> {
          List<Finding> found = verify(file(".log"));
          int batch = batchOf(starts, position);
          assertThat(found)
              .as("flip at position=" + position)
              .anyMatch(
                  finding ->
                      finding.position().orElse(-1) == starts.get(batch)
                          || finding.position().orElse(-1) == starts.get(batch + 1));
          if (found.stream().noneMatch(finding -> finding.weight() == Weight.PROBLEM)) {
            onlyNoted.add(position);
          }
        });
    long lastBatch = starts.get(starts.size() - 2);
    assertThat(onlyNoted).isSubsetOf(lastBatch + 4, lastBatch + 5, lastBatch + 6, lastBatch + 7);
  }

  private static int batchOf(List<Long> starts, long position) {
    int batch = 0;
    while (starts.get(batch + 1) <= position) {
      batch++;
    }
    return batch;
  }

  @Test
  void everyFlippedBitOfAnOffsetIndexIsAProblemAtItsEntryOrTheNext() throws IOException {
    everyFlipIsAProblem(file(".index"), SparseIndex.Layout.OFFSET.entryBytes());
  }

  @Test
  void everyFlippedBitOfATimeIndexIsAProblemAtItsEntryOrTheNext() throws IOException {
    everyFlipIsAProblem(file(".timeindex"), SparseIndex.Layout.TIME.entryBytes());
  }

  @Test
  void everyFlippedBitOfATransactionIndexIsAProblemAtItsEntryOrTheNext() throws IOException {
    everyFlipIsAProblem(file(".txnindex"), 34);
  }

  private static void everyFlipIsAProblem(Path file, int entryBytes) throws IOException {
    assertThat(Files.size(file)).isGreaterThanOrEqualTo(2L * entryBytes);
    forEachFlip(
        file,
        position -> {
          long entry = position / entryBytes * entryBytes;
          assertThat(verify(file))
              .as("flip at position=" + position)
              .anyMatch(
                  finding ->
                      finding.weight() == Weight.PROBLEM
                          && (finding.position().isEmpty()
                              ? finding.text().contains("position=" + entry)
                              : finding.position().getAsLong() == entry
                                  || finding.position().getAsLong() == entry + entryBytes));
        });
  }

  @Test
  void everyFlippedBitOfAProducerSnapshotIsAProblem() throws IOException {
    Path snapshot;
    try (var files = Files.list(partition)) {
      snapshot = files.filter(f -> f.toString().endsWith(".snapshot")).findFirst().orElseThrow();
    }
    forEachFlip(
        snapshot,
        position ->
            assertThat(verify(snapshot))
                .as("flip at position=" + position)
                .anyMatch(
                    finding ->
                        finding.text().contains("version is")
                            || finding.text().contains("at position=0")));
  }

  /** Nothing but findings comes of damage, whatever a number in the bytes claims. */
  @Test
  void listingOfADamagedSegmentGoesAsFarAsItCan() throws IOException {
    byte[] sound = Files.readAllBytes(file(".log"));
    for (int position = 0; position < sound.length; position++) {
      byte[] damaged = sound.clone();
      damaged[position] = (byte) ~damaged[position];
      Files.write(file(".log"), damaged);
      Dumped dumped = new Dumped().listDeep(file(".log"));
      assertThat(dumped.items().isEmpty() && dumped.findings().isEmpty())
          .as("position=" + position)
          .isFalse();
    }
  }

  private interface Flipped {
    void at(long position) throws IOException;
  }

  /** Flips each bit of a file in turn. */
  private static void forEachFlip(Path file, Flipped then) throws IOException {
    byte[] sound = Files.readAllBytes(file);
    for (int position = 0; position < sound.length; position++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        byte[] damaged = sound.clone();
        damaged[position] ^= (byte) (1 << bit);
        Files.write(file, damaged);
        then.at(position);
      }
    }
    Files.write(file, sound);
  }

  @Test
  void fileThatIsCutOffAnywhereButBetweenBatchesIsAProblemThere() throws IOException {
    List<Long> starts = new ArrayList<>();
    new Dumped().list(file(".log")).batches().forEach(batch -> starts.add(batch.position()));
    byte[] sound = Files.readAllBytes(file(".log"));
    for (int size = 1; size < sound.length; size++) {
      Files.write(file(".log"), Arrays.copyOf(sound, size));
      long end = size;
      long start = starts.stream().filter(at -> at <= end).max(Long::compare).orElseThrow();
      if (start == size) {
        assertThat(verify(file(".log"))).isEmpty();
        continue;
      }
      assertThat(verify(file(".log")))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.position()).hasValue(start);
                assertThat(finding.text()).startsWith("file ends after " + (end - start));
              });
    }
  }

  /** A producer of another version, or a defect, and no bit rot: the checksum is right. */
  @Test
  void batchThatIsWrongUnderItsChecksumIsToldAtItsPositionInTheFile() throws IOException {
    byte[] sound = Files.readAllBytes(file(".log"));
    int second = (int) new Dumped().list(file(".log")).batches().get(1).position();
    for (int codec : new int[] {5, 2}) {
      ByteBuffer damaged = ByteBuffer.wrap(sound.clone());
      damaged.putShort(second + 21, (short) codec);
      CRC32C crc = new CRC32C();
      int size = 12 + damaged.getInt(second + 8);
      crc.update(damaged.duplicate().position(second + 21).limit(second + size));
      damaged.putInt(second + 17, (int) crc.getValue());
      Files.write(file(".log"), damaged.array());
      assertThat(verify(file(".log")))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.position()).hasValue(second);
                assertThat(finding.text())
                    .isEqualTo(
                        codec == 5
                            ? "codec is 5, expected 0..4"
                            : "records cannot be decompressed");
              });
    }
  }

  @Test
  void zerosAtTheEndOfASegmentAreNamed() throws IOException {
    byte[] sound = Files.readAllBytes(file(".log"));
    Files.write(file(".log"), Arrays.copyOf(sound, sound.length + 200_000));
    assertThat(verify(file(".log")))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.position()).hasValue(sound.length);
              assertThat(finding.text()).startsWith("only zero bytes from here to the end, 200000");
            });
  }

  @Test
  void entryThatIsNotWholeIsAProblemWhereItStarts() throws IOException {
    for (String suffix : List.of(".index", ".timeindex", ".txnindex")) {
      byte[] sound = Files.readAllBytes(file(suffix));
      Files.write(file(suffix), Arrays.copyOf(sound, sound.length + 3));
      assertThat(verify(file(suffix)))
          .as(suffix)
          .anyMatch(finding -> finding.position().orElse(-1) == sound.length);
    }
  }

  @Test
  void missingEntryOfAnAbortedTransactionIsAProblem() throws IOException {
    byte[] sound = Files.readAllBytes(file(".txnindex"));
    Files.write(file(".txnindex"), Arrays.copyOfRange(sound, 34, sound.length));
    assertThat(verify(file(".txnindex")))
        .singleElement()
        .extracting(Finding::text)
        .asString()
        .startsWith("no entry for the transaction of producer 7 from offset 5 to 7");
  }

  @Test
  void indexWithoutItsSegmentIsNotCalledSound() throws IOException {
    Files.delete(file(".log"));
    for (String suffix : List.of(".index", ".timeindex", ".txnindex")) {
      assertThat(verify(file(suffix)))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.weight()).isEqualTo(Weight.PROBLEM);
                assertThat(finding.text()).contains("no segment " + SEGMENT + ".log");
              });
    }
  }

  @Test
  void segmentThatReachesIntoTheNextIsAProblem() throws IOException {
    Files.createFile(partition.resolve("00000000000000000004.log"));
    assertThat(verify(file(".log")))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.weight()).isEqualTo(Weight.PROBLEM);
              assertThat(finding.text()).endsWith("but the next one beside it begins with 4");
            });
  }

  @Test
  void checkpointsAreReadByTheirFormat() throws IOException {
    Path epochs = partition.resolve("leader-epoch-checkpoint");
    Path offsets = path.resolve("replication-offset-checkpoint");
    Path metadata = partition.resolve("partition.metadata");
    assertThat(problem(epochs, "0\n2\n3 0\n0 7\n"))
        .contains("epoch 0 from offset 7 follows epoch 3");
    assertThat(problem(epochs, "0\n2\n3 0\n"))
        .contains("count is 2, but 1 lines follow, in line=2");
    assertThat(problem(epochs, "0\n1\n99999999999 0\n")).contains("99999999999 is out of 0..");
    assertThat(problem(epochs, "1\n0\n")).contains("version is 1, expected 0");
    assertThat(problem(offsets, "0\n1\nt -1 5\n")).contains("-1 is out of 0..").contains("line=3");
    assertThat(problem(offsets, "0\n1\nt 0 -5\n")).contains("offset of t-0 is -5");
    assertThat(problem(offsets, "0\n1\n 0 5\n")).contains("topic has no name, in line=3");
    assertThat(problem(metadata, "version: 0\ntopic_id: short\n")).contains("no id of 22");
    Files.write(offsets, new byte[] {'0', '\n', (byte) 0xff});
    assertThat(verify(offsets)).extracting(Finding::text).containsExactly("text is not UTF-8");
  }

  private static String problem(Path file, String text) throws IOException {
    Files.writeString(file, text);
    assertThat(verify(file)).hasSize(1);
    return verify(file).getFirst().text();
  }

  @Test
  void aHundredProblemsAreToldAndTheRestCounted() throws IOException {
    byte[] wild = new byte[8 * 1000];
    Arrays.fill(wild, (byte) 0x7f);
    Files.write(file(".index"), wild);
    List<Finding> found = verify(file(".index"));
    assertThat(found).hasSize(101);
    assertThat(found.getLast().text()).isEqualTo("more than 100, the others are not shown");
  }
}
