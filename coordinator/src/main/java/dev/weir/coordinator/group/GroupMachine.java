package dev.weir.coordinator.group;

import dev.weir.coordinator.group.GroupCommand.CommitOffsets;
import dev.weir.coordinator.group.GroupCommand.CompleteJoin;
import dev.weir.coordinator.group.GroupCommand.DeleteGroup;
import dev.weir.coordinator.group.GroupCommand.DeleteOffsets;
import dev.weir.coordinator.group.GroupCommand.ExpireMember;
import dev.weir.coordinator.group.GroupCommand.ExpireOffsets;
import dev.weir.coordinator.group.GroupCommand.ExpireSync;
import dev.weir.coordinator.group.GroupCommand.ForgetTopic;
import dev.weir.coordinator.group.GroupCommand.Heartbeat;
import dev.weir.coordinator.group.GroupCommand.Join;
import dev.weir.coordinator.group.GroupCommand.Leave;
import dev.weir.coordinator.group.GroupCommand.OffsetToCommit;
import dev.weir.coordinator.group.GroupCommand.Sync;
import dev.weir.coordinator.group.StoredRecord.GroupRemoved;
import dev.weir.coordinator.group.StoredRecord.GroupStored;
import dev.weir.coordinator.group.StoredRecord.OffsetRemoved;
import dev.weir.coordinator.group.StoredRecord.OffsetStored;
import dev.weir.coordinator.group.StoredRecord.StoredMember;
import dev.weir.machine.Decision;
import dev.weir.machine.StateMachine;
import dev.weir.machine.Timer;
import dev.weir.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.pcollections.HashTreePSet;

/**
 * The rules of classic consumer groups and of committed offsets, for the groups of one partition of
 * the offsets topic. Pure functions.
 *
 * <p>What a client can lose by a change of coordinators is soft: who waits for a join, how far a
 * rebalance is, which ids were given out. What it relies on is written before it is told: committed
 * offsets, a generation with its assignment, that a group has become empty. Source: the Apache
 * Kafka protocol guide; KIP-62 (rebalance timeout), KIP-211 (expiry of offsets), KIP-345 (static
 * members), KIP-394 (member id first), KIP-559 (protocol checks), KIP-814 (skipped assignment).
 *
 * <p>The first generation of a group does not wait a fixed time for more members, but only for
 * those that have announced themselves: see {@link GroupTurn}.
 */
final class GroupMachine implements StateMachine<Groups, GroupCommand, GroupRecord, GroupReply> {
  /** Offsets that are removed at once: enough for most topics, and a batch of some 100 KB. */
  static final int REMOVALS_MAX = 1000;

  private static final String OFFSETS_TIMER = "offsets";

  private final GroupSettings settings;

  GroupMachine(GroupSettings settings) {
    this.settings = settings;
  }

  @Override
  public Groups empty() {
    return Groups.EMPTY;
  }

  @Override
  public Decision<GroupRecord, GroupCommand, GroupReply> decide(
      Groups state, GroupCommand command, long replyTo) {
    return switch (command) {
      case Join join -> join(state, join, replyTo);
      case Sync sync ->
          inGroup(
              state,
              sync.groupId(),
              sync.nowMs(),
              turn -> Membership.sync(turn, sync, replyTo),
              () ->
                  Decision.reply(replyTo, new GroupReply.SyncRefused(ErrorCode.UNKNOWN_MEMBER_ID)));
      case Heartbeat beat ->
          inGroup(
              state,
              beat.groupId(),
              beat.nowMs(),
              turn -> Membership.heartbeat(turn, beat, replyTo),
              () -> Decision.reply(replyTo, new GroupReply.Outcome(ErrorCode.UNKNOWN_MEMBER_ID)));
      case Leave leave ->
          inGroup(
              state,
              leave.groupId(),
              leave.nowMs(),
              turn -> Membership.leave(turn, leave, replyTo),
              () -> Decision.reply(replyTo, unknownMembers(leave)));
      case CommitOffsets commit -> commit(state, commit, replyTo);
      case DeleteGroup delete -> delete(state, delete, replyTo);
      case DeleteOffsets delete -> deleteOffsets(state, delete, replyTo);
      case ForgetTopic forget -> {
        List<GroupRecord> records = Offsets.forget(state, forget, REMOVALS_MAX);
        yield Decision.write(records, replyTo, new GroupReply.TopicForgotten(records.size()));
      }
      case ExpireMember expired ->
          inGroup(
              state,
              expired.groupId(),
              expired.nowMs(),
              turn -> Membership.expireMember(turn, expired),
              Decision::nothing);
      case CompleteJoin complete ->
          inGroup(
              state,
              complete.groupId(),
              complete.nowMs(),
              GroupTurn::beginGeneration,
              Decision::nothing);
      case ExpireSync expired ->
          inGroup(
              state,
              expired.groupId(),
              expired.nowMs(),
              turn -> Membership.expireSync(turn, expired),
              Decision::nothing);
      case ExpireOffsets expire -> expireOffsets(state, expire);
    };
  }

