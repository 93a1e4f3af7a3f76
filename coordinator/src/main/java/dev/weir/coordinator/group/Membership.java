package dev.weir.coordinator.group;

import dev.weir.coordinator.group.GroupCommand.ExpireMember;
import dev.weir.coordinator.group.GroupCommand.ExpireSync;
import dev.weir.coordinator.group.GroupCommand.Heartbeat;
import dev.weir.coordinator.group.GroupCommand.Leave;
import dev.weir.coordinator.group.GroupCommand.Sync;
import dev.weir.coordinator.group.GroupReply.Left;
import dev.weir.coordinator.group.GroupReply.LeftMember;
import dev.weir.coordinator.group.GroupReply.Outcome;
import dev.weir.coordinator.group.GroupReply.SyncRefused;
import dev.weir.coordinator.group.GroupReply.Synced;
import dev.weir.coordinator.group.Member.Tenure;
import dev.weir.coordinator.group.Member.Waiting;
import dev.weir.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pcollections.PSet;

/** What members do to a group once they have joined. Functions without state. */
final class Membership {
  private Membership() {}

  static void sync(GroupTurn turn, Sync sync, long replyTo) {
    Optional<ErrorCode> refusal = checkSync(turn.group(), sync);
    if (refusal.isPresent()) {
      turn.reply(replyTo, new SyncRefused(refusal.get()));
      return;
    }
    Member member = turn.group().member(sync.sender().memberId()).orElseThrow();
    switch (turn.group().phase()) {
      case GroupPhase.Empty _ -> turn.reply(replyTo, new SyncRefused(ErrorCode.UNKNOWN_MEMBER_ID));
      case GroupPhase.PreparingRebalance _ ->
          turn.reply(replyTo, new SyncRefused(ErrorCode.REBALANCE_IN_PROGRESS));
      case GroupPhase.CompletingRebalance _ -> {
        turn.turnAway(member, ErrorCode.REBALANCE_IN_PROGRESS);
        turn.change(
            turn.group()
                .plus(member.withWaiting(new Waiting.ForSync(replyTo)))
                .settle(member.id()));
        if (turn.group().isLeader(member.id())) {
          assign(turn, sync);
        }
        endSyncTimerIfAllSynced(turn);
      }
      case GroupPhase.Stable _ -> {
        turn.change(turn.group().settle(member.id()));
        turn.restartSession(member);
        turn.reply(replyTo, synced(turn.group(), member));
        endSyncTimerIfAllSynced(turn);
      }
    }
  }

