package dev.weir.raft;

import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.protocol.ByteReader;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.Message;
import dev.weir.protocol.message.KRaftVersionRecord;
import dev.weir.protocol.message.LeaderChangeMessage;
import dev.weir.protocol.message.SnapshotFooterRecord;
import dev.weir.protocol.message.SnapshotHeaderRecord;
import dev.weir.protocol.message.VotersRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The control records of the metadata log and its checkpoints: their key is a {@link ControlType},
 * their value a message of version 0.
 */
final class ControlRecords {
  private static final short VERSION = 0;

  /** Levels of kraft.version that a voter of this kind can serve. */
  private static final VotersRecord.KRaftVersionFeature KRAFT_VERSIONS =
      VotersRecord.KRaftVersionFeature.DEFAULT
          .withMinSupportedVersion((short) 0)
          .withMaxSupportedVersion((short) 1);

  private ControlRecords() {}

  static void add(RecordBatchBuilder batch, long timestampMs, ControlType type, Message value) {
    ByteWriter out = new ByteWriter();
    value.write(out, VERSION);
    batch.addControl(timestampMs, type, out.toBuffer());
  }

  static Message leaderChange(int leaderId, List<Voter> voters, List<Voter> granting) {
    return LeaderChangeMessage.DEFAULT
        .withLeaderId(leaderId)
        .withVoters(voters.stream().map(ControlRecords::leaderChangeVoter).toList())
        .withGrantingVoters(granting.stream().map(ControlRecords::leaderChangeVoter).toList());
  }

  private static LeaderChangeMessage.Voter leaderChangeVoter(Voter voter) {
    // The directory of a voter belongs to version 1 of the message, which nobody writes yet.
    return LeaderChangeMessage.Voter.DEFAULT.withVoterId(voter.id());
  }

  static Message snapshotHeader(long lastContainedLogTimestampMs) {
    return SnapshotHeaderRecord.DEFAULT.withLastContainedLogTimestamp(lastContainedLogTimestampMs);
  }

  static Message snapshotFooter() {
    return SnapshotFooterRecord.DEFAULT;
  }

  static Message kraftVersion(int level) {
    return KRaftVersionRecord.DEFAULT.withKRaftVersion((short) level);
  }

  static Message voters(List<Voter> voters) {
    return VotersRecord.DEFAULT.withVoters(
        voters.stream()
            .map(
                voter ->
                    VotersRecord.Voter.DEFAULT
                        .withVoterId(voter.id())
                        .withVoterDirectoryId(voter.directoryId())
                        .withEndpoints(
                            voter.endpoints().stream()
                                .map(
                                    endpoint ->
                                        VotersRecord.Endpoint.DEFAULT
                                            .withName(endpoint.listener())
                                            .withHost(endpoint.host())
                                            .withPort(endpoint.port()))
                                .toList())
                        .withKRaftVersionFeature(KRAFT_VERSIONS))
            .toList());
  }

  static List<Voter> readVoters(ByteBuffer value) {
    return VotersRecord.read(new ByteReader(value), VERSION).voters().stream()
        .map(
            voter ->
                new Voter(
                    voter.voterId(),
                    voter.voterDirectoryId(),
                    voter.endpoints().stream()
                        .map(
                            endpoint ->
                                new Voter.Endpoint(
                                    endpoint.name(), endpoint.host(), endpoint.port()))
                        .toList()))
        .toList();
  }

  static int readKraftVersion(ByteBuffer value) {
    return KRaftVersionRecord.read(new ByteReader(value), VERSION).kRaftVersion();
  }

  /** Passes the control records of known types, with their values. */
  static void forEach(RecordBatchView batch, BiConsumer<ControlType, ByteBuffer> into) {
    batch.forEachRecord(
        (LogRecord record) -> {
          ByteBuffer key = record.key();
          ByteBuffer value = record.value();
          Optional<ControlType> type = key == null ? Optional.empty() : ControlType.ofKey(key);
          if (type.isPresent() && value != null) {
            into.accept(type.get(), value);
          }
        });
  }
}