  /** A turn of a group that exists; else what is to be decided without. */
  private Decision<GroupRecord, GroupCommand, GroupReply> inGroup(
      Groups state,
      String groupId,
      long nowMs,
      Consumer<GroupTurn> steps,
      Supplier<Decision<GroupRecord, GroupCommand, GroupReply>> without) {
    Optional<ClassicGroup> group = state.group(groupId);
    if (group.isEmpty()) {
      return without.get();
    }
    GroupTurn turn = new GroupTurn(settings, group.get(), nowMs);
    steps.accept(turn);
    return isTraceless(state, turn.group()) ? turn.forgetting() : turn.decision();
  }

  /** Whether a group is left that has nothing, and never had more than announced members. */
  private static boolean isTraceless(Groups state, ClassicGroup group) {
    return group.isEmpty()
        && group.generation().equals(Generation.NONE)
        && group.announced().isEmpty()
        && state.offsets(group.id()).isEmpty();
  }

  private Decision<GroupRecord, GroupCommand, GroupReply> join(
      Groups state, Join join, long replyTo) {
    Optional<ClassicGroup> found = state.group(join.groupId());
    if (found.isEmpty() && join.sender().hasMemberId()) {
      return Decision.reply(
          replyTo,
          new GroupReply.JoinRefused(join.sender().memberId(), ErrorCode.UNKNOWN_MEMBER_ID));
    }
    ClassicGroup group = found.orElseGet(() -> ClassicGroup.empty(join.groupId(), join.nowMs()));
    GroupTurn turn = new GroupTurn(settings, group, join.nowMs());
    new Joining(settings, turn, join, replyTo).run();
    return turn.decision();
  }

  private static GroupReply.Left unknownMembers(Leave leave) {
    return new GroupReply.Left(
        leave.leaving().stream()
            .map(member -> new GroupReply.LeftMember(member, ErrorCode.UNKNOWN_MEMBER_ID))
            .toList());
  }

  /**
   * Whether a request comes from who it says: the error if not. A static member that was replaced
   * is fenced.
   */
  static Optional<ErrorCode> checkMember(ClassicGroup group, MemberIdentity sender) {
    if (sender.instanceId() != null) {
      Optional<String> memberId = group.staticMemberId(sender.instanceId());
      if (memberId.isEmpty()) {
        return Optional.of(ErrorCode.UNKNOWN_MEMBER_ID);
      }
      if (!memberId.get().equals(sender.memberId())) {
        return Optional.of(ErrorCode.FENCED_INSTANCE_ID);
      }
    }
    return group.isMember(sender.memberId())
        ? Optional.empty()
        : Optional.of(ErrorCode.UNKNOWN_MEMBER_ID);
  }

  private Decision<GroupRecord, GroupCommand, GroupReply> commit(
      Groups state, CommitOffsets commit, long replyTo) {
    Optional<ClassicGroup> group = state.group(commit.groupId());
    Optional<ErrorCode> refusal = Offsets.checkCommit(group, commit);
    if (refusal.isPresent()) {
      return Decision.reply(replyTo, new GroupReply.CommitRefused(refusal.get()));
    }
    List<ErrorCode> errors =
        commit.offsets().stream().map(offset -> Offsets.checkOffset(settings, offset)).toList();
    List<GroupRecord> records = new ArrayList<>();
    for (int i = 0; i < errors.size(); i++) {
      if (errors.get(i) == ErrorCode.NONE) {
        OffsetToCommit offset = commit.offsets().get(i);
        records.add(Offsets.stored(commit.groupId(), offset));
      }
    }
    // A commit is a sign of life.
    List<Timer<GroupCommand>> timers =
        group.flatMap(g -> g.member(commit.sender().memberId())).stream()
            .map(
                member -> {
                  long deadlineMs = commit.nowMs() + member.terms().sessionTimeoutMs();
                  return new Timer<GroupCommand>(
                      GroupTurn.sessionKey(commit.groupId(), member.id()),
                      deadlineMs,
                      new ExpireMember(commit.groupId(), member.id(), deadlineMs));
                })
            .toList();
    return Decision.<GroupRecord, GroupCommand, GroupReply>write(
            records, replyTo, new GroupReply.OffsetsCommitted(errors))
        .withTimers(timers);
  }

