package dev.weir.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import dev.weir.machine.simulated.SimulatedExecutor;
import dev.weir.machine.simulated.SimulatedLog;
import dev.weir.machine.simulated.SimulatedTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Whatever commands, commits and losses come, the state is the replay of what was committed. */
class MachineReplayPropertyTest {
  private static final int STEPS = 120;

  @Test
  void stateIsTheReplayOfTheCommittedRecords() {
    qt().withExamples(100).forAll(longs().all()).checkAssert(seed -> new History(seed).run());
  }

  private static final class History {
    private final Random random;
    private final SimulatedLog<Ledger.Line> log = new SimulatedLog<>(SimulatedLog.Commit.BY_HAND);
    private final SimulatedExecutor executor = new SimulatedExecutor();
    private final SimulatedTime time = new SimulatedTime(0);
    private final MachineRunner<Ledger.State, Ledger.Command, Ledger.Line, String> runner;
    private final Map<String, CompletableFuture<String>> replyByLine = new HashMap<>();
    private int lines;

    History(long seed) {
      random = new Random(seed);
      runner =
          new MachineRunner<>(
              new Ledger(),
              log,
              new MachineHost(executor, time, time),
              MachineSettings.named("ledger"));
      runner.addListener((_, after) -> assertThat(committedLines()).startsWith(lines(after)));
      var _ = runner.load();
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step();
        if (random.nextBoolean()) {
          executor.runAll();
          check();
        }
      }
      executor.runAll();
      check();
    }

    private void step() {
      switch (random.nextInt(10)) {
        case 0 -> commitSome();
        case 1 -> log.commitAll();
        case 2 -> time.advanceBy(random.nextInt(50));
        case 3 -> {
          var _ = runner.submit(new Ledger.Command.Alarm("k" + random.nextInt(3), at(), alarm()));
        }
        case 4 -> lose();
        default -> writeSome();
      }
    }

    private void writeSome() {
      List<String> written = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        written.add("line " + lines++);
      }
      replyByLine.put(written.getLast(), runner.submit(new Ledger.Command.Write(written)));
    }

    private long at() {
      return time.millis() + random.nextInt(100);
    }

    private List<String> alarm() {
      return random.nextInt(4) == 0 ? List.of() : List.of("alarm " + lines++);
    }

    private void commitSome() {
      List<Long> ends = log.uncommittedEnds();
      if (!ends.isEmpty()) {
        log.commitTo(ends.get(random.nextInt(ends.size())));
      }
    }

    private void lose() {
      switch (random.nextInt(6)) {
        case 0 -> log.loseLeadership();
        case 1 -> {
          var _ = runner.resign("election");
          log.truncate();
        }
        default -> {
          // Most histories keep their leader most of the time.
          return;
        }
      }
      var _ = runner.submit(Ledger.write("line " + lines++));
      executor.runAll();
      log.truncate();
      var _ = runner.load();
    }

    private void check() {
      assertThat(runner.state().lines()).isEqualTo(committedLines());
      replyByLine.forEach(
          (line, reply) -> {
            if (reply.isDone() && !reply.isCompletedExceptionally()) {
              assertThat(committedLines()).contains(line);
            }
          });
    }

    /** A listener may be behind the log, whose later commits still wait in the mailbox. */
    private static String[] lines(Ledger.State state) {
      return state.lines().toArray(String[]::new);
    }

    private List<String> committedLines() {
      return log.committedRecords().stream()
          .map(line -> ((Ledger.Line.Written) line).text())
          .toList();
    }
  }
}
