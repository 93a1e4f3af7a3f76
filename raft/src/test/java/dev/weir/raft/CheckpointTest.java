package dev.weir.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.CorruptFileException;
import dev.weir.log.UuidText;
import dev.weir.log.batch.ControlType;
import dev.weir.protocol.metadata.FeatureLevelRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
  private static final String NAME = "00000000000000000000-0000000000.checkpoint";
  private static final Voter VOTER =
      new Voter(
          1,
          UuidText.parse("JEXY6aqzQY-32P5TStzaFg"),
          List.of(new Voter.Endpoint("CONTROLLER", "localhost", 9093)));

  @TempDir private Path directory;

  /** Made by Kafka 4.4's own formatter: node 1, one initial controller. */
  private byte[] kafkas() throws IOException {
    try (InputStream in = getClass().getResourceAsStream("kafka-4.4-bootstrap.checkpoint")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  private static MetadataRecord feature(String name, int level) {
    return FeatureLevelRecord.DEFAULT.withName(name).withFeatureLevel((short) level);
  }

  private static List<MetadataRecord> kafkasFeatures() {
    return List.of(
        feature("metadata.version", 33),
        feature("eligible.leader.replicas.version", 1),
        feature("group.version", 1),
        feature("share.version", 2),
        feature("streams.version", 1),
        feature("transaction.version", 2));
  }

  private List<MetadataRecord> records() {
    List<MetadataRecord> records = new ArrayList<>();
    newest()
        .forEachBatch(
            batch -> {
              if (!batch.isControl()) {
                batch.forEachRecord(
                    record ->
                        records.add(MetadataValues.decode(Objects.requireNonNull(record.value()))));
              }
            });
    return records;
  }

  private List<Voter> voters() {
    List<Voter> voters = new ArrayList<>();
    newest()
        .forEachBatch(
            batch -> {
              if (batch.isControl()) {
                ControlRecords.forEach(
                    batch,
                    (type, value) -> {
                      if (type == ControlType.KRAFT_VOTERS) {
                        voters.addAll(ControlRecords.readVoters(value));
                      }
                    });
              }
            });
    return voters;
  }

  private Checkpoint newest() {
    return Checkpoint.newest(directory).orElseThrow();
  }

  @Test
  void kafkasIsRead() throws IOException {
    Files.write(directory.resolve(NAME), kafkas());
    assertThat(voters()).containsExactly(VOTER);
    assertThat(records()).isEqualTo(kafkasFeatures());
  }

  @Test
  void oursIsReadBack() {
    Checkpoint.writeBootstrap(directory, List.of(VOTER), kafkasFeatures(), 1_000);
    assertThat(newest().file().getFileName()).hasToString(NAME);
    assertThat(voters()).containsExactly(VOTER);
    assertThat(records()).isEqualTo(kafkasFeatures());
  }

  /** But for timestamps, and the checksums over them, ours has the very bytes of Kafka's. */
  @Test
  void oursHasTheBytesOfKafkas() throws IOException {
    Checkpoint.writeBootstrap(directory, List.of(VOTER), kafkasFeatures(), 1_795_996_148_957L);
    byte[] ours = Files.readAllBytes(directory.resolve(NAME));
    assertThat(withoutTimes(ours)).isEqualTo(withoutTimes(kafkas()));
  }

  private static byte[] withoutTimes(byte[] contents) {
    ByteBuffer bytes = ByteBuffer.wrap(contents.clone());
    for (int batch = 0; batch < bytes.limit(); batch += 12 + bytes.getInt(batch + 8)) {
      bytes.putInt(batch + 17, 0);
      bytes.putLong(batch + 27, 0).putLong(batch + 35, 0);
    }
    // The header record's own timestamp: after length, attributes, deltas, key and value length.
    bytes.putLong(77, 0);
    return bytes.array();
  }

  @Test
  void newestByOffsetThenEpochCounts() throws IOException {
    for (String name :
        List.of(
            NAME,
            "00000000000000000007-0000000002.checkpoint",
            "00000000000000000007-0000000001.checkpoint",
            "00000000000000000009-0000000001.checkpoint.part",
            "00000000000000000009-0000000001.checkpoint.deleted")) {
      Files.createFile(directory.resolve(name));
    }
    assertThat(newest().endOffset()).isEqualTo(7);
    assertThat(newest().epoch()).isEqualTo(2);
  }

  @Test
  void damagedByteIsFound() throws IOException {
    byte[] damaged = kafkas();
    damaged[250] ^= 1;
    Files.write(directory.resolve(NAME), damaged);
    assertThatThrownBy(this::records)
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("position=166");
  }

  @Test
  void missingEndIsFound() throws IOException {
    byte[] whole = kafkas();
    for (int bytes : List.of(0, 166, 419, 493)) {
      Files.write(directory.resolve(NAME), Arrays.copyOf(whole, bytes));
      assertThatThrownBy(this::records)
          .as("bytes=%d", bytes)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("not whole");
    }
  }
}
