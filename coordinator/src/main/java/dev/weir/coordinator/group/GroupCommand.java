package dev.weir.coordinator.group;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link GroupMachine} is told to do. Times are milliseconds since the epoch: the time of
 * the decision, or of a timer's command, for which it was set.
 */
sealed interface GroupCommand {

  /**
   * How the sender of a JoinGroup wants to be treated, which follows from the version it speaks.
   */
  enum JoinStyle {
    /** Becomes a member with its first request. */
    ONE_STEP,
    /** A dynamic member gets its member id first and joins with a second request (KIP-394). */
    MEMBER_ID_FIRST,
    /** And a returning static leader can be told to skip the assignment (KIP-814). */
    MAY_SKIP_ASSIGNMENT
  }

  /**
   * A member, or one that would be, wants to take part in the next generation.
   *
   * @param freshMemberId what to call the sender where it has no member id yet; else its member id
   */
  record Join(
      String groupId,
      MemberIdentity sender,
      String freshMemberId,
      Client client,
      JoinTerms terms,
      JoinStyle style,
      long nowMs)
      implements GroupCommand {}

  /**
   * A member has begun a generation and asks for its assignment; the leader brings all of them.
   *
   * @param protocolType what the sender takes for the group's, where it says so
   * @param protocol likewise
   * @param assignmentByMemberId from the leader; of others it is ignored
   */
  record Sync(
      String groupId,
      MemberIdentity sender,
      int generation,
      @Nullable String protocolType,
      @Nullable String protocol,
      Map<String, Blob> assignmentByMemberId,
      long nowMs)
      implements GroupCommand {
    public Sync {
      assignmentByMemberId = Map.copyOf(assignmentByMemberId);
    }
  }

  record Heartbeat(String groupId, MemberIdentity sender, int generation, long nowMs)
      implements GroupCommand {}

  /**
   * Members leave, or are taken out.
   *
   * @param leaving members to take out; one with an instance id only is taken out by an operator
   */
  record Leave(String groupId, List<MemberIdentity> leaving, long nowMs) implements GroupCommand {
    public Leave {
      leaving = List.copyOf(leaving);
    }
  }

  /**
   * Offsets are to be stored.
   *
   * @param generation of the sender, or negative where it does not take part in the group
   */
  record CommitOffsets(
      String groupId,
      MemberIdentity sender,
      int generation,
      List<OffsetToCommit> offsets,
      long nowMs)
      implements GroupCommand {
    public CommitOffsets {
      offsets = List.copyOf(offsets);
    }
  }

  record OffsetToCommit(String topic, int partition, CommittedOffset offset) {}

  record DeleteGroup(String groupId) implements GroupCommand {}

  record DeleteOffsets(String groupId, List<TopicPartition> partitions) implements GroupCommand {
    public DeleteOffsets {
      partitions = List.copyOf(partitions);
    }
  }

  record TopicPartition(String topic, int partition) {}

  /**
   * Removes offsets that were committed for a topic which is gone, at most {@link
   * GroupMachine#REMOVALS_MAX} at a time.
   *
   * @param currentId of the topic that bears the name now: what was committed for it stays
   */
  record ForgetTopic(String topic, Optional<UUID> currentId) implements GroupCommand {}

  /** The time has come at which a member, or one that announced itself, must have been heard of. */
  record ExpireMember(String groupId, String memberId, long nowMs) implements GroupCommand {}

  /** The time has come at which a generation begins without those that have not rejoined. */
  record CompleteJoin(String groupId, long nowMs) implements GroupCommand {}

  /** The time has come at which every member of a generation must have synced. */
  record ExpireSync(String groupId, int generation, long nowMs) implements GroupCommand {}

  /** The time has come to look for offsets that have expired. */
  record ExpireOffsets(long nowMs) implements GroupCommand {}
}
