package dev.weir.broker.timing;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopTimersTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final LoopTimers timers = new LoopTimers(channel.eventLoop());
  private final List<Integer> ended = new ArrayList<>();

  LoopTimersTest() {
    channel.freezeTime();
  }

  /** Lets so much time pass, a millisecond at a time. */
  private void pass(int ms) {
    for (int i = 0; i < ms; i++) {
      channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
      channel.runScheduledPendingTasks();
    }
  }

  @Test
  void aPatienceEndsNotBeforeItsTimeAndNotMuchLater() {
    for (int start = 0; start < 40; start++) {
      ended.clear();
      Timeout _ = timers.afterPatience(500, () -> ended.add(500));
      pass(499);
      assertThat(ended).as("start=" + start).isEmpty();
      pass(1 + 500 / 16);
      assertThat(ended).as("start=" + start).containsExactly(500);
      pass(1);
    }
  }

  @Test
  void patiencesThatEndAboutTogetherEndInOneTurn() {
    for (int i = 0; i < 64; i++) {
      Timeout _ = timers.afterPatience(500, () -> ended.add(500));
      pass(1);
    }
    pass(436);
    int turns = 0;
    for (int i = 0; i < 100; i++) {
      int before = ended.size();
      pass(1);
      turns += ended.size() > before ? 1 : 0;
    }
    assertThat(ended).hasSize(64);
    assertThat(turns).isBetween(4, 5);
  }

  @Test
  void aShortPatienceIsNotStretched() {
    Timeout _ = timers.afterPatience(10, () -> ended.add(10));
    pass(9);
    assertThat(ended).isEmpty();
    pass(1);
    assertThat(ended).hasSize(1);
  }
}
