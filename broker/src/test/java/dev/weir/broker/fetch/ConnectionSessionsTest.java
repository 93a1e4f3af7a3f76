package dev.weir.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.broker.fetch.FetchSession.Owner;
import dev.weir.protocol.message.FetchRequest;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Who is refused a session, and whose is ended for others. */
class ConnectionSessionsTest {
  private static final long ONE_SESSION = SessionBytes.of(request());

  private final AtomicLong nowNs = new AtomicLong();
  private final FetchSessions node = new FetchSessions(2 * ONE_SESSION);
  private final LoopSessions loop = new LoopSessions();

  private static FetchRequest request() {
    return SessionRequests.ofEpoch(0).from("t", 0, 0).request();
  }

  private ConnectionSessions connection() {
    return new ConnectionSessions(node, loop, Runnable::run, nowNs::get);
  }

  private static Optional<HeldSession> begin(ConnectionSessions connection, Owner owner) {
    return connection.begin(request(), owner, TopicNaming.NAME);
  }

  /** Begins a session on a connection of its own, and ends its first request. */
  private HeldSession beginAndAnswer(Owner owner) {
    ConnectionSessions connection = connection();
    HeldSession session = begin(connection, owner).orElseThrow();
    connection.release(session);
    return session;
  }

  private static boolean isThere(HeldSession session) {
    return session.home().take(session.session().id()).isPresent();
  }

  @Test
  void aConsumerIsRefusedWhereOthersUseAllMemory() {
    beginAndAnswer(Owner.CONSUMER);
    beginAndAnswer(Owner.CONSUMER);
    nowNs.addAndGet(LoopSessions.IDLE_NS - 1);
    assertThat(begin(connection(), Owner.CONSUMER)).isEmpty();
    assertThat(node.refused()).isOne();
    assertThat(node.evicted()).isZero();
    assertThat(node.sessions()).isEqualTo(2);
  }

  @Test
  void theSessionThatIsIdleLongestIsEndedForAnother() {
    HeldSession older = beginAndAnswer(Owner.CONSUMER);
    nowNs.addAndGet(1);
    HeldSession newer = beginAndAnswer(Owner.CONSUMER);
    nowNs.addAndGet(LoopSessions.IDLE_NS);
    assertThat(begin(connection(), Owner.CONSUMER)).isPresent();
    assertThat(isThere(older)).isFalse();
    assertThat(isThere(newer)).isTrue();
    assertThat(node.evicted()).isOne();
    assertThat(node.bytes()).isEqualTo(2 * ONE_SESSION);
  }

  @Test
  void aSessionWhoseRequestWaitsIsNotIdle() {
    HeldSession waiting = begin(connection(), Owner.CONSUMER).orElseThrow();
    HeldSession alsoWaiting = beginAndAnswer(Owner.CONSUMER);
    assertThat(isThere(alsoWaiting)).isTrue();
    nowNs.addAndGet(2 * LoopSessions.IDLE_NS);
    assertThat(begin(connection(), Owner.CONSUMER)).isEmpty();
    assertThat(isThere(waiting)).isTrue();
  }

  @Test
  void aReplicaIsNeverRefusedAndGivesNothingUp() {
    HeldSession first = beginAndAnswer(Owner.REPLICA);
    HeldSession second = beginAndAnswer(Owner.REPLICA);
    HeldSession third = beginAndAnswer(Owner.REPLICA);
    nowNs.addAndGet(2 * LoopSessions.IDLE_NS);
    assertThat(begin(connection(), Owner.CONSUMER)).isEmpty();
    assertThat(isThere(first) && isThere(second) && isThere(third)).isTrue();
    assertThat(node.refused()).isOne();
  }

  @Test
  void whatAConnectionHadIsFreeWhenItEnds() {
    ConnectionSessions connection = connection();
    HeldSession _ = begin(connection, Owner.CONSUMER).orElseThrow();
    HeldSession inUse = begin(connection, Owner.REPLICA).orElseThrow();
    connection.end();
    connection.release(inUse); // its request ends with it
    assertThat(node.bytes()).isZero();
    assertThat(node.sessions()).isZero();
    assertThat(node.partitions()).isZero();
    nowNs.addAndGet(2 * LoopSessions.IDLE_NS);
    assertThat(loop.endOneIdle(nowNs.get())).isFalse();
  }

  @Test
  void whatIsForgottenIsGivenBack() {
    ConnectionSessions connection = connection();
    HeldSession session =
        connection
            .begin(
                SessionRequests.ofEpoch(0).from("t", 0, 0).from("u", 0, 0).request(),
                Owner.CONSUMER,
                TopicNaming.NAME)
            .orElseThrow();
    session.session().want(SessionRequests.ofEpoch(1).forget("u", 0).request());
    assertThat(connection.recount(session)).isTrue();
    assertThat(node.partitions()).isOne();
    assertThat(node.bytes()).isLessThan(ONE_SESSION + SessionBytes.OF_PARTITION + 1);
  }

  @Test
  void twoPartitionsThatAreOneAreCountedOnce() {
    HeldSession session =
        connection()
            .begin(
                SessionRequests.ofEpoch(0).from("t", 0, 0).from("t", 0, 5).request(),
                Owner.CONSUMER,
                TopicNaming.NAME)
            .orElseThrow();
    assertThat(session.session().size()).isOne();
    assertThat(node.bytes()).isEqualTo(ONE_SESSION);
  }
}
