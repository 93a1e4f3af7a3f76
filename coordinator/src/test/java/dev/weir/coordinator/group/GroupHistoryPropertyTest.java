package dev.weir.coordinator.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import dev.weir.coordinator.group.GroupCommand.CommitOffsets;
import dev.weir.coordinator.group.GroupCommand.OffsetToCommit;
import dev.weir.machine.MachineHost;
import dev.weir.machine.MachineRunner;
import dev.weir.machine.MachineSettings;
import dev.weir.machine.simulated.SimulatedExecutor;
import dev.weir.machine.simulated.SimulatedLog;
import dev.weir.machine.simulated.SimulatedTime;
import dev.weir.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Members come, go, fall silent, repeat themselves and commit in any order, while the log commits
 * late and the coordinator changes. Then: one leader a generation; no generation goes back; all
 * that share a generation were assigned by one leader; what was acknowledged is never lost; what is
 * stored says what is so; and once the members behave, they all find together.
 */
class GroupHistoryPropertyTest {
  private static final int STEPS = 250;
  private static final int CLIENTS = 4;
  private static final String GROUP = "g";

  @Test
  void groupsStaySoundUnderAnyHistory() {
    qt().withExamples(300)
        .withShrinkCycles(0)
        .forAll(longs().all())
        .checkAssert(seed -> new History(seed).run());
  }

  private static final class History implements GroupClient.Surroundings {
    private final Random random;
    private final SimulatedLog<GroupRecord> log = new SimulatedLog<>(SimulatedLog.Commit.BY_HAND);
    private final SimulatedExecutor executor = new SimulatedExecutor();
    private final SimulatedTime time = new SimulatedTime(1_000_000);
    private final GroupMachine machine =
        new GroupMachine(GroupSettings.DEFAULT.withGroupSizeMax(CLIENTS + 1));
    private final MachineRunner<Groups, GroupCommand, GroupRecord, GroupReply> runner;
    private final List<GroupClient> clients = new ArrayList<>();
    private final Map<Integer, GroupCommand> unanswered = new TreeMap<>();
    private int asked;
    private final Map<String, String> leaderByGeneration = new TreeMap<>();
    private int life;
    private int lastId;
    private boolean loading;
    private long lastAttempted;
    private long lastAcknowledged = -1;

    History(long seed) {
      random = new Random(seed);
      runner =
          new MachineRunner<>(
              machine, log, new MachineHost(executor, time, time), MachineSettings.named("groups"));
      runner.addListener(this::checkChange);
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(new GroupClient("c" + i, random.nextInt(3) == 0, random, this));
      }
      load();
    }

