package dev.weir.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.CorruptFileException;
import dev.weir.log.FormatTooNewException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.raft.FileQuorumStateStore;
import org.apache.kafka.raft.ReplicaKey;
import org.apache.kafka.server.common.KRaftVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuorumStateFileTest {
  private static final UUID DIRECTORY = new UUID(3, 4);
  private static final Voter VOTER = new Voter(1, DIRECTORY, List.of());

  @TempDir private Path directory;

  private QuorumStateFile file() {
    return new QuorumStateFile(directory);
  }

  private Path path() {
    return directory.resolve(QuorumStateFile.FILE_NAME);
  }

  private QuorumStateFile.Contents reading(String text) throws IOException {
    Files.writeString(path(), text);
    return file().read();
  }

  @Test
  void missingFileIsTheBeginning() {
    assertThat(file().read()).isEqualTo(QuorumStateFile.Contents.NONE);
  }

  @Test
  void writtenStateIsRead() {
    ElectionState state = ElectionState.voted(7, VOTER).withLeader(1);
    file().write(state);
    assertThat(file().read().election()).isEqualTo(state);
  }

  @Test
  void kafkaReadsOurs() {
    file().write(ElectionState.voted(7, VOTER).withLeader(1));
    org.apache.kafka.raft.ElectionState kafka =
        new FileQuorumStateStore(path().toFile()).readElectionState().orElseThrow();
    assertThat(kafka.epoch()).isEqualTo(7);
    assertThat(kafka.leaderId()).isEqualTo(1);
    assertThat(kafka.optionalVotedKey())
        .contains(ReplicaKey.of(1, new Uuid(DIRECTORY.getMostSignificantBits(), 4)));
  }

  @Test
  void kafkasIsRead() {
    new FileQuorumStateStore(path().toFile())
        .writeElectionState(
            org.apache.kafka.raft.ElectionState.withVotedCandidate(
                9, ReplicaKey.of(1, new Uuid(3, 4)), Set.of(1)),
            KRaftVersion.KRAFT_VERSION_1);
    assertThat(file().read().election()).isEqualTo(ElectionState.voted(9, VOTER));
  }

  @Test
  void kafkasStaticVotersAreRead() {
    new FileQuorumStateStore(path().toFile())
        .writeElectionState(
            org.apache.kafka.raft.ElectionState.withUnknownLeader(9, Set.of(1, 2)),
            KRaftVersion.KRAFT_VERSION_0);
    QuorumStateFile.Contents contents = file().read();
    assertThat(contents.staticVoters().orElseThrow()).containsExactlyInAnyOrder(1, 2);
    assertThat(contents.election().epoch()).isEqualTo(9);
    assertThat(contents.election().leader()).isEqualTo(OptionalInt.empty());
  }

  @Test
  void otherTextIsCorrupt() {
    for (String text :
        List.of(
            "",
            "{}",
            "{\"leaderId\":1",
            "[1]",
            "{\"leaderId\":1,\"leaderEpoch\":\"x\",\"votedId\":1,\"data_version\":1}",
            "{\"leaderEpoch\":1,\"votedId\":1,\"data_version\":1}",
            "{\"leaderId\":1,\"leaderEpoch\":1,\"votedId\":1,"
                + "\"votedDirectoryId\":\"short\",\"data_version\":1}")) {
      assertThatThrownBy(() -> reading(text)).as(text).isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void laterVersionIsToldApartFromCorruption() {
    assertThatThrownBy(() -> reading("{\"data_version\":2}"))
        .isInstanceOf(FormatTooNewException.class);
  }
}
