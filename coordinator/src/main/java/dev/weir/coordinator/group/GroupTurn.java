package dev.weir.coordinator.group;

import dev.weir.coordinator.group.GroupReply.Assigning;
import dev.weir.coordinator.group.GroupReply.JoinRefused;
import dev.weir.coordinator.group.GroupReply.Joined;
import dev.weir.coordinator.group.GroupReply.JoinedMember;
import dev.weir.coordinator.group.GroupReply.SyncRefused;
import dev.weir.coordinator.group.Member.Waiting;
import dev.weir.coordinator.group.StoredRecord.GroupStored;
import dev.weir.coordinator.group.StoredRecord.StoredMember;
import dev.weir.machine.Decision;
import dev.weir.machine.Reply;
import dev.weir.machine.Timer;
import dev.weir.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashTreePSet;
import org.pcollections.PSet;

/**
 * One decision about one group while it is being made: the group as it will be, and what is to be
 * written, answered and timed. Holds the steps of a rebalance that all commands share. Lives within
 * one call of {@link GroupMachine#decide}.
 */
final class GroupTurn {
  /**
   * How long the JoinGroup of a new member may wait. It can send no heartbeats, and its client may
   * have given up and come again as another new member: those that did must not pile up.
   */
  static final int NEW_MEMBER_JOIN_TIMEOUT_MS = 5 * 60 * 1000;

  /** Whatever the members ask for, a generation that nobody joins is not tried more often. */
  private static final int POSTPONED_JOIN_MIN_MS = 1000;

  private final GroupSettings settings;
  private final long nowMs;
  private final ClassicGroup before;
  private final List<GroupRecord> records = new ArrayList<>();
  private final List<Reply<GroupReply>> replies = new ArrayList<>();
  private final List<Timer<GroupCommand>> timers = new ArrayList<>();
  private ClassicGroup group;

  GroupTurn(GroupSettings settings, ClassicGroup group, long nowMs) {
    this.settings = settings;
    this.before = group;
    this.group = group;
    this.nowMs = nowMs;
  }

  ClassicGroup group() {
    return group;
  }

  void change(ClassicGroup changed) {
    group = changed;
  }

  void reply(long replyTo, GroupReply value) {
    replies.add(new Reply<>(replyTo, value));
  }

  void write(StoredRecord record) {
    records.add(record);
  }

  /** The decision: the group's change is soft, and follows what is written of it. */
  @SuppressWarnings("ReferenceEquality") // an equal group of another identity changes nothing
  Decision<GroupRecord, GroupCommand, GroupReply> decision() {
    List<GroupRecord> soft =
        group == before && records.isEmpty()
            ? List.of()
            : List.of(new SoftRecord.GroupChanged(group));
    return new Decision<>(records, soft, replies, timers);
  }

  /** As {@link #decision}, where a group that was never written leaves nothing behind. */
  Decision<GroupRecord, GroupCommand, GroupReply> forgetting() {
    return new Decision<>(
        List.of(), List.of(new SoftRecord.GroupForgotten(group.id())), replies, timers);
  }

  // Timers.

  void startSession(String memberId, int timeoutMs) {
    long deadlineMs = nowMs + timeoutMs;
    timers.add(
        new Timer<>(
            sessionKey(group.id(), memberId),
            deadlineMs,
            new GroupCommand.ExpireMember(group.id(), memberId, deadlineMs)));
  }

  void restartSession(Member member) {
    startSession(member.id(), member.terms().sessionTimeoutMs());
  }

  void endSession(String memberId) {
    timers.add(Timer.cancel(sessionKey(group.id(), memberId)));
  }

  private void startJoinTimer(int timeoutMs) {
    long deadlineMs = nowMs + timeoutMs;
    timers.add(
        new Timer<>(
            joinKey(group.id()),
            deadlineMs,
            new GroupCommand.CompleteJoin(group.id(), deadlineMs)));
  }

  private void startSyncTimer(int timeoutMs) {
    long deadlineMs = nowMs + timeoutMs;
    timers.add(
        new Timer<>(
            syncKey(group.id()),
            deadlineMs,
            new GroupCommand.ExpireSync(group.id(), group.generation().number(), deadlineMs)));
  }

  void endSyncTimer() {
    timers.add(Timer.cancel(syncKey(group.id())));
  }

  /** Ids hold any character but, by Kafka's rules for strings, hardly NUL: keys stay apart. */
  static String sessionKey(String groupId, String memberId) {
    return "session\0" + groupId + '\0' + memberId;
  }

  private static String joinKey(String groupId) {
    return "join\0" + groupId;
  }

  private static String syncKey(String groupId) {
    return "sync\0" + groupId;
  }

  // Membership.

  /** Answers what a member waits for, if it does, with an error, and has it wait for nothing. */
  void turnAway(Member member, ErrorCode error) {
    switch (member.waiting()) {
      case Waiting.ForNothing _ -> {}
      case Waiting.ForJoin(long replyTo, Member.Tenure _) ->
          reply(
              replyTo,
              new JoinRefused(
                  error == ErrorCode.UNKNOWN_MEMBER_ID ? MemberIdentity.NO_MEMBER_ID : member.id(),
                  error));
      case Waiting.ForSync(long replyTo) -> reply(replyTo, new SyncRefused(error));
    }
    group = group.plus(member.withWaiting(Member.NOTHING));
  }

