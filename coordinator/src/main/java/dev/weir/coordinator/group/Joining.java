package dev.weir.coordinator.group;

import dev.weir.coordinator.group.GroupCommand.Join;
import dev.weir.coordinator.group.GroupCommand.JoinStyle;
import dev.weir.coordinator.group.GroupReply.Assigning;
import dev.weir.coordinator.group.GroupReply.JoinRefused;
import dev.weir.coordinator.group.GroupReply.Joined;
import dev.weir.coordinator.group.Member.Tenure;
import dev.weir.coordinator.group.Member.Waiting;
import dev.weir.protocol.ErrorCode;
import java.util.List;
import java.util.Optional;

/** What a JoinGroup does to a group. Lives within one call of {@link GroupMachine#decide}. */
final class Joining {
  private final GroupSettings settings;
  private final GroupTurn turn;
  private final Join join;
  private final long replyTo;

  Joining(GroupSettings settings, GroupTurn turn, Join join, long replyTo) {
    this.settings = settings;
    this.turn = turn;
    this.join = join;
    this.replyTo = replyTo;
  }

  void run() {
    if (!hasRoom()) {
      dropForLackOfRoom();
      return;
    }
    if (!turn.group().fits(join.terms())) {
      refuse(join.sender().memberId(), ErrorCode.INCONSISTENT_GROUP_PROTOCOL);
      return;
    }
    MemberIdentity sender = join.sender();
    if (!sender.hasMemberId()) {
      joinAsNew();
    } else if (turn.group().announced().contains(sender.memberId())) {
      add(sender.memberId());
    } else {
      rejoin();
    }
  }

  private void refuse(String memberId, ErrorCode error) {
    turn.reply(replyTo, new JoinRefused(memberId, error));
  }

  /**
   * Whether the group can take the sender in. While a rebalance is prepared those count that have
   * joined, so that a lowered limit turns away the last to come.
   */
  private boolean hasRoom() {
    ClassicGroup group = turn.group();
    String memberId = join.sender().memberId();
    return switch (group.phase()) {
      case GroupPhase.Empty _ -> true;
      case GroupPhase.PreparingRebalance _ ->
          isWaitingToJoin(memberId) || group.joined().orElse(0) < settings.groupSizeMax();
      case GroupPhase.CompletingRebalance _, GroupPhase.Stable _ ->
          group.isMember(memberId) || group.members().size() < settings.groupSizeMax();
    };
  }

  private boolean isWaitingToJoin(String memberId) {
    return turn.group()
        .member(memberId)
        .filter(member -> member.waiting() instanceof Waiting.ForJoin)
        .isPresent();
  }

  private void dropForLackOfRoom() {
    String memberId = join.sender().memberId();
    boolean wasCounted =
        turn.group().isMember(memberId) || turn.group().announced().contains(memberId);
    turn.remove(memberId);
    turn.change(turn.group().withoutAnnounced(memberId));
    refuse(MemberIdentity.NO_MEMBER_ID, ErrorCode.GROUP_MAX_SIZE_REACHED);
    if (wasCounted && turn.group().phase() instanceof GroupPhase.PreparingRebalance) {
      turn.rebalance();
    }
  }

  private void joinAsNew() {
    String freshId = join.freshMemberId();
    if (join.sender().instanceId() != null) {
      Optional<String> replacedId = turn.group().staticMemberId(join.sender().instanceId());
      if (replacedId.isPresent()) {
        replace(replacedId.get(), freshId);
      } else {
        add(freshId);
      }
    } else if (join.style() == JoinStyle.ONE_STEP) {
      add(freshId);
    } else {
      turn.change(turn.group().announce(freshId));
      turn.startSession(freshId, join.terms().sessionTimeoutMs());
      refuse(freshId, ErrorCode.MEMBER_ID_REQUIRED);
    }
  }

  private void add(String memberId) {
    turn.change(
        turn.group()
            .plus(
                new Member(
                    memberId,
                    join.sender().instanceId(),
                    join.client(),
                    join.terms(),
                    Blob.EMPTY,
                    new Waiting.ForJoin(replyTo, Tenure.NEW))));
    turn.startSession(memberId, GroupTurn.NEW_MEMBER_JOIN_TIMEOUT_MS);
    turn.rebalance();
  }

