package dev.weir.coordinator.group;

import dev.weir.protocol.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a {@link GroupMachine} answers. */
sealed interface GroupReply {

  /** To a join. */
  sealed interface JoinReply extends GroupReply {}

  /** To a sync. */
  sealed interface SyncReply extends GroupReply {}

  /** To a commit of offsets. */
  sealed interface CommitReply extends GroupReply {}

  /** Who assigns the partitions of a generation. */
  enum Assigning {
    /** The leader, as ever. */
    BY_LEADER,
    /** Nobody: the assignment of the running generation stays. */
    SKIPPED
  }

  /**
   * A generation has begun, or goes on.
   *
   * @param members for the leader all members, for the others none
   */
  record Joined(
      String memberId, Generation generation, Assigning assigning, List<JoinedMember> members)
      implements JoinReply {
    public Joined {
      members = List.copyOf(members);
    }
  }

  record JoinedMember(String memberId, @Nullable String instanceId, Blob metadata) {}

  record JoinRefused(String memberId, ErrorCode error) implements JoinReply {}

  record Synced(@Nullable String protocolType, @Nullable String protocol, Blob assignment)
      implements SyncReply {}

  record SyncRefused(ErrorCode error) implements SyncReply {}

  record Left(List<LeftMember> members) implements GroupReply {
    public Left {
      members = List.copyOf(members);
    }
  }

  record LeftMember(MemberIdentity member, ErrorCode error) {}

  record CommitRefused(ErrorCode error) implements CommitReply {}

  /**
   * The commit was accepted, partition by partition.
   *
   * @param errors of the commit's partitions, in their order
   */
  record OffsetsCommitted(List<ErrorCode> errors) implements CommitReply {
    public OffsetsCommitted {
      errors = List.copyOf(errors);
    }
  }

  /** To a heartbeat, or a deletion of a group or of offsets. */
  record Outcome(ErrorCode error) implements GroupReply {}

  /**
   * Offsets of a deleted topic are removed.
   *
   * @param removed how many offsets were removed: if as many as one command may remove, there may
   *     be more
   */
  record TopicForgotten(int removed) implements GroupReply {}
}
