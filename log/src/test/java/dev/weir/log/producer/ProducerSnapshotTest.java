package dev.weir.log.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.CorruptFileException;
import dev.weir.log.FormatTooNewException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of a producer snapshot, and what is said of damaged ones. */
final class ProducerSnapshotTest {
  private static final int CRC = 2;
  private static final int COUNT = 6;

  /** Wrote offsets 98..100 with sequences 5..7, and has a transaction open since 98. */
  private static final ProducerEntry WRITER =
      new ProducerEntry(
          (short) 3, 9, 1000, OptionalLong.of(98), List.of(new BatchMark(7, 100, 2, 1000)));

  /** Known by the marker of its last transaction alone. */
  private static final ProducerEntry ENDED =
      new ProducerEntry((short) 4, 2, 2000, OptionalLong.empty(), List.of());

  @TempDir Path folder;

  private Path file;

  @BeforeEach
  void write() {
    file = folder.resolve("00000000000000000101.snapshot");
    ProducerSnapshot.write(file, Map.of(8L, ENDED, 1L, WRITER));
  }

  private byte[] bytes() throws IOException {
    return Files.readAllBytes(file);
  }

  /** Changes the file, and its checksum with it. */
  private void change(Consumer<ByteBuffer> change) throws IOException {
    byte[] bytes = bytes();
    change.accept(ByteBuffer.wrap(bytes));
    CRC32C crc = new CRC32C();
    crc.update(bytes, COUNT, bytes.length - COUNT);
    ByteBuffer.wrap(bytes).putInt(CRC, (int) crc.getValue());
    Files.write(file, bytes);
  }

  @Test
  void producersAreWrittenInTheOrderOfTheirIds() throws IOException {
    byte[] bytes = bytes();
    assertThat(HexFormat.of().formatHex(bytes, 0, CRC)).as("version").isEqualTo("0001");
    assertThat(HexFormat.of().formatHex(bytes, COUNT, bytes.length))
        .isEqualTo(
            "00000002"
                // id, epoch, last sequence, last offset, offset delta
                + "0000000000000001"
                + "0003"
                + "00000007"
                + "0000000000000064"
                + "00000002"
                // timestamp, coordinator epoch, first offset of the open transaction
                + "00000000000003e8"
                + "00000009"
                + "0000000000000062"
                + "0000000000000008"
                + "0004"
                + "ffffffff"
                + "ffffffffffffffff"
                + "00000000"
                + "00000000000007d0"
                + "00000002"
                + "ffffffffffffffff");
  }

  @Test
  void whatIsReadIsWhatWasWritten() {
    assertThat(ProducerSnapshot.read(file)).isEqualTo(Map.of(1L, WRITER, 8L, ENDED));
  }

  @Test
  void sequenceAndOffsetZeroAreNotNone() {
    ProducerEntry first =
        new ProducerEntry((short) 0, 0, 0, OptionalLong.of(0), List.of(new BatchMark(0, 0, 0, 0)));
    ProducerSnapshot.write(file, Map.of(0L, first));
    assertThat(ProducerSnapshot.read(file)).isEqualTo(Map.of(0L, first));
  }

  @Test
  void noProducersAreASnapshotToo() throws IOException {
    ProducerSnapshot.write(file, Map.of());
    assertThat(Files.size(file)).isEqualTo(10);
    assertThat(ProducerSnapshot.read(file)).isEmpty();
  }

  @Test
  void producersAreListedById() {
    assertThat(SnapshotFiles.producers(file))
        .containsExactly(
            new SnapshotProducer(
                1, (short) 3, OptionalInt.of(7), 100, 2, 1000, 9, OptionalLong.of(98)),
            new SnapshotProducer(
                8, (short) 4, OptionalInt.empty(), -1, 0, 2000, 2, OptionalLong.empty()));
  }

  @Test
  void anyByteThatIsNotWhatWasWrittenIsFound() throws IOException {
    byte[] sound = bytes();
    for (int at = 2; at < sound.length; at++) {
      byte[] damaged = sound.clone();
      damaged[at] ^= 4;
      Files.write(file, damaged);
      assertThatThrownBy(() -> ProducerSnapshot.read(file))
          .as("at=%d", at)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("checksum")
          .hasMessageContaining("file=" + file);
    }
  }

  @Test
  void aFileCutOffAnywhereIsCorrupt() throws IOException {
    byte[] sound = bytes();
    for (int size = 0; size < sound.length; size++) {
      Files.write(file, Arrays.copyOf(sound, size));
      assertThatThrownBy(() -> ProducerSnapshot.read(file))
          .as("size=%d", size)
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void aNewerVersionIsNamed() throws IOException {
    change(bytes -> bytes.putShort(0, (short) 2));
    assertThatThrownBy(() -> ProducerSnapshot.read(file))
        .isInstanceOf(FormatTooNewException.class)
        .hasMessage("version is 2, expected 1, in file=" + file);
  }

  @Test
  void anOlderVersionIsCorrupt() throws IOException {
    change(bytes -> bytes.putShort(0, (short) 0));
    assertThatThrownBy(() -> ProducerSnapshot.read(file))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("version is 0")
        .hasMessageContaining("expected version 1");
  }

  @Test
  void aCountThatDoesNotFitTheSizeIsCorrupt() throws IOException {
    for (int count : new int[] {-1, 0, 1, 3, Integer.MAX_VALUE}) {
      change(bytes -> bytes.putInt(COUNT, count));
      assertThatThrownBy(() -> ProducerSnapshot.read(file))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("claims " + count + " entries in 92 bytes");
    }
  }
}
