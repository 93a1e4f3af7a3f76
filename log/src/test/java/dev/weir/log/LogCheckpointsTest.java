package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.LogLoader.Checkpointed;
import dev.weir.log.LogLoader.LastStop;
import dev.weir.log.checkpoint.OffsetCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints of logs that are there, and of those that cannot be opened. */
final class LogCheckpointsTest {
  private static final TopicPartition A = new TopicPartition("a", 0);
  private static final TopicPartition B = new TopicPartition("b", 3);

  @TempDir Path directory;

  private void keep(String name, Map<TopicPartition, Long> offsets) {
    OffsetCheckpoint.write(directory.resolve(name), offsets);
  }

  private LogCheckpoints read() {
    return LogCheckpoints.read(directory, LastStop.CLEAN);
  }

  @Test
  void everyFileSaysOneOffsetOfAPartition() {
    keep(OffsetCheckpoint.RECOVERY_POINTS, Map.of(A, 4L, B, 40L));
    keep(OffsetCheckpoint.LOG_START_OFFSETS, Map.of(A, 1L));
    keep(OffsetCheckpoint.HIGH_WATERMARKS, Map.of(A, 3L));
    keep(OffsetCheckpoint.CLEANED_UNTIL, Map.of(A, 2L));
    assertThat(read().of(A)).isEqualTo(new Checkpointed(4, 1, 3, 2));
    assertThat(read().of(B)).isEqualTo(new Checkpointed(40, 0, 0, 0));
  }

  @Test
  void damagedFileSaysNothingAndTheOthersDo() throws IOException {
    keep(OffsetCheckpoint.HIGH_WATERMARKS, Map.of(A, 3L));
    Files.writeString(directory.resolve(OffsetCheckpoint.RECOVERY_POINTS), "no checkpoint");
    assertThat(read().of(A)).isEqualTo(new Checkpointed(0, 0, 3, 0));
  }

  /** Apache Kafka's cleaner leaves one where no topic is compacted. */
  @Test
  void emptyFileHasNoEntries() throws IOException {
    Path _ = Files.createFile(directory.resolve(OffsetCheckpoint.CLEANED_UNTIL));
    assertThat(OffsetCheckpoint.read(directory.resolve(OffsetCheckpoint.CLEANED_UNTIL))).isEmpty();
  }

  @Test
  void fileThatEndsAfterItsVersionIsDamaged() throws IOException {
    Path file = Files.writeString(directory.resolve(OffsetCheckpoint.CLEANED_UNTIL), "0\n");
    assertThatThrownBy(() -> OffsetCheckpoint.read(file))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("line=2");
  }

  @Test
  void whatWasReadIsKeptOfUnopenedLogsAlone() {
    keep(OffsetCheckpoint.RECOVERY_POINTS, Map.of(A, 4L, B, 40L));
    read().write(List.of(), Set.of(B));
    assertThat(OffsetCheckpoint.read(directory.resolve(OffsetCheckpoint.RECOVERY_POINTS)))
        .containsExactly(Map.entry(B, 40L));
    assertThat(OffsetCheckpoint.read(directory.resolve(OffsetCheckpoint.HIGH_WATERMARKS)))
        .isEmpty();
  }

  @Test
  void startOffsetsAreWrittenByThemselves() {
    keep(OffsetCheckpoint.RECOVERY_POINTS, Map.of(A, 4L));
    keep(OffsetCheckpoint.LOG_START_OFFSETS, Map.of(A, 1L));
    read().writeLogStartOffsets(List.of(), Set.of());
    assertThat(read().of(A)).isEqualTo(new Checkpointed(4, 0, 0, 0));
  }
}