  private static Optional<ErrorCode> checkSync(ClassicGroup group, Sync sync) {
    if (group.isEmpty()) {
      return Optional.of(ErrorCode.UNKNOWN_MEMBER_ID);
    }
    Optional<ErrorCode> impostor = GroupMachine.checkMember(group, sync.sender());
    if (impostor.isPresent()) {
      return impostor;
    }
    Generation generation = group.generation();
    if (sync.generation() != generation.number()) {
      return Optional.of(ErrorCode.ILLEGAL_GENERATION);
    }
    return contradicts(sync.protocolType(), generation.protocolType())
            || contradicts(sync.protocol(), generation.protocol())
        ? Optional.of(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
        : Optional.empty();
  }

  private static boolean contradicts(@Nullable String claimed, @Nullable String actual) {
    return claimed != null && actual != null && !Objects.equals(claimed, actual);
  }

  /**
   * The leader has assigned: the group is stable once that is written, and those waiting get it.
   */
  private static void assign(GroupTurn turn, Sync sync) {
    for (Member member : turn.group().members().values()) {
      Member assigned =
          member.withAssignment(sync.assignmentByMemberId().getOrDefault(member.id(), Blob.EMPTY));
      if (member.waiting() instanceof Waiting.ForSync(long waiter)) {
        turn.reply(waiter, synced(turn.group(), assigned));
        turn.restartSession(member);
        assigned = assigned.withWaiting(Member.NOTHING);
      }
      turn.change(turn.group().plus(assigned));
    }
    turn.change(turn.group().withPhase(new GroupPhase.Stable(unsynced(turn.group()))));
    turn.writeGroup();
  }

  private static Synced synced(ClassicGroup group, Member member) {
    return new Synced(
        group.generation().protocolType(), group.generation().protocol(), member.assignment());
  }

  private static PSet<String> unsynced(ClassicGroup group) {
    return switch (group.phase()) {
      case GroupPhase.CompletingRebalance(PSet<String> unsynced) -> unsynced;
      case GroupPhase.Stable(PSet<String> unsynced) -> unsynced;
      case GroupPhase.Empty _, GroupPhase.PreparingRebalance _ ->
          throw new AssertionError("nobody syncs now, group=" + group);
    };
  }

  private static void endSyncTimerIfAllSynced(GroupTurn turn) {
    if (unsynced(turn.group()).isEmpty()) {
      turn.endSyncTimer();
    }
  }

  static void heartbeat(GroupTurn turn, Heartbeat heartbeat, long replyTo) {
    ClassicGroup group = turn.group();
    Optional<ErrorCode> impostor = GroupMachine.checkMember(group, heartbeat.sender());
    if (impostor.isPresent()) {
      turn.reply(replyTo, new Outcome(impostor.get()));
    } else if (heartbeat.generation() != group.generation().number()) {
      turn.reply(replyTo, new Outcome(ErrorCode.ILLEGAL_GENERATION));
    } else {
      turn.restartSession(group.member(heartbeat.sender().memberId()).orElseThrow());
      turn.reply(
          replyTo,
          new Outcome(
              group.phase() instanceof GroupPhase.PreparingRebalance
                  ? ErrorCode.REBALANCE_IN_PROGRESS
                  : ErrorCode.NONE));
    }
  }

  static void leave(GroupTurn turn, Leave leave, long replyTo) {
    int membersBefore = turn.group().members().size();
    List<LeftMember> left = new ArrayList<>();
    for (MemberIdentity leaving : leave.leaving()) {
      left.add(new LeftMember(leaving, takeOut(turn, leaving)));
    }
    turn.reply(replyTo, new Left(left));
    // Who had only announced itself is missed by nobody but a rebalance that waits for it.
    if (turn.group().members().size() < membersBefore
        || turn.group().phase() instanceof GroupPhase.PreparingRebalance) {
      turn.rebalance();
    }
  }

  private static ErrorCode takeOut(GroupTurn turn, MemberIdentity leaving) {
    if (!leaving.hasMemberId()) {
      // An operator names a static member by its instance.
      Optional<String> memberId = turn.group().staticMemberId(leaving.instanceId());
      memberId.ifPresent(turn::remove);
      return memberId.isPresent() ? ErrorCode.NONE : ErrorCode.UNKNOWN_MEMBER_ID;
    }
    if (turn.group().announced().contains(leaving.memberId())) {
      turn.endSession(leaving.memberId());
      turn.change(turn.group().withoutAnnounced(leaving.memberId()));
      return ErrorCode.NONE;
    }
    Optional<ErrorCode> impostor = GroupMachine.checkMember(turn.group(), leaving);
    if (impostor.isPresent()) {
      return impostor.get();
    }
    turn.remove(leaving.memberId());
    return ErrorCode.NONE;
  }

  static void expireMember(GroupTurn turn, ExpireMember expired) {
    ClassicGroup group = turn.group();
    if (group.announced().contains(expired.memberId())) {
      turn.change(group.withoutAnnounced(expired.memberId()));
      if (group.phase() instanceof GroupPhase.PreparingRebalance) {
        turn.rebalance();
      }
      return;
    }
    Optional<Member> member = group.member(expired.memberId());
    if (member.isEmpty()) {
      return;
    }
    boolean alive =
        switch (member.get().waiting()) {
          case Waiting.ForNothing _ -> false;
          // Who waits sends no heartbeats, and gets a new session with the answer.
          case Waiting.ForJoin(long _, Tenure tenure) -> tenure == Tenure.KNOWN;
          case Waiting.ForSync _ -> true;
        };
    if (!alive) {
      turn.remove(expired.memberId());
      turn.rebalance();
    }
  }

  static void expireSync(GroupTurn turn, ExpireSync expired) {
    if (turn.group().generation().number() != expired.generation()) {
      return;
    }
    switch (turn.group().phase()) {
      case GroupPhase.Empty _, GroupPhase.PreparingRebalance _ -> {}
      case GroupPhase.CompletingRebalance(PSet<String> unsynced) -> expel(turn, unsynced);
      case GroupPhase.Stable(PSet<String> unsynced) -> expel(turn, unsynced);
    }
  }

  private static void expel(GroupTurn turn, PSet<String> unsynced) {
    if (!unsynced.isEmpty()) {
      unsynced.forEach(turn::remove);
      turn.rebalance();
    }
  }
}
