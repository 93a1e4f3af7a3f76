package dev.weir.machine;

import static dev.weir.machine.Ledger.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.machine.Ledger.Command.Alarm;
import dev.weir.machine.Ledger.Command.Await;
import dev.weir.machine.Ledger.Command.Count;
import dev.weir.machine.Ledger.Command.Release;
import dev.weir.machine.Ledger.Command.Stumble;
import dev.weir.machine.simulated.SimulatedExecutor;
import dev.weir.machine.simulated.SimulatedLog;
import dev.weir.machine.simulated.SimulatedTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class MachineRunnerTest {
  private final SimulatedLog<Ledger.Line> log = new SimulatedLog<>(SimulatedLog.Commit.BY_HAND);
  private final SimulatedExecutor executor = new SimulatedExecutor();
  private final SimulatedTime time = new SimulatedTime(1_000);
  private final MachineRunner<Ledger.State, Ledger.Command, Ledger.Line, String> runner =
      runner(new MachineSettings("ledger", 5, 100, Optional.empty()));

  private MachineRunner<Ledger.State, Ledger.Command, Ledger.Line, String> runner(
      MachineSettings settings) {
    return new MachineRunner<>(new Ledger(), log, new MachineHost(executor, time, time), settings);
  }

  private void load() {
    CompletableFuture<Void> loaded = runner.load();
    executor.runAll();
    loaded.join();
  }

  private CompletableFuture<String> submit(Ledger.Command command) {
    CompletableFuture<String> reply = runner.submit(command);
    executor.runAll();
    return reply;
  }

  private void commitAll() {
    log.commitAll();
    executor.runAll();
  }

  @Test
  void replyAndStateWaitForTheCommit() {
    load();
    CompletableFuture<String> reply = submit(write("a", "b"));
    assertThat(reply).isNotDone();
    assertThat(runner.state().lines()).isEmpty();
    commitAll();
    assertThat(reply).isCompletedWithValue("2");
    assertThat(runner.state().lines()).containsExactly("a", "b");
  }

  @Test
  void recordsOfOneDecisionAreOneBatch() {
    load();
    var _ = submit(write("a", "b"));
    commitAll();
    assertThat(log.committedBatches()).hasSize(1);
  }

  @Test
  void decisionSeesEarlierOnesBeforeTheirCommit() {
    load();
    var _ = submit(write("a"));
    CompletableFuture<String> second = submit(write("b"));
    commitAll();
    assertThat(second).isCompletedWithValue("2");
  }

  @Test
  void readOfAnUncommittedStateWaitsForItsCommit() {
    load();
    var _ = submit(write("a"));
    CompletableFuture<String> count = submit(new Count());
    assertThat(count).isNotDone();
    commitAll();
    assertThat(count).isCompletedWithValue("1");
  }

  @Test
  void readOfACommittedStateIsAnsweredAtOnce() {
    load();
    assertThat(submit(new Count())).isCompletedWithValue("0");
  }

  @Test
  void commitOfAPrefixAnswersThePrefix() {
    load();
    CompletableFuture<String> first = submit(write("a"));
    CompletableFuture<String> second = submit(write("b"));
    log.commitTo(1);
    executor.runAll();
    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
    assertThat(runner.state().lines()).containsExactly("a");
  }

  @Test
  void listenersRunBeforeReplies() {
    load();
    List<String> order = new ArrayList<>();
    runner.addListener((before, after) -> order.add(before.lines() + "->" + after.lines()));
    CompletableFuture<String> reply = submit(write("a"));
    CompletableFuture<Boolean> told = reply.thenApply(n -> order.add("reply " + n));
    commitAll();
    assertThat(told).isCompletedWithValue(true);
    assertThat(order).containsExactly("[]->[a]", "reply 1");
  }

  @Test
  void failingListenerKeepsNobodyFromTheReply() {
    load();
    runner.addListener(
        (_, _) -> {
          throw new IllegalStateException("listener's own defect");
        });
    CompletableFuture<String> reply = submit(write("a"));
    commitAll();
    assertThat(reply).isCompleted();
  }

  @Test
  void laterDecisionAnswersEarlierWaiters() {
    load();
    CompletableFuture<String> first = submit(new Await());
    CompletableFuture<String> second = submit(new Await());
    assertThat(first).isNotDone();
    CompletableFuture<String> release = submit(new Release("go"));
    assertThat(first).isCompletedWithValue("go");
    assertThat(second).isCompletedWithValue("go");
    assertThat(release).isNotDone();
  }

  @Test
  void transientsAreAppliedButNotWritten() {
    load();
    var _ = submit(new Await());
    assertThat(runner.state().waiting()).hasSize(1);
    assertThat(log.endOffset()).isZero();
  }

  @Test
  void lostLeadershipRollsBackToTheCommittedState() {
    load();
    var _ = submit(write("a"));
    commitAll();
    CompletableFuture<String> lost = submit(write("b"));
    log.loseLeadership();
    CompletableFuture<String> refused = submit(write("c"));
    assertFailsAsNotLeader(lost);
    assertFailsAsNotLeader(refused);
    assertThat(runner.state().lines()).containsExactly("a");
    assertThat(runner.status()).isEqualTo(MachineRunner.Status.RESIGNED);
    assertFailsAsNotLeader(submit(new Count()));
  }

  @Test
  void failedAppendResignsBecauseTheLogIsUnknown() {
    load();
    log.failNextAppend(new IllegalStateException("disk gone"));
    CompletableFuture<String> failed = submit(write("a"));
    assertFailsAsNotLeader(failed);
    assertThat(runner.status()).isEqualTo(MachineRunner.Status.RESIGNED);
  }

  private MachineRunner<Ledger.State, Ledger.Command, Ledger.Line, String> reloading() {
    var reloading =
        runner(new MachineSettings("ledger", 5, 100, Optional.of(new Backoff(100, 1_000))));
    var _ = reloading.load();
    executor.runAll();
    return reloading;
  }

  private CompletableFuture<String> submitTo(
      MachineRunner<Ledger.State, Ledger.Command, Ledger.Line, String> to, Ledger.Command command) {
    CompletableFuture<String> reply = to.submit(command);
    executor.runAll();
    return reply;
  }

  private void passMs(long millis) {
    time.advanceBy(millis);
    executor.runAll();
  }

  @Test
  void machineThatHadToResignLoadsAgainFromTheCommittedLog() {
    var reloading = reloading();
    var _ = submitTo(reloading, write("a"));
    commitAll();
    var lost = submitTo(reloading, write("lost"));
    log.failNextAppend(new IllegalStateException("disk gone"));
    assertFailsAsNotLeader(submitTo(reloading, write("b")));
    assertFailsAsNotLeader(lost);
    passMs(99);
    assertFailsAsNotLeader(submitTo(reloading, write("too early")));
    passMs(1);
    CompletableFuture<String> after = submitTo(reloading, write("c"));
    commitAll();
    assertThat(after).isCompletedWithValue("2");
    assertThat(reloading.state().lines()).containsExactly("a", "c");
  }

  @Test
  void eachFailureDoublesTheWaitUntilACommit() {
    var reloading = reloading();
    for (long waitMs : List.of(100, 200, 400, 800, 1_000, 1_000)) {
      log.failNextAppend(new IllegalStateException("disk gone"));
      assertFailsAsNotLeader(submitTo(reloading, write("x")));
      passMs(waitMs - 1);
      assertThat(reloading.status()).isEqualTo(MachineRunner.Status.RESIGNED);
      passMs(1);
      assertThat(reloading.status()).isEqualTo(MachineRunner.Status.ACTIVE);
    }
    var _ = submitTo(reloading, write("y"));
    commitAll();
    log.fail("lost");
    executor.runAll();
    passMs(100);
    assertThat(reloading.status()).isEqualTo(MachineRunner.Status.ACTIVE);
  }

  @Test
  void machineWhoseOwnerTookItBackStaysResigned() {
    var reloading = reloading();
    log.loseLeadership();
    assertFailsAsNotLeader(submitTo(reloading, write("x")));
    var _ = reloading.resign("the node stops");
    executor.runAll();
    passMs(10_000);
    assertThat(reloading.status()).isEqualTo(MachineRunner.Status.RESIGNED);
    assertThat(time.waiting()).isZero();
  }

  @Test
  void lostLogFailsThoseWhoWaitForTheCommit() {
    load();
    CompletableFuture<String> waiting = submit(write("a"));
    log.fail("the disk is gone");
    executor.runAll();
    assertFailsAsNotLeader(waiting);
    assertThat(runner.state().lines()).isEmpty();
  }

  @Test
  void tooLargeBatchFailsItsCommandOnly() {
    load();
    log.failNextAppend(new BatchTooLargeException("9 MB"));
    assertThat(submit(write("a"))).isCompletedExceptionally();
    CompletableFuture<String> next = submit(write("b"));
    commitAll();
    assertThat(next).isCompletedWithValue("1");
  }

  @Test
  void recordThatCannotBeWrittenFailsItsCommandOnly() {
    load();
    log.failNextAppend(new UnwritableRecordException(new IllegalArgumentException("too deep")));
    assertThat(submit(write("a"))).isCompletedExceptionally();
    CompletableFuture<String> next = submit(write("b"));
    commitAll();
    assertThat(next).isCompletedWithValue("1");
  }

  @Test
  void failingDecisionFailsItsCommandOnly() {
    load();
    assertThatThrownBy(() -> submit(new Stumble()).join()).hasRootCauseMessage("stumbled");
    assertThat(submit(new Count())).isCompletedWithValue("0");
  }

  @Test
  void resignationOvertakesWaitingCommands() {
    load();
    CompletableFuture<String> waiting = runner.submit(write("a"));
    var _ = runner.resign("the test says so");
    executor.runAll();
    assertFailsAsNotLeader(waiting);
    assertThat(log.endOffset()).isZero();
  }

  /** A log that is cut off between two lives, and tells of a commit too late. */
  private static final class LateLog implements MachineLog<Ledger.Line> {
    private final List<Runnable> told = new ArrayList<>();
    private long endOffset;

    @Override
    public long append(List<Ledger.Line> records) {
      endOffset += records.size();
      return endOffset;
    }

    @Override
    public void whenCommitted(long offset, Runnable done) {
      told.add(done);
    }

    @Override
    public void replay(Consumer<Ledger.Line> into) {
      endOffset = 0;
    }
  }

  @Test
  void commitOfAnEarlierLifeIsIgnored() {
    LateLog late = new LateLog();
    MachineRunner<Ledger.State, Ledger.Command, Ledger.Line, String> lateRunner =
        new MachineRunner<>(
            new Ledger(),
            late,
            new MachineHost(executor, time, time),
            MachineSettings.named("late"));
    var _ = lateRunner.load();
    CompletableFuture<String> earlier = lateRunner.submit(write("a"));
    executor.runAll();
    var _ = lateRunner.load();
    CompletableFuture<String> later = lateRunner.submit(write("b"));
    executor.runAll();
    late.told.getFirst().run();
    executor.runAll();
    assertFailsAsNotLeader(earlier);
    assertThat(later).isNotDone();
    late.told.getLast().run();
    executor.runAll();
    assertThat(later).isCompletedWithValue("1");
  }

  @Test
  void commandsBeforeLoadAreRefused() {
    assertFailsAsNotLeader(submit(write("a")));
  }

  @Test
  void loadReplaysAndTellsListenersTheWhole() {
    log.append(List.of(new Ledger.Line.Written("a"), new Ledger.Line.Written("b")));
    log.commitAll();
    List<String> seen = new ArrayList<>();
    runner.addListener((before, after) -> seen.add(before.lines() + "->" + after.lines()));
    load();
    assertThat(seen).containsExactly("[]->[a, b]");
  }

  @Test
  void timerWritesWhenItsTimeComes() {
    load();
    var _ = submit(new Alarm("k", 1_500, List.of("rang")));
    time.advanceTo(1_499);
    executor.runAll();
    assertThat(log.endOffset()).isZero();
    time.advanceTo(1_500);
    executor.runAll();
    commitAll();
    assertThat(runner.state().lines()).containsExactly("rang");
  }

  @Test
  void timerOfTheSameKeyReplaces() {
    load();
    var _ = submit(new Alarm("k", 1_500, List.of("first")));
    var _ = submit(new Alarm("k", 2_000, List.of("second")));
    time.advanceTo(3_000);
    executor.runAll();
    commitAll();
    assertThat(runner.state().lines()).containsExactly("second");
  }

  @Test
  void dueTimerIsStillReplacedWhileItWaitsInTheMailbox() {
    load();
    var _ = submit(new Alarm("k", 1_500, List.of("first")));
    CompletableFuture<String> cancel = runner.submit(new Alarm("k", 0, List.of()));
    time.advanceTo(1_500);
    executor.runAll();
    assertThat(cancel).isCompleted();
    assertThat(log.endOffset()).isZero();
  }

  @Test
  void resignationCancelsTimers() {
    load();
    var _ = submit(new Alarm("k", 1_500, List.of("rang")));
    var _ = runner.resign("election");
    executor.runAll();
    assertThat(time.waiting()).isZero();
  }

  @Test
  void replayedStateSetsItsTimers() {
    log.append(List.of(new Ledger.Line.Written("wake me")));
    log.commitAll();
    load();
    time.advanceBy(10);
    executor.runAll();
    commitAll();
    assertThat(runner.state().lines()).containsExactly("wake me", "woken");
  }

  @Test
  void commandIsMadeWithTheTimeOfItsTurn() {
    load();
    CompletableFuture<String> reply = runner.submit(nowMs -> write("at " + nowMs));
    time.advanceTo(7_000);
    executor.runAll();
    commitAll();
    assertThat(reply).isCompleted();
    assertThat(runner.state().lines()).containsExactly("at 7000");
  }

  @Test
  void mailboxIsBounded() {
    load();
    for (int i = 0; i < 5; i++) {
      assertThat(runner.submit(new Count())).isNotDone();
    }
    assertThatThrownBy(() -> runner.submit(new Count()).join())
        .hasCauseInstanceOf(MailboxFullException.class)
        .hasMessageContaining("mailboxMax=5");
    executor.runAll();
    assertThat(submit(new Count())).isCompletedWithValue("0");
  }

  private static void assertFailsAsNotLeader(CompletableFuture<String> reply) {
    assertThat(reply).isCompletedExceptionally();
    assertThatThrownBy(reply::join).hasCauseInstanceOf(NotLeaderException.class);
  }
}