  private void rejoin() {
    MemberIdentity sender = join.sender();
    Optional<ErrorCode> impostor = GroupMachine.checkMember(turn.group(), sender);
    if (impostor.isPresent()) {
      refuse(sender.memberId(), impostor.get());
      return;
    }
    Member member = turn.group().member(sender.memberId()).orElseThrow();
    boolean unchanged = member.offers(join.terms().protocols());
    switch (turn.group().phase()) {
      case GroupPhase.PreparingRebalance _ -> update(member);
      case GroupPhase.CompletingRebalance _ -> {
        if (unchanged) {
          // It has missed the answer to its first JoinGroup.
          turn.reply(replyTo, turn.joined(member.id()));
        } else {
          update(member);
        }
      }
      case GroupPhase.Stable _ -> {
        if (unchanged && !turn.group().isLeader(member.id())) {
          turn.reply(replyTo, turn.joined(member.id()));
        } else {
          // The leader rejoins to have partitions assigned anew, with unchanged metadata too.
          update(member);
        }
      }
      case GroupPhase.Empty _ -> refuse(sender.memberId(), ErrorCode.UNKNOWN_MEMBER_ID);
    }
  }

  /** Lets a member wait for the next generation, with new terms. */
  private void update(Member member) {
    Tenure tenure =
        member.waiting() instanceof Waiting.ForJoin(long _, Tenure known) ? known : Tenure.KNOWN;
    // An earlier request of the member can't be answered with what it wants any more: its client
    // has most likely given it up.
    turn.turnAway(member, ErrorCode.REBALANCE_IN_PROGRESS);
    turn.change(
        turn.group()
            .plus(
                member.withTerms(join.terms()).withWaiting(new Waiting.ForJoin(replyTo, tenure))));
    if (turn.group().phase() instanceof GroupPhase.PreparingRebalance) {
      turn.change(turn.group().settle(member.id()));
    }
    turn.rebalance();
  }

  /** A static member is back under a new id: it takes the place of its predecessor. */
  private void replace(String oldId, String newId) {
    ClassicGroup group = turn.group();
    Member old = group.member(oldId).orElseThrow();
    boolean led = group.isLeader(oldId);
    turn.turnAway(old, ErrorCode.FENCED_INSTANCE_ID);
    turn.endSession(oldId);
    Member successor =
        new Member(
            newId, old.instanceId(), join.client(), join.terms(), old.assignment(), Member.NOTHING);
    switch (group.phase()) {
      case GroupPhase.Stable stable -> {
        takePlace(old, successor);
        if (turn.group()
            .preferredProtocol()
            .equals(Optional.ofNullable(group.generation().protocol()))) {
          keepGeneration(stable, old, led);
        } else {
          update(turn.group().member(newId).orElseThrow());
        }
      }
      case GroupPhase.CompletingRebalance _ -> {
        // The leader may be assigning to the old id by now.
        takePlace(old, successor);
        update(turn.group().member(newId).orElseThrow());
      }
      case GroupPhase.PreparingRebalance _ -> {
        takePlace(old, successor.withWaiting(new Waiting.ForJoin(replyTo, Tenure.KNOWN)));
        turn.restartSession(successor);
        turn.rebalance();
      }
      case GroupPhase.Empty _ ->
          throw new AssertionError("an empty group has a static member, group=" + group);
    }
  }

  private void takePlace(Member old, Member successor) {
    boolean led = turn.group().isLeader(old.id());
    turn.change(turn.group().minus(old.id()).plus(successor));
    if (led) {
      turn.change(
          turn.group().withGeneration(turn.group().generation().withLeader(successor.id())));
    }
  }

  /**
   * The group goes on: the returned member keeps the assignment, and gets it when it syncs. A
   * returned leader must not assign anew: where its version allows it is told so, and else it is
   * told that the old id leads.
   */
  private void keepGeneration(GroupPhase.Stable stable, Member old, boolean led) {
    String newId = join.freshMemberId();
    if (stable.unsynced().contains(old.id())) {
      turn.change(
          turn.group()
              .withPhase(new GroupPhase.Stable(stable.unsynced().minus(old.id()).plus(newId))));
    }
    turn.restartSession(turn.group().member(newId).orElseThrow());
    turn.writeGroup();
    Generation generation = turn.group().generation();
    if (!led) {
      turn.reply(replyTo, turn.joined(newId));
    } else if (join.style() == JoinStyle.MAY_SKIP_ASSIGNMENT) {
      turn.reply(replyTo, new Joined(newId, generation, Assigning.SKIPPED, turn.joinedMembers()));
    } else {
      turn.reply(
          replyTo,
          new Joined(newId, generation.withLeader(old.id()), Assigning.BY_LEADER, List.of()));
    }
  }
}
