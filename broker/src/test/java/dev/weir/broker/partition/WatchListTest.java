package dev.weir.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WatchListTest {
  private final Deque<Runnable> tasks = new ArrayDeque<>();

  @Test
  void signalsBeforeTheReaderLooksAreOne() {
    WatchList list = new WatchList();
    List<String> seen = new ArrayList<>();
    list.add(new Watch(tasks::add, () -> seen.add("progress")));
    list.signalAll().forEach(Watch::tell);
    list.signalAll().forEach(Watch::tell);
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(seen).containsExactly("progress");
    list.signalAll().forEach(Watch::tell);
    assertThat(tasks).hasSize(1);
  }

  @Test
  void aSignalWhileTheReaderLooksIsNotLost() {
    WatchList list = new WatchList();
    Watch watch = new Watch(tasks::add, () -> list.signalAll().forEach(Watch::tell));
    list.add(watch);
    list.signalAll().forEach(Watch::tell);
    tasks.remove().run();
    assertThat(tasks).hasSize(1);
  }

  @Test
  void thoseWhoLeftAreNotToldAndLeaveNothing() {
    for (long seed = 1; seed <= 100; seed++) {
      Random random = new Random(seed);
      WatchList list = new WatchList();
      List<Watch> model = new ArrayList<>();
      for (int step = 0; step < 200; step++) {
        if (model.isEmpty() || random.nextBoolean()) {
          Watch added = new Watch(tasks::add, () -> {});
          list.add(added);
          model.add(added);
        } else {
          Watch removed = model.remove(random.nextInt(model.size()));
          list.remove(removed);
          list.remove(removed);
        }
        assertThat(list.size()).as("seed=" + seed).isEqualTo(model.size());
      }
      assertThat(list.signalAll()).as("seed=" + seed).containsExactlyInAnyOrderElementsOf(model);
    }
  }
}
