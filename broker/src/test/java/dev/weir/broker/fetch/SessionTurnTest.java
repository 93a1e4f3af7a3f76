package dev.weir.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.broker.fetch.FakeLogs.FakeLog;
import dev.weir.broker.fetch.FakeLogs.FakeLook;
import dev.weir.broker.fetch.FetchSession.Owner;
import dev.weir.broker.fetch.SessionTurn.Extent;
import dev.weir.broker.fetch.SessionTurn.Size;
import dev.weir.log.ReadUpTo;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.Uuids;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionTurnTest {
  private static final Size ANY = new Size(0, 1 << 20);
  private static final Size ONE_BYTE = new Size(1, 1 << 20);

  private final Deque<Runnable> loop = new ArrayDeque<>();
  private final FakeLogs logs = new FakeLogs();
  private final FetchSession session =
      new FetchSession(7, Owner.CONSUMER, TopicNaming.NAME, loop::add);
  private int epoch;

  /** Takes a request of the session in, the next one after those before. */
  private SessionTurn turn(SessionRequests request, Size size) {
    session.readUpTo(ReadUpTo.HIGH_WATERMARK);
    if (epoch == 0) {
      session.want(request.request());
    } else {
      assertThat(session.accept(request.request().withSessionEpoch(epoch), TopicNaming.NAME))
          .isEqualTo(ErrorCode.NONE);
    }
    Extent extent = epoch == 0 ? Extent.ALL : Extent.NEWS;
    epoch++;
    return new SessionTurn(session, logs, extent, size);
  }

  private static SessionRequests nothingNew() {
    return SessionRequests.ofEpoch(0);
  }

  private List<FakeLook> answer(SessionTurn turn) {
    return turn.answer().stream().map(FakeLook.class::cast).toList();
  }

  private List<FakeLook> ask(SessionRequests request, Size size) {
    SessionTurn turn = turn(request, size);
    boolean _ = turn.begin();
    return answer(turn);
  }

  private FakeLog log(int number) {
    return logs.find("t", number).orElseGet(() -> logs.create("t", number));
  }

  /** Begins with partitions from 0 on, at their beginning, and a first answer. */
  private void begin(int partitions) {
    SessionRequests request = nothingNew();
    for (int number = 0; number < partitions; number++) {
      FakeLog _ = log(number);
      request.from("t", number, 0);
    }
    assertThat(ask(request, ANY)).hasSize(partitions);
    assertThat(ask(nothingNew(), ANY)).isEmpty();
    int _ = logs.takeLooks();
  }

  @Test
  void theFirstAnswerTellsAllThatWasNamed() {
    FakeLog _ = log(0);
    log(1).append(10);
    List<FakeLook> first =
        ask(nothingNew().from("t", 0, 0).from("t", 1, 0).from("gone", 0, 0), ANY);
    assertThat(first).extracting(FakeLook::name).containsExactly("t-0", "t-1", "gone-0");
    assertThat(first).extracting(FakeLook::bytes).containsExactly(0, 10, 0);
  }

  @Test
  void theFirstAnswerTellsAllThoughItsBytesAreSpent() {
    log(0).append(10);
    log(1).append(10);
    List<FakeLook> first = ask(nothingNew().from("t", 0, 0).from("t", 1, 0), new Size(1, 1));
    assertThat(first).extracting(FakeLook::bytes).containsExactly(10, 0);
    assertThat(ask(nothingNew().from("t", 0, 1), new Size(1, 1)))
        .as("what did not fit comes next")
        .extracting(FakeLook::name)
        .containsExactly("t-1");
  }

  @Test
  void anIdleSessionLooksAtNothing() {
    begin(300);
    SessionTurn turn = turn(nothingNew(), ONE_BYTE);
    assertThat(turn.begin()).isFalse();
    assertThat(session.awaitMark(() -> {})).isTrue();
    assertThat(answer(turn)).as("after its time-out").isEmpty();
    assertThat(logs.takeLooks()).isZero();
  }

  @Test
  void anAppendCostsLooksAtItsPartitionOnly() {
    begin(300);
    log(17).append(5);
    assertThat(ask(nothingNew(), ONE_BYTE))
        .singleElement()
        .isEqualTo(
            new FakeLook(
                "t",
                Uuids.ZERO,
                17,
                0,
                1,
                5,
                ErrorCode.NONE,
                new Look.Bounds(1, 1, 0),
                /* mayHaveMore= */ true));
    assertThat(logs.takeLooks()).isOne();
  }

  @Test
  void aWaitingTurnIsWokenOnceAndAnswersWhenItHasEnough() {
    begin(2);
    SessionTurn turn = turn(nothingNew(), new Size(10, 100));
    assertThat(turn.begin()).isFalse();
    int[] woken = new int[1];
    assertThat(session.awaitMark(() -> woken[0]++)).isTrue();
    log(0).append(6);
    log(1).append(6);
    assertThat(loop).as("one wake-up for all marks before it").hasSize(1);
    loop.remove().run();
    assertThat(woken[0]).isOne();
    assertThat(turn.goOn()).isTrue();
    assertThat(answer(turn)).extracting(FakeLook::bytes).containsExactly(6, 6);
  }

  @Test
  void bytesOfOnePartitionAreNotCountedTwiceWhileItGrows() {
    begin(1);
    SessionTurn turn = turn(nothingNew(), new Size(10, 100));
    assertThat(turn.begin()).isFalse();
    log(0).append(6);
    assertThat(turn.goOn()).isFalse();
    log(0).append(3);
    assertThat(turn.goOn()).as("9 bytes are not 10").isFalse();
    log(0).append(1);
    assertThat(turn.goOn()).isTrue();
    assertThat(answer(turn)).extracting(FakeLook::bytes).containsExactly(10);
  }

  @Test
  void aMarkBeforeTheWaitIsNotMissed() {
    begin(1);
    SessionTurn turn = turn(nothingNew(), ONE_BYTE);
    assertThat(turn.begin()).isFalse();
    log(0).append(1);
    assertThat(loop).as("nobody waited").isEmpty();
    assertThat(session.awaitMark(() -> {})).isFalse();
    assertThat(turn.goOn()).isTrue();
  }

  @Test
  void movedBoundsAreTold() {
    begin(3);
    log(0).stableUpTo(0);
    log(0).append(5);
    assertThat(ask(nothingNew().from("t", 0, 1), ANY))
        .singleElement()
        .extracting(FakeLook::bounds)
        .isEqualTo(new Look.Bounds(1, 0, 0));
    log(0).stableUpTo(Long.MAX_VALUE);
    assertThat(ask(nothingNew(), ANY))
        .singleElement()
        .extracting(FakeLook::bounds)
        .isEqualTo(new Look.Bounds(1, 1, 0));
    log(0).startAt(1);
    assertThat(ask(nothingNew(), ANY))
        .singleElement()
        .extracting(FakeLook::bounds)
        .isEqualTo(new Look.Bounds(1, 1, 1));
    assertThat(ask(nothingNew(), ANY)).isEmpty();
  }

  @Test
  void recordsComeAgainUntilTheClientMovesOn() {
    begin(1);
    log(0).append(5);
    assertThat(ask(nothingNew(), ANY)).extracting(FakeLook::from).containsExactly(0L);
    assertThat(ask(nothingNew(), ANY)).extracting(FakeLook::from).containsExactly(0L);
    assertThat(ask(nothingNew().from("t", 0, 1), ANY)).isEmpty();
  }

  @Test
  void whoGaveRecordsGoesToTheEnd() {
    begin(3);
    for (int number = 0; number < 3; number++) {
      for (int i = 0; i < 10; i++) {
        log(number).append(100);
      }
    }
    Size small = new Size(1, 1);
    assertThat(ask(nothingNew(), small)).extracting(FakeLook::name).containsExactly("t-0");
    assertThat(ask(nothingNew().from("t", 0, 1), small))
        .extracting(FakeLook::name)
        .containsExactly("t-1");
    assertThat(ask(nothingNew().from("t", 1, 1), small))
        .extracting(FakeLook::name)
        .containsExactly("t-2");
    assertThat(ask(nothingNew().from("t", 2, 1), small))
        .extracting(FakeLook::name)
        .containsExactly("t-0");
  }

  @Test
  void errorsAreToldAtOnceAndAgainUntilTheyEnd() {
    begin(2);
    logs.delete("t", 1);
    for (int i = 0; i < 2; i++) {
      SessionTurn turn = turn(nothingNew(), ONE_BYTE);
      assertThat(turn.begin()).isTrue();
      assertThat(answer(turn))
          .singleElement()
          .extracting(FakeLook::error)
          .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }
    FakeLog _ = log(1);
    assertThat(ask(nothingNew(), ANY))
        .as("after an error its bounds are news, though they are what they were")
        .extracting(FakeLook::error)
        .containsExactly(ErrorCode.NONE);
  }

  @Test
  void aForgottenPartitionIsNotToldAndItsMarkMeansNothing() {
    begin(2);
    log(0).append(5);
    assertThat(ask(nothingNew().forget("t", 0), ANY)).isEmpty();
    assertThat(session.size()).isOne();
    log(0).append(5);
    assertThat(ask(nothingNew(), ANY)).isEmpty();
    assertThat(logs.takeLooks()).isZero();
  }

  @Test
  void anAddedPartitionIsToldWithItsBounds() {
    begin(1);
    log(5).append(5);
    assertThat(ask(nothingNew().from("t", 5, 1), ANY))
        .singleElement()
        .extracting(FakeLook::bounds)
        .isEqualTo(new Look.Bounds(1, 1, 0));
  }

  @Test
  void aRequestThatReadsFurtherLooksAtAll() {
    logs.readUpTo(ReadUpTo.LAST_STABLE);
    log(0).stableUpTo(0);
    log(0).append(5);
    session.readUpTo(ReadUpTo.LAST_STABLE);
    session.want(nothingNew().from("t", 0, 0).request());
    SessionTurn committed = new SessionTurn(session, logs, Extent.ALL, ANY);
    boolean _ = committed.begin();
    assertThat(answer(committed)).extracting(FakeLook::bytes).containsExactly(0);
    epoch++;
    logs.readUpTo(ReadUpTo.HIGH_WATERMARK);
    assertThat(ask(nothingNew(), ANY)).extracting(FakeLook::bytes).containsExactly(5);
  }

  @Test
  void anotherEpochIsRefusedAndChangesNothing() {
    begin(1);
    assertThat(
            session.accept(
                nothingNew().from("t", 9, 0).request().withSessionEpoch(epoch + 1),
                TopicNaming.NAME))
        .isEqualTo(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
    assertThat(session.size()).isOne();
    assertThat(ask(nothingNew(), ANY)).isEmpty();
  }

  @Test
  void epochsGoRoundWithoutTheOneThatBeginsASession() {
    assertThat(FetchSession.epochAfter(1)).isEqualTo(2);
    assertThat(FetchSession.epochAfter(Integer.MAX_VALUE)).isOne();
  }

  @Test
  void aSessionThatBeganWithNamesRefusesIds() {
    begin(1);
    assertThat(session.accept(nothingNew().request().withSessionEpoch(epoch), TopicNaming.ID))
        .isEqualTo(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR);
    assertThat(ask(nothingNew(), ANY)).as("its epoch is what it was").isEmpty();
  }
}