    private void load() {
      loading = true;
      var _ = runner.load();
      executor.runAll();
      loading = false;
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(20)) {
          case 0 -> lose();
          case 1, 2, 3 -> advance(random.nextInt(4000));
          case 4, 5 -> commitSome();
          case 6, 7 -> log.commitAll();
          case 8 -> client().fallSilent();
          case 9 -> client().leave();
          case 10 -> client().repeat();
          case 11 -> commitOffset(client());
          default -> client().act();
        }
        executor.runAll();
      }
      settle();
      checkStored();
      findTogether();
      allIsAnsweredWhenNobodySpeaks();
    }

    private GroupClient client() {
      return clients.get(random.nextInt(CLIENTS));
    }

    private void settle() {
      executor.runAll();
      log.commitAll();
      executor.runAll();
    }

    private void advance(long millis) {
      time.advanceBy(millis);
    }

    private void commitSome() {
      List<Long> ends = log.uncommittedEnds();
      if (!ends.isEmpty()) {
        log.commitTo(ends.get(random.nextInt(ends.size())));
      }
    }

    private void lose() {
      var _ = runner.resign("another node leads");
      executor.runAll();
      log.truncate();
      life++;
      load();
    }

    private void commitOffset(GroupClient client) {
      long value = ++lastAttempted;
      CommittedOffset offset =
          new CommittedOffset(
              value, -1, "", time.millis(), CommittedOffset.NO_EXPIRY, CommittedOffset.NO_TOPIC_ID);
      var _ =
          ask(new CommitOffsets(
                  GROUP,
                  client.identity(),
                  client.generation(),
                  List.of(new OffsetToCommit("t", 0, offset)),
                  time.millis()))
              .thenAccept(
                  reply -> {
                    if (reply.equals(new GroupReply.OffsetsCommitted(List.of(ErrorCode.NONE)))) {
                      lastAcknowledged = Math.max(lastAcknowledged, value);
                    }
                  });
    }

    private void checkChange(Groups before, Groups after) {
      after.byId().values().forEach(ClassicGroup::checkInvariants);
      Optional<ClassicGroup> old = before.group(GROUP);
      Optional<ClassicGroup> now = after.group(GROUP);
      if (!loading && old.isPresent() && now.isPresent()) {
        assertThat(now.get().generation().number())
            .isGreaterThanOrEqualTo(old.get().generation().number());
      }
      checkOffset(after);
    }

    private void checkOffset(Groups state) {
      long offset = state.offsets(GROUP).offset("t", 0).map(CommittedOffset::offset).orElse(-1L);
      assertThat(offset).isBetween(lastAcknowledged, lastAttempted);
    }

    /** What a successor would find is what those have been told that were told of a commit. */
    private void checkStored() {
      Groups replayed = machine.empty();
      for (GroupRecord record : log.committedRecords()) {
        replayed = machine.apply(replayed, record);
      }
      assertThat(replayed.offsetsById()).isEqualTo(runner.state().offsetsById());
      ClassicGroup group = runner.state().group(GROUP).orElse(null);
      if (group == null) {
        return;
      }
      switch (group.phase()) {
        case GroupPhase.Stable _ ->
            assertThat(stored(replayed.group(GROUP).orElseThrow())).isEqualTo(stored(group));
        case GroupPhase.Empty _ ->
            assertThat(replayed.group(GROUP).map(g -> g.generation().number()).orElse(0))
                .isEqualTo(group.generation().number());
        // A running rebalance is nowhere stored.
        case GroupPhase.PreparingRebalance _, GroupPhase.CompletingRebalance _ -> {}
      }
    }

    private static List<Object> stored(ClassicGroup group) {
      return List.of(
          group.generation(),
          group.members().values().stream()
              .map(
                  member ->
                      List.of(
                          member.id(),
                          Optional.ofNullable(member.instanceId()),
                          member.metadata(group.generation().protocol()),
                          member.assignment()))
              .toList());
    }

    private void findTogether() {
      // Long enough for the silent ones to be missed, and for a rebalance after that.
      for (int round = 0; round < 160; round++) {
        clients.forEach(GroupClient::act);
        settle();
        advance(500);
        settle();
      }
      ClassicGroup group = runner.state().group(GROUP).orElseThrow();
      assertThat(group.phase()).isInstanceOf(GroupPhase.Stable.class);
      assertThat(group.members()).hasSize(CLIENTS);
      for (GroupClient client : clients) {
        assertThat(client.isSettled()).as(client.toString()).isTrue();
        assertThat(client.generation()).isEqualTo(group.generation().number());
      }
      // None, where a static leader of an old version came back: it must not assign anew.
      assertThat(clients.stream().filter(GroupClient::leads).count()).isLessThanOrEqualTo(1);
      checkStored();
    }

    private void allIsAnsweredWhenNobodySpeaks() {
      for (int minute = 0; minute < 8; minute++) {
        advance(60_000);
        settle();
      }
      assertThat(unanswered).isEmpty();
      // By now the group may be gone, if it has no offsets.
      assertThat(runner.state().group(GROUP))
          .matches(group -> group.isEmpty() || group.get().isEmpty());
      checkStored();
      checkOffset(runner.state());
    }

    @Override
    public CompletableFuture<GroupReply> ask(GroupCommand command) {
      int number = ++asked;
      unanswered.put(number, command);
      return runner.submit(command).whenComplete((_, _) -> unanswered.remove(number));
    }

    @Override
    public long nowMs() {
      return time.millis();
    }

    @Override
    public String freshId() {
      return "id" + ++lastId;
    }

    @Override
    public void ledBy(int generation, String memberId) {
      String before = leaderByGeneration.putIfAbsent(life + "/" + generation, memberId);
      assertThat(before == null || before.equals(memberId))
          .as("generation %d is led by %s and by %s", generation, before, memberId)
          .isTrue();
    }
  }
}
