package dev.weir.raft;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One voter's part in the consensus on the metadata log, after KIP-595: election, and what counts
 * as committed. A plain single-threaded object: no clock, thread, file or socket inside. It covers
 * what a quorum of one voter goes through; a candidate that needs other votes waits for them.
 *
 * <p>Invariants, checked after every event: epochs never go back; the high watermark never goes
 * back; a leader commits nothing by counting that is not above the start of its own epoch (Raft
 * §5.4.2).
 */
final class Quorum {

  /** What happens to the voter. */
  sealed interface Event {
    /** The voter's time to stand for election has come: at its start, for a lone voter. */
    record ElectionDue() implements Event {}

    /** Everything below the offset is on this voter's disk. */
    record Flushed(long endOffset) implements Event {}

    /** The voter's log has failed, or the node stops. */
    record Resigned() implements Event {}
  }

  /** What is to be done about it, in order. */
  sealed interface Effect {
    /** Write the state durably, before anything after it is done. */
    record PersistElection(ElectionState state) implements Effect {}

    /** Append the epoch's first batch, a leader change, and have it flushed. */
    record AppendLeaderChange(int epoch, int leaderId, List<Voter> voters, List<Voter> granting)
        implements Effect {}

    /** Everything below the offset is committed. */
    record Commit(long highWatermark) implements Effect {}

    /** The first batch of the epoch is committed: appends may be taken. */
    record Lead(int epoch) implements Effect {}

    /** Appends may no longer be taken, and those not committed yet may be lost. */
    record StepDown(int epoch) implements Effect {}
  }

  /** What the voter is at the moment. */
  sealed interface Role {
    record Unattached() implements Role {}

    record Candidate(Set<Integer> granted) implements Role {}

    /**
     * Leads.
     *
     * @param flushedByVoter offset below which everything is on that voter's disk
     */
    record Leader(long epochStartOffset, Map<Integer, Long> flushedByVoter) implements Role {}

    record Resigned() implements Role {}
  }

  private final Voter local;
  private final List<Voter> voters;
  private ElectionState election;
  private long logEndOffset;
  private long highWatermark;
  private Role role = new Role.Unattached();

  /**
   * Makes a voter that has just started.
   *
   * @param voters the quorum, this voter among them
   * @param election what was persisted last
   * @param lastEpoch of the log, which may be ahead of what was persisted
   * @param logEndOffset of the log
   */
  Quorum(
      Voter local, List<Voter> voters, ElectionState election, int lastEpoch, long logEndOffset) {
    if (voters.stream().noneMatch(local::isSame)) {
      throw new IllegalArgumentException("voter " + local + " is none of the voters " + voters);
    }
    this.local = local;
    this.voters = List.copyOf(voters);
    this.election =
        election.epoch() >= lastEpoch
            ? election
            : new ElectionState(lastEpoch, OptionalInt.empty(), Optional.empty());
    this.logEndOffset = logEndOffset;
  }

  List<Effect> on(Event event) {
    int epochBefore = election.epoch();
    long highWatermarkBefore = highWatermark;
    List<Effect> effects =
        switch (event) {
          case Event.ElectionDue() -> becomeCandidate();
          case Event.Flushed(long endOffset) -> onFlushed(endOffset);
          case Event.Resigned() -> resign();
        };
    assert election.epoch() >= epochBefore : this + ", epoch before was " + epochBefore;
    assert highWatermark >= highWatermarkBefore
        : this + ", high watermark before was " + highWatermarkBefore;
    assert highWatermark <= logEndOffset : this;
    return effects;
  }

  /** Tells of an append by this leader. */
  void appended(long endOffset) {
    assert endOffset >= logEndOffset : this + ", appended up to " + endOffset;
    logEndOffset = endOffset;
  }

  int epoch() {
    return election.epoch();
  }

  long highWatermark() {
    return highWatermark;
  }

  Role role() {
    return role;
  }

  private List<Effect> becomeCandidate() {
    if (!(role instanceof Role.Unattached)) {
      // A timer that fired before the voter learned of, or became, a leader.
      return List.of();
    }
    election = ElectionState.voted(election.epoch() + 1, local);
    role = new Role.Candidate(Set.of(local.id()));
    if (hasMajority(Set.of(local.id()))) {
      // Nobody is asked, so the vote and its outcome are one step, and one write.
      return becomeLeader(Set.of(local.id()));
    }
    return List.of(new Effect.PersistElection(election));
  }

  private List<Effect> becomeLeader(Set<Integer> granted) {
    election = election.withLeader(local.id());
    role = new Role.Leader(logEndOffset, new HashMap<>());
    return List.of(
        new Effect.PersistElection(election),
        new Effect.AppendLeaderChange(
            election.epoch(),
            local.id(),
            voters,
            voters.stream().filter(voter -> granted.contains(voter.id())).toList()));
  }

  private List<Effect> onFlushed(long endOffset) {
    if (!(role instanceof Role.Leader(long epochStartOffset, Map<Integer, Long> flushedByVoter))) {
      // A flush that was under way when the voter resigned.
      return List.of();
    }
    assert endOffset <= logEndOffset : this + ", flushed up to " + endOffset;
    flushedByVoter.merge(local.id(), endOffset, Math::max);
    long onMajority = onMajority(flushedByVoter);
    if (onMajority <= epochStartOffset || onMajority <= highWatermark) {
      return List.of();
    }
    boolean first = highWatermark <= epochStartOffset;
    highWatermark = onMajority;
    Effect commit = new Effect.Commit(highWatermark);
    return first ? List.of(commit, new Effect.Lead(election.epoch())) : List.of(commit);
  }

  private List<Effect> resign() {
    boolean led = role instanceof Role.Leader;
    role = new Role.Resigned();
    return led ? List.of(new Effect.StepDown(election.epoch())) : List.of();
  }

  /** The greatest offset that a majority of the voters has flushed. */
  private long onMajority(Map<Integer, Long> flushedByVoter) {
    List<Long> offsets = new ArrayList<>();
    for (Voter voter : voters) {
      offsets.add(flushedByVoter.getOrDefault(voter.id(), 0L));
    }
    offsets.sort(Collections.reverseOrder());
    return offsets.get(voters.size() / 2);
  }

  private boolean hasMajority(Set<Integer> granted) {
    Set<Integer> counted = new HashSet<>(granted);
    counted.retainAll(voters.stream().map(Voter::id).toList());
    return counted.size() > voters.size() / 2;
  }

  @Override
  public String toString() {
    return "Quorum[local="
        + local.id()
        + ", voters="
        + voters.stream().map(Voter::id).toList()
        + ", "
        + election
        + ", "
        + role
        + ", logEndOffset="
        + logEndOffset
        + ", highWatermark="
        + highWatermark
        + "]";
  }
}
