package dev.weir.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AcknowledgementQueueTest {

  @Test
  void aHighWatermarkTakesThePrefixThatItCovers() {
    AcknowledgementQueue queue = new AcknowledgementQueue();
    Acknowledgement five = waiting(5);
    Acknowledgement three = waiting(3);
    Acknowledgement nine = waiting(9);
    List.of(five, three, nine).forEach(queue::add);
    assertThat(queue.takeUpTo(2)).isEmpty();
    assertThat(queue.takeUpTo(5)).containsExactly(three, five);
    assertThat(queue.size()).isEqualTo(1);
    assertThat(queue.takeUpTo(100)).containsExactly(nine);
  }

  @Test
  void whatWasTakenBackIsNotTaken() {
    AcknowledgementQueue queue = new AcknowledgementQueue();
    Acknowledgement first = waiting(1);
    Acknowledgement second = waiting(2);
    queue.add(first);
    queue.add(second);
    assertThat(queue.remove(first)).isTrue();
    assertThat(queue.remove(first)).isFalse();
    assertThat(queue.takeUpTo(2)).containsExactly(second);
    assertThat(queue.remove(second)).isFalse();
  }

  @Test
  void behavesAsASortedListUnderAnyHistory() {
    for (long seed = 1; seed <= 200; seed++) {
      play(new Random(seed), "seed=" + seed);
    }
  }

  private static void play(Random random, String seed) {
    AcknowledgementQueue queue = new AcknowledgementQueue();
    List<Acknowledgement> model = new ArrayList<>();
    for (int step = 0; step < 300; step++) {
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          Acknowledgement added = waiting(random.nextInt(50));
          queue.add(added);
          model.add(added);
        }
        case 2 -> {
          if (!model.isEmpty()) {
            Acknowledgement removed = model.remove(random.nextInt(model.size()));
            assertThat(queue.remove(removed)).as(seed).isTrue();
          }
        }
        default -> {
          long highWatermark = random.nextInt(50);
          // The sort is stable: of equal offsets, who came first is told first.
          List<Acknowledgement> due =
              model.stream()
                  .filter(waiter -> waiter.requiredOffset <= highWatermark)
                  .sorted(Comparator.comparingLong(waiter -> waiter.requiredOffset))
                  .toList();
          assertThat(queue.takeUpTo(highWatermark)).as(seed).isEqualTo(due);
          model.removeAll(due);
        }
      }
      assertThat(queue.size()).as(seed).isEqualTo(model.size());
    }
  }

  private static Acknowledgement waiting(long requiredOffset) {
    return new Acknowledgement(requiredOffset, Runnable::run, _ -> {});
  }
}