  /** Takes a member out. A request of it that waits is answered, so that the client joins anew. */
  void remove(String memberId) {
    group.member(memberId).ifPresent(member -> turnAway(member, ErrorCode.UNKNOWN_MEMBER_ID));
    endSession(memberId);
    group = group.minus(memberId);
  }

  // A rebalance.

  /** Starts a rebalance, or goes on with one that waited for what has just changed. */
  void rebalance() {
    switch (group.phase()) {
      case GroupPhase.PreparingRebalance _ -> beginGenerationIfAllJoined();
      case GroupPhase.Empty _ ->
          prepareRebalance(
              Math.min(settings.initialRebalanceDelayMs(), group.rebalanceTimeoutMs()));
      case GroupPhase.CompletingRebalance _ -> {
        refuseSyncs();
        prepareRebalance(group.rebalanceTimeoutMs());
      }
      case GroupPhase.Stable _ -> prepareRebalance(group.rebalanceTimeoutMs());
    }
  }

  /** The members that wait for an assignment will not get it: they are to rejoin. */
  private void refuseSyncs() {
    for (Member member : group.members().values()) {
      if (member.waiting() instanceof Waiting.ForSync) {
        turnAway(member, ErrorCode.REBALANCE_IN_PROGRESS);
        restartSession(member);
      }
    }
    for (Member member : group.members().values()) {
      group = group.plus(member.withAssignment(Blob.EMPTY));
    }
  }

  private void prepareRebalance(int timeoutMs) {
    endSyncTimer();
    PSet<String> awaited = HashTreePSet.empty();
    for (Member member : group.members().values()) {
      if (!(member.waiting() instanceof Waiting.ForJoin)) {
        awaited = awaited.plus(member.id());
      }
    }
    group = group.withPhase(new GroupPhase.PreparingRebalance(awaited));
    startJoinTimer(timeoutMs);
    beginGenerationIfAllJoined();
  }

  /**
   * Begins the next generation where nobody is awaited: each member has rejoined, and those that
   * have announced themselves have joined. So a lone member never waits, and members that start
   * together are taken in together.
   */
  private void beginGenerationIfAllJoined() {
    if (group.phase() instanceof GroupPhase.PreparingRebalance(PSet<String> awaited)
        && awaited.isEmpty()
        && group.announced().isEmpty()) {
      beginGeneration();
    }
  }

  /** Begins the next generation with those that have rejoined; does nothing in another phase. */
  void beginGeneration() {
    if (!(group.phase() instanceof GroupPhase.PreparingRebalance(PSet<String> awaited))) {
      return;
    }
    for (Member member : List.copyOf(group.members().values())) {
      if (awaited.contains(member.id()) && !member.isStatic()) {
        remove(member.id());
      }
    }
    if (group.members().isEmpty()) {
      becomeEmpty();
      return;
    }
    Optional<String> leader = nextLeader();
    if (leader.isEmpty()) {
      // Only static members are left, and none has come back: they keep their places until their
      // sessions end.
      startJoinTimer(Math.max(POSTPONED_JOIN_MIN_MS, group.rebalanceTimeoutMs()));
      return;
    }
    timers.add(Timer.cancel(joinKey(group.id())));
    group =
        group
            .withGeneration(
                group.generation().next(group.preferredProtocol().orElse(null), leader.get()))
            .withPhase(
                new GroupPhase.CompletingRebalance(HashTreePSet.from(group.members().keySet())))
            .withStateTimestampMs(nowMs);
    for (Member member : group.members().values()) {
      if (member.waiting() instanceof Waiting.ForJoin(long replyTo, Member.Tenure _)) {
        reply(replyTo, joined(member.id()));
        group = group.plus(member.withWaiting(Member.NOTHING));
      }
      restartSession(member);
    }
    startSyncTimer(group.rebalanceTimeoutMs());
  }

  /** The leader if it has rejoined, else the member that came first among those that have. */
  private Optional<String> nextLeader() {
    String leader = group.generation().leader();
    List<String> rejoined =
        group.members().values().stream()
            .filter(member -> member.waiting() instanceof Waiting.ForJoin)
            .map(Member::id)
            .toList();
    return leader != null && rejoined.contains(leader)
        ? Optional.of(leader)
        : rejoined.stream().findFirst();
  }

  private void becomeEmpty() {
    timers.add(Timer.cancel(joinKey(group.id())));
    group =
        group
            .withGeneration(group.generation().next(null, null))
            .withPhase(new GroupPhase.Empty())
            .withStateTimestampMs(nowMs);
    writeGroup();
  }

  /** What a member of the current generation is told that joins. */
  Joined joined(String memberId) {
    return new Joined(
        memberId,
        group.generation(),
        Assigning.BY_LEADER,
        group.isLeader(memberId) ? joinedMembers() : List.of());
  }

  /** All members as the leader gets to see them. */
  List<JoinedMember> joinedMembers() {
    String protocol = group.generation().protocol();
    return group.members().values().stream()
        .map(
            member -> new JoinedMember(member.id(), member.instanceId(), member.metadata(protocol)))
        .toList();
  }

  /** Writes the group as it is now. */
  void writeGroup() {
    String protocol = group.generation().protocol();
    List<StoredMember> members =
        group.members().values().stream()
            .map(
                member ->
                    new StoredMember(
                        member.id(),
                        member.instanceId(),
                        member.client(),
                        member.terms().sessionTimeoutMs(),
                        member.terms().rebalanceTimeoutMs(),
                        member.metadata(protocol),
                        member.assignment()))
            .toList();
    write(new GroupStored(group.id(), group.generation(), group.stateTimestampMs(), members));
  }
}
