package dev.weir.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.raft.Quorum.Effect;
import dev.weir.raft.Quorum.Event;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class QuorumTest {
  private static final Voter ONE = voter(1);
  private static final Voter TWO = voter(2);
  private static final Voter THREE = voter(3);

  private static Voter voter(int id) {
    return new Voter(id, new UUID(0, id), List.of());
  }

  private static Quorum alone(ElectionState election, int lastEpoch, long logEndOffset) {
    return new Quorum(ONE, List.of(ONE), election, lastEpoch, logEndOffset);
  }

  private static Quorum leading(long logEndOffset) {
    Quorum quorum = alone(ElectionState.NONE, 0, logEndOffset);
    assertThat(quorum.on(new Event.ElectionDue())).isNotEmpty();
    quorum.appended(logEndOffset + 1);
    return quorum;
  }

  @Test
  void loneVoterVotesForItselfAndLeads() {
    List<Effect> effects = alone(ElectionState.NONE, 0, 0).on(new Event.ElectionDue());
    ElectionState voted = ElectionState.voted(1, ONE);
    assertThat(effects)
        .containsExactly(
            new Effect.PersistElection(voted.withLeader(1)),
            new Effect.AppendLeaderChange(1, 1, List.of(ONE), List.of(ONE)));
  }

  @Test
  void epochRisesAboveThePersistedOne() {
    Quorum quorum = alone(ElectionState.voted(6, ONE), 4, 10);
    assertThat(quorum.on(new Event.ElectionDue())).isNotEmpty();
    assertThat(quorum.epoch()).isEqualTo(7);
  }

  @Test
  void epochRisesAboveTheLogsOwn() {
    Quorum quorum = alone(ElectionState.voted(6, ONE), 9, 10);
    assertThat(quorum.on(new Event.ElectionDue())).isNotEmpty();
    assertThat(quorum.epoch()).isEqualTo(10);
  }

  @Test
  void nothingIsCommittedBeforeTheEpochsOwnBatchIsFlushed() {
    Quorum quorum = leading(10);
    assertThat(quorum.on(new Event.Flushed(10))).isEmpty();
    assertThat(quorum.highWatermark()).isZero();
    assertThat(quorum.on(new Event.Flushed(11)))
        .containsExactly(new Effect.Commit(11), new Effect.Lead(1));
  }

  @Test
  void leadIsToldOnce() {
    Quorum quorum = leading(0);
    quorum.appended(5);
    assertThat(quorum.on(new Event.Flushed(1))).contains(new Effect.Lead(1));
    assertThat(quorum.on(new Event.Flushed(5))).containsExactly(new Effect.Commit(5));
  }

  @Test
  void staleFlushIsIgnored() {
    Quorum quorum = leading(0);
    quorum.appended(5);
    assertThat(quorum.on(new Event.Flushed(5))).isNotEmpty();
    assertThat(quorum.on(new Event.Flushed(3))).isEmpty();
    assertThat(quorum.highWatermark()).isEqualTo(5);
  }

  @Test
  void resignedLeaderStepsDownAndCommitsNoMore() {
    Quorum quorum = leading(0);
    assertThat(quorum.on(new Event.Resigned())).containsExactly(new Effect.StepDown(1));
    assertThat(quorum.on(new Event.Flushed(1))).isEmpty();
    assertThat(quorum.on(new Event.ElectionDue())).isEmpty();
  }

  @Test
  void candidateOfThreeWaitsForAnotherVote() {
    Quorum quorum = new Quorum(ONE, List.of(ONE, TWO, THREE), ElectionState.NONE, 0, 0);
    assertThat(quorum.on(new Event.ElectionDue()))
        .containsExactly(new Effect.PersistElection(ElectionState.voted(1, ONE)));
    assertThat(quorum.role()).isInstanceOf(Quorum.Role.Candidate.class);
  }

  @Test
  void strangerToTheQuorumIsRefused() {
    Voter exchanged = new Voter(1, new UUID(5, 5), List.of());
    assertThatThrownBy(() -> new Quorum(exchanged, List.of(ONE), ElectionState.NONE, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aVoteIsForgottenWhereTheLogIsAhead() {
    ElectionState old = ElectionState.voted(3, TWO).withLeader(2);
    assertThat(alone(old, 5, 0).epoch()).isEqualTo(5);
    assertThat(old.leader()).isEqualTo(OptionalInt.of(2));
  }
}
