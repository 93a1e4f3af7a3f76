package dev.weir.coordinator.group;

import dev.weir.coordinator.group.Member.Waiting;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.OrderedPMap;
import org.pcollections.PMap;
import org.pcollections.PSet;

/**
 * A group of the classic protocol, whose members join, are led by one of them, and sync. Immutable.
 *
 * <p>Invariants: a group has no members exactly while it is empty, or while it prepares a rebalance
 * whose last member has just left; the leader, where there is one, is a member; members wait for a
 * join only while a rebalance is prepared and for a sync only while one is completed; a member
 * which is awaited or unsynced is a member; {@code staticMemberIds} mirrors the members' instance
 * ids.
 *
 * @param stateTimestampMs when the phase last changed to what is stored, in milliseconds since the
 *     epoch, or {@link #NO_TIMESTAMP}
 * @param members by id, in the order in which they came
 * @param announced member ids that were given out and whose owners have not come back yet
 * @param staticMemberIds member ids by instance id
 */
record ClassicGroup(
    String id,
    Generation generation,
    GroupPhase phase,
    long stateTimestampMs,
    OrderedPMap<String, Member> members,
    PSet<String> announced,
    PMap<String, String> staticMemberIds) {

  static final long NO_TIMESTAMP = -1;

  static ClassicGroup empty(String id, long nowMs) {
    return new ClassicGroup(
        id,
        Generation.NONE,
        new GroupPhase.Empty(),
        nowMs,
        OrderedPMap.empty(),
        HashTreePSet.empty(),
        HashTreePMap.empty());
  }

  /**
   * @throws AssertionError if one of the invariants is broken
   */
  void checkInvariants() {
    String leader = generation.leader();
    require(leader == null || isMember(leader), "the leader is no member");
    require(members.isEmpty() || generation.protocolType() != null, "members without a type");
    require(announced.stream().noneMatch(this::isMember), "a member is announced");
    members.forEach((memberId, member) -> require(memberId.equals(member.id()), "a wrong key"));
    require(
        staticMemberIds.equals(
            members.values().stream()
                .filter(Member::isStatic)
                .collect(
                    Collectors.toMap(
                        member -> Objects.requireNonNull(member.instanceId()), Member::id))),
        "static members differ from members");
    switch (phase) {
      case GroupPhase.Empty _ -> require(members.isEmpty(), "an empty group has members");
      case GroupPhase.PreparingRebalance(PSet<String> awaited) ->
          members
              .values()
              .forEach(
                  member ->
                      require(
                          awaited.contains(member.id())
                              != member.waiting() instanceof Waiting.ForJoin,
                          "a member is neither awaited nor waits, or both: " + member));
      case GroupPhase.CompletingRebalance(PSet<String> unsynced) -> {
        require(leader != null, "nobody leads");
        members
            .values()
            .forEach(
                member ->
                    require(
                        unsynced.contains(member.id())
                            != member.waiting() instanceof Waiting.ForSync,
                        "a member is neither unsynced nor waits, or both: " + member));
      }
      case GroupPhase.Stable(PSet<String> unsynced) -> {
        require(leader != null, "nobody leads");
        require(members.keySet().containsAll(unsynced), "a stranger is unsynced");
        members
            .values()
            .forEach(member -> require(member.waiting().equals(Member.NOTHING), "one waits"));
      }
    }
  }

  private void require(boolean condition, String broken) {
    if (!condition) {
      throw new AssertionError(broken + ", group=" + this);
    }
  }

  boolean isEmpty() {
    return phase instanceof GroupPhase.Empty;
  }

  boolean isLeader(String memberId) {
    return memberId.equals(generation.leader());
  }

  boolean isMember(String memberId) {
    return members.containsKey(memberId);
  }

  Optional<Member> member(String memberId) {
    return Optional.ofNullable(members.get(memberId));
  }

  Optional<String> staticMemberId(@Nullable String instanceId) {
    return instanceId == null
        ? Optional.empty()
        : Optional.ofNullable(staticMemberIds.get(instanceId));
  }

  /** How long the slowest member may take to rejoin. */
  int rebalanceTimeoutMs() {
    return members.values().stream().mapToInt(m -> m.terms().rebalanceTimeoutMs()).max().orElse(0);
  }

  /**
   * Whether a member with these terms fits: of the group's protocol type, and with a protocol that
   * all members know. Anything that names a type and a protocol fits an empty group.
   */
  boolean fits(JoinTerms terms) {
    if (isEmpty()) {
      return !terms.protocolType().isEmpty() && !terms.protocols().isEmpty();
    }
    return terms.protocolType().equals(generation.protocolType())
        && terms.protocols().stream().anyMatch(p -> supportedByAll(p.name()));
  }

  private boolean supportedByAll(String protocol) {
    return members.values().stream().allMatch(m -> m.supports(protocol));
  }

  /**
   * The protocol that most members like best among those that all know; of equally liked ones the
   * first by name. Empty where there is none, which {@link #fits} prevents.
   */
  Optional<String> preferredProtocol() {
    List<String> candidates =
        members.values().stream()
            .findFirst()
            .map(first -> first.terms().protocols())
            .orElse(List.of())
            .stream()
            .map(MemberProtocol::name)
            .filter(this::supportedByAll)
            .toList();
    Map<String, Long> votes =
        members.values().stream()
            .flatMap(m -> vote(m, candidates).stream())
            .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    return votes.entrySet().stream()
        .max(
            Map.Entry.<String, Long>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
        .map(Map.Entry::getKey);
  }

  private static Optional<String> vote(Member member, List<String> candidates) {
    return member.terms().protocols().stream()
        .map(MemberProtocol::name)
        .filter(candidates::contains)
        .findFirst();
  }

  /** The members that have sent their JoinGroup for the next generation. */
  OptionalInt joined() {
    return phase instanceof GroupPhase.PreparingRebalance(PSet<String> awaited)
        ? OptionalInt.of(members.size() - awaited.size())
        : OptionalInt.empty();
  }

  ClassicGroup withGeneration(Generation value) {
    return new ClassicGroup(
        id, value, phase, stateTimestampMs, members, announced, staticMemberIds);
  }

  ClassicGroup withPhase(GroupPhase value) {
    return new ClassicGroup(
        id, generation, value, stateTimestampMs, members, announced, staticMemberIds);
  }

  ClassicGroup withStateTimestampMs(long value) {
    return new ClassicGroup(id, generation, phase, value, members, announced, staticMemberIds);
  }

  ClassicGroup announce(String memberId) {
    return withAnnounced(announced.plus(memberId));
  }

  ClassicGroup withoutAnnounced(String memberId) {
    return withAnnounced(announced.minus(memberId));
  }

  private ClassicGroup withAnnounced(PSet<String> value) {
    return new ClassicGroup(
        id, generation, phase, stateTimestampMs, members, value, staticMemberIds);
  }

  /** Adds a member, or replaces the one of its id. */
  ClassicGroup plus(Member member) {
    String instanceId = member.instanceId();
    return new ClassicGroup(
        id,
        members.isEmpty() ? generation.withProtocolType(member.terms().protocolType()) : generation,
        phase,
        stateTimestampMs,
        members.plus(member.id(), member),
        announced.minus(member.id()),
        instanceId == null ? staticMemberIds : staticMemberIds.plus(instanceId, member.id()));
  }

  /** Takes a member out, from all places. Does nothing where it is none. */
  ClassicGroup minus(String memberId) {
    Member member = members.get(memberId);
    if (member == null) {
      return this;
    }
    String instanceId = member.instanceId();
    return new ClassicGroup(
        id,
        isLeader(memberId) ? generation.withLeader(null) : generation,
        phase(memberId),
        stateTimestampMs,
        members.minus(memberId),
        announced,
        instanceId == null ? staticMemberIds : staticMemberIds.minus(instanceId));
  }

  /** The phase once a member is no longer awaited or unsynced. */
  private GroupPhase phase(String settledId) {
    return switch (phase) {
      case GroupPhase.Empty empty -> empty;
      case GroupPhase.PreparingRebalance(PSet<String> awaited) ->
          new GroupPhase.PreparingRebalance(awaited.minus(settledId));
      case GroupPhase.CompletingRebalance(PSet<String> unsynced) ->
          new GroupPhase.CompletingRebalance(unsynced.minus(settledId));
      case GroupPhase.Stable(PSet<String> unsynced) ->
          new GroupPhase.Stable(unsynced.minus(settledId));
    };
  }

  /** Notes that the awaited JoinGroup or SyncGroup of a member has come. */
  ClassicGroup settle(String memberId) {
    return withPhase(phase(memberId));
  }
}
