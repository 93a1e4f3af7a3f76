package dev.weir.coordinator.group;

import dev.weir.coordinator.group.GroupCommand.CommitOffsets;
import dev.weir.coordinator.group.GroupCommand.DeleteOffsets;
import dev.weir.coordinator.group.GroupCommand.ForgetTopic;
import dev.weir.coordinator.group.GroupCommand.OffsetToCommit;
import dev.weir.coordinator.group.GroupCommand.TopicPartition;
import dev.weir.coordinator.group.StoredRecord.GroupRemoved;
import dev.weir.coordinator.group.StoredRecord.OffsetRemoved;
import dev.weir.coordinator.group.StoredRecord.OffsetStored;
import dev.weir.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The rules of committed offsets. Functions without state. */
final class Offsets {
  private Offsets() {}

  /** Why a commit is refused as a whole; empty where it is not. */
  static Optional<ErrorCode> checkCommit(Optional<ClassicGroup> found, CommitOffsets commit) {
    boolean outsider = commit.generation() < 0;
    if (found.isEmpty()) {
      return outsider ? Optional.empty() : Optional.of(ErrorCode.GROUP_ID_NOT_FOUND);
    }
    ClassicGroup group = found.get();
    if (outsider && group.isEmpty()) {
      // An admin client, or a consumer that assigns partitions to itself.
      return Optional.empty();
    }
    MemberIdentity sender = commit.sender();
    if (outsider && !sender.hasMemberId() && sender.instanceId() == null) {
      return Optional.of(ErrorCode.UNKNOWN_MEMBER_ID);
    }
    Optional<ErrorCode> impostor = GroupMachine.checkMember(group, sender);
    if (impostor.isPresent()) {
      return impostor;
    }
    if (commit.generation() != group.generation().number()) {
      return Optional.of(ErrorCode.ILLEGAL_GENERATION);
    }
    return group.phase() instanceof GroupPhase.CompletingRebalance
        ? Optional.of(ErrorCode.REBALANCE_IN_PROGRESS)
        : Optional.empty();
  }

  static ErrorCode checkOffset(GroupSettings settings, OffsetToCommit offset) {
    return offset.offset().metadata().length() > settings.offsetMetadataMaxBytes()
        ? ErrorCode.OFFSET_METADATA_TOO_LARGE
        : ErrorCode.NONE;
  }

  /** The records that remove a group and its offsets. */
  static List<GroupRecord> removeGroup(Groups state, String groupId) {
    List<GroupRecord> records = new ArrayList<>();
    OffsetTable offsets = state.offsets(groupId);
    offsets
        .byTopic()
        .forEach(
            (topic, partitions) ->
                partitions
                    .keySet()
                    .forEach(
                        partition -> records.add(new OffsetRemoved(groupId, topic, partition))));
    records.add(new GroupRemoved(groupId));
    return records;
  }

  static List<GroupRecord> remove(Groups state, DeleteOffsets delete) {
    List<GroupRecord> records = new ArrayList<>();
    OffsetTable offsets = state.offsets(delete.groupId());
    for (TopicPartition partition : delete.partitions()) {
      if (offsets.offset(partition.topic(), partition.partition()).isPresent()) {
        records.add(new OffsetRemoved(delete.groupId(), partition.topic(), partition.partition()));
      }
    }
    return records;
  }

  /** The records that remove what was committed for a topic that is gone. */
  static List<GroupRecord> forget(Groups state, ForgetTopic forget, int removalsMax) {
    List<GroupRecord> records = new ArrayList<>();
    for (Map.Entry<String, OffsetTable> group : state.offsetsById().entrySet()) {
      for (Map.Entry<Integer, CommittedOffset> committed :
          group.getValue().partitions(forget.topic()).entrySet()) {
        if (records.size() == removalsMax) {
          return records;
        }
        if (!isFor(forget.currentId(), committed.getValue())) {
          records.add(new OffsetRemoved(group.getKey(), forget.topic(), committed.getKey()));
        }
      }
    }
    return records;
  }

  /** Whether an offset was committed for the topic that bears the name now. */
  static boolean isFor(Optional<UUID> currentId, CommittedOffset committed) {
    return currentId.isPresent()
        && (committed.topicId().equals(CommittedOffset.NO_TOPIC_ID)
            || committed.topicId().equals(currentId.get()));
  }

  /**
   * The records that remove, from groups without members, the offsets whose time has come, and the
   * groups that keep none. The time runs from the moment when the last member left; for groups that
   * never had one, and for those stored by old versions, from the commit (KIP-211).
   */
  static List<GroupRecord> expire(
      Groups state, GroupSettings settings, long nowMs, int removalsMax) {
    List<GroupRecord> records = new ArrayList<>();
    for (ClassicGroup group : state.byId().values()) {
      if (!group.isEmpty()) {
        continue;
      }
      int kept = 0;
      for (Map.Entry<String, ? extends Map<Integer, CommittedOffset>> topic :
          state.offsets(group.id()).byTopic().entrySet()) {
        for (Map.Entry<Integer, CommittedOffset> offset : topic.getValue().entrySet()) {
          if (records.size() >= removalsMax) {
            return records;
          }
          if (isExpired(group, offset.getValue(), settings.offsetsRetentionMs(), nowMs)) {
            records.add(new OffsetRemoved(group.id(), topic.getKey(), offset.getKey()));
          } else {
            kept++;
          }
        }
      }
      if (kept == 0 && group.announced().isEmpty()) {
        records.add(new GroupRemoved(group.id()));
      }
    }
    return records;
  }

  private static boolean isExpired(
      ClassicGroup group, CommittedOffset committed, long retentionMs, long nowMs) {
    if (committed.expireTimestampMs() != CommittedOffset.NO_EXPIRY) {
      return nowMs >= committed.expireTimestampMs();
    }
    boolean emptySinceKnown =
        group.generation().protocolType() != null
            && group.stateTimestampMs() != ClassicGroup.NO_TIMESTAMP;
    long sinceMs = emptySinceKnown ? group.stateTimestampMs() : committed.commitTimestampMs();
    return nowMs - sinceMs >= retentionMs;
  }

  static OffsetStored stored(String groupId, OffsetToCommit offset) {
    return new OffsetStored(groupId, offset.topic(), offset.partition(), offset.offset());
  }
}
