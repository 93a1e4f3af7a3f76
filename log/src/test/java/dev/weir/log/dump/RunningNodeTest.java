package dev.weir.log.dump;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.dump.SegmentBytes.Step;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a node writes while they are read, and files that are too large for a heap. */
final class RunningNodeTest {
  private static final String FIRST = "00000000000000000000";

  @TempDir private Path directory;

  /** Keeps what is found. */
  private static class Found implements DumpSink {
    private final List<Finding> findings = new ArrayList<>();

    @Override
    public void item(DumpItem item) {}

    @Override
    public void finding(Finding finding) {
      findings.add(finding);
    }

    @Override
    public void progress(long positionBytes) {}
  }

  private static byte[] batch(long baseOffset) {
    return bytes(
        RecordBatchBuilder.data(Compression.NONE)
            .baseOffset(baseOffset)
            .leaderEpoch(0)
            .add(1, null, ByteBuffer.allocate(10))
            .build());
  }

  private static byte[] bytes(ByteBuffer from) {
    byte[] bytes = new byte[from.remaining()];
    from.get(bytes);
    return bytes;
  }

  private Path written(String name, byte[]... parts) throws IOException {
    Path file = Files.createFile(directory.resolve(name));
    for (byte[] part : parts) {
      append(file, part);
    }
    return file;
  }

  private static void append(Path file, byte[] part) throws IOException {
    Files.write(file, part, StandardOpenOption.APPEND);
  }

  @Test
  void aBatchThatIsWrittenInTwoPartsIsLeftOut() throws IOException {
    byte[] second = batch(1);
    for (int cut = 1; cut < second.length; cut++) {
      Path file = written(cut + ".log", batch(0), Arrays.copyOf(second, cut));
      byte[] rest = Arrays.copyOfRange(second, cut, second.length);
      try (SegmentBytes segment = SegmentBytes.open(file, () -> append(file, rest))) {
        assertThat(segment.next()).isInstanceOf(Step.At.class);
        assertThat(segment.next()).as("cut after %d bytes", cut).isEqualTo(new Step.End());
      }
    }
  }

  @Test
  void aBatchWhoseRestDoesNotComeIsBroken() throws IOException {
    Path file = written(FIRST + ".log", batch(0), Arrays.copyOf(batch(1), 70));
    int[] looks = {0};
    try (SegmentBytes segment = SegmentBytes.open(file, () -> looks[0]++)) {
      assertThat(segment.next()).isInstanceOf(Step.At.class);
      for (int i = 0; i < 3; i++) {
        assertThat(segment.next()).isInstanceOf(Step.Broken.class);
      }
    }
    assertThat(looks[0]).as("waits").isEqualTo(1);
  }

  @Test
  void anEntryWhoseRestComesIsNoDamage() throws IOException {
    Path file = written(FIRST + ".index", new byte[12]);
    FileGrowth growth = new FileGrowth(() -> Files.size(file), 12, () -> append(file, new byte[4]));
    assertThat(growth.hasGrown()).isFalse();
    assertThat(growth.grows()).isTrue();
    assertThat(growth.hasGrown()).isTrue();
  }

  /** The segment is read, grows, and the node goes on to the next one: no offsets are missing. */
  @Test
  void aSegmentThatGrewAndWasFollowedByAnotherHasNoGap() throws IOException {
    Path file = written(FIRST + ".log", batch(0));
    Found rolling =
        new Found() {
          @Override
          public void progress(long positionBytes) {
            try {
              append(file, batch(1));
              written("00000000000000000002.log");
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
        };
    LogFiles.verify(file, FileKind.SEGMENT, rolling);
    assertThat(rolling.findings).isEmpty();
  }

  @Test
  void filesThatWouldFillTheHeapAreNotRead() throws IOException {
    for (String name :
        List.of(FIRST + ".snapshot", "leader-epoch-checkpoint", "replication-offset-checkpoint")) {
      Path file = directory.resolve(name);
      long bytesMax = name.endsWith(".snapshot") ? 32L << 20 : 16L << 20;
      try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
        large.setLength(bytesMax + 1);
      }
      Found found = new Found();
      LogFiles.verify(file, FileKind.of(file).orElseThrow(), found);
      assertThat(found.findings)
          .extracting(Finding::weight)
          .containsExactly(Finding.Weight.PROBLEM);
      assertThat(found.findings.getFirst().text())
          .isEqualTo(
              "file has "
                  + (bytesMax + 1)
                  + " bytes, files of its kind are read up to "
                  + bytesMax);
    }
    Path segment = written(FIRST + ".log", batch(0));
    Found found = new Found();
    LogFiles.verify(segment, FileKind.SEGMENT, found);
    assertThat(found.findings).extracting(Finding::weight).containsExactly(Finding.Weight.NOTE);
    assertThat(found.findings.getFirst().text()).startsWith("leader epochs are not compared: file");
  }

  /** Each producer writes once and aborts; its entry is as it should be, but for the last one's. */
  @Test
  void aReplayThatWouldKeepTooMuchInMindEndsWithANote() throws IOException {
    Path log = written(FIRST + ".log");
    ByteBuffer entries = ByteBuffer.allocate(5 * 34);
    for (int producer = 0; producer < 5; producer++) {
      long offset = 2L * producer;
      append(log, transactional(producer, offset));
      append(log, abort(producer, offset + 1));
      entries.putShort((short) 0).putLong(producer == 4 ? 99 : producer);
      entries.putLong(offset).putLong(offset + 1).putLong(offset + 2);
    }
    Path index = written(FIRST + ".txnindex", entries.array());
    Found all = new Found();
    new TransactionIndexVerification(index, new Findings(index, all), all, 100)
        .verify(new LinkedHashMap<>());
    assertThat(all.findings).extracting(Finding::weight).containsOnly(Finding.Weight.PROBLEM);
    Found bounded = new Found();
    new TransactionIndexVerification(index, new Findings(index, bounded), bounded, 6)
        .verify(new LinkedHashMap<>());
    assertThat(bounded.findings).extracting(Finding::weight).containsExactly(Finding.Weight.NOTE);
    assertThat(bounded.findings.getFirst().text())
        .isEqualTo(
            "the segment has more than 6 producers and abort markers: entries from offset 6 on are"
                + " not checked");
  }

  private static byte[] transactional(long producer, long offset) {
    return bytes(
        RecordBatchBuilder.data(Compression.NONE)
            .baseOffset(offset)
            .leaderEpoch(0)
            .producer(producer, (short) 0, 0)
            .transactional()
            .add(1, null, ByteBuffer.allocate(10))
            .build());
  }

  private static byte[] abort(long producer, long offset) {
    return bytes(
        RecordBatchBuilder.control()
            .baseOffset(offset)
            .leaderEpoch(0)
            .producer(producer, (short) 0, RecordBatchView.NO_SEQUENCE)
            .transactional()
            .addControl(1, ControlType.ABORT, ByteBuffer.allocate(6))
            .build());
  }
}