  private static Decision<GroupRecord, GroupCommand, GroupReply> delete(
      Groups state, DeleteGroup delete, long replyTo) {
    Optional<ClassicGroup> group = state.group(delete.groupId());
    if (group.isEmpty()) {
      return Decision.reply(replyTo, new GroupReply.Outcome(ErrorCode.GROUP_ID_NOT_FOUND));
    }
    if (!group.get().isEmpty()) {
      return Decision.reply(replyTo, new GroupReply.Outcome(ErrorCode.NON_EMPTY_GROUP));
    }
    return Decision.write(
        Offsets.removeGroup(state, delete.groupId()),
        replyTo,
        new GroupReply.Outcome(ErrorCode.NONE));
  }

  private static Decision<GroupRecord, GroupCommand, GroupReply> deleteOffsets(
      Groups state, DeleteOffsets delete, long replyTo) {
    Optional<ClassicGroup> group = state.group(delete.groupId());
    if (group.isEmpty()) {
      return Decision.reply(replyTo, new GroupReply.Outcome(ErrorCode.GROUP_ID_NOT_FOUND));
    }
    if (!group.get().isEmpty()) {
      return Decision.reply(replyTo, new GroupReply.Outcome(ErrorCode.NON_EMPTY_GROUP));
    }
    return Decision.write(
        Offsets.remove(state, delete), replyTo, new GroupReply.Outcome(ErrorCode.NONE));
  }

  private Decision<GroupRecord, GroupCommand, GroupReply> expireOffsets(
      Groups state, ExpireOffsets expire) {
    List<GroupRecord> records = Offsets.expire(state, settings, expire.nowMs(), REMOVALS_MAX);
    long nextMs =
        records.size() >= REMOVALS_MAX
            ? expire.nowMs()
            : expire.nowMs() + settings.offsetsRetentionCheckIntervalMs();
    return Decision.<GroupRecord, GroupCommand, GroupReply>write(records)
        .withTimers(List.of(offsetsTimer(nextMs)));
  }

  private static Timer<GroupCommand> offsetsTimer(long atMs) {
    return new Timer<>(OFFSETS_TIMER, atMs, new ExpireOffsets(atMs));
  }

  @Override
  public Groups apply(Groups state, GroupRecord record) {
    return switch (record) {
      case OffsetStored(var groupId, var topic, var partition, var offset) -> {
        // The commit of an outsider, or compaction, may leave a group that nothing else tells of.
        Groups known =
            state.byId().containsKey(groupId)
                ? state
                : state.plus(ClassicGroup.empty(groupId, ClassicGroup.NO_TIMESTAMP));
        yield known.withOffsets(groupId, state.offsets(groupId).plus(topic, partition, offset));
      }
      case OffsetRemoved(var groupId, var topic, var partition) ->
          state.withOffsets(groupId, state.offsets(groupId).minus(topic, partition));
      case GroupStored stored -> state.plus(restored(stored));
      case GroupRemoved(var groupId) -> state.minus(groupId);
      case SoftRecord.GroupChanged(var group) -> state.plus(group);
      case SoftRecord.GroupForgotten(var groupId) -> state.minus(groupId);
    };
  }

  /** The group that a record tells of, with all that is not stored as good as new. */
  private static ClassicGroup restored(GroupStored stored) {
    ClassicGroup group =
        ClassicGroup.empty(stored.groupId(), stored.stateTimestampMs())
            .withGeneration(stored.generation());
    for (StoredMember member : stored.members()) {
      String protocol = stored.generation().protocol();
      List<MemberProtocol> protocols =
          protocol == null ? List.of() : List.of(new MemberProtocol(protocol, member.metadata()));
      String protocolType = stored.generation().protocolType();
      group =
          group.plus(
              new Member(
                  member.id(),
                  member.instanceId(),
                  member.client(),
                  new JoinTerms(
                      member.sessionTimeoutMs(),
                      member.rebalanceTimeoutMs(),
                      protocolType == null ? "" : protocolType,
                      protocols),
                  member.assignment(),
                  Member.NOTHING));
    }
    return group.members().isEmpty()
        ? group
        : group.withPhase(new GroupPhase.Stable(HashTreePSet.empty()));
  }

  @Override
  public List<Timer<GroupCommand>> timersAfterReplay(Groups state, long nowMs) {
    List<Timer<GroupCommand>> timers = new ArrayList<>();
    for (ClassicGroup group : state.byId().values()) {
      for (Member member : group.members().values()) {
        long deadlineMs = nowMs + member.terms().sessionTimeoutMs();
        timers.add(
            new Timer<>(
                GroupTurn.sessionKey(group.id(), member.id()),
                deadlineMs,
                new ExpireMember(group.id(), member.id(), deadlineMs)));
      }
    }
    timers.add(offsetsTimer(nowMs + settings.offsetsRetentionCheckIntervalMs()));
    return timers;
  }
}
