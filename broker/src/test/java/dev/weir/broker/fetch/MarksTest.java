package dev.weir.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.broker.fetch.FetchSession.Owner;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MarksTest {
  private static final int PARTITIONS = 16;
  private static final int WRITERS = 4;
  private static final int MOVES = 20_000;

  private final LinkedBlockingQueue<Runnable> loop = new LinkedBlockingQueue<>();
  private final FetchSession session =
      new FetchSession(1, Owner.CONSUMER, TopicNaming.NAME, loop::add);
  private final List<SessionPartition> partitions = new ArrayList<>();

  MarksTest() {
    List<FetchPartition> named = new ArrayList<>();
    for (int number = 0; number < PARTITIONS; number++) {
      named.add(FetchPartition.DEFAULT.withPartition(number));
    }
    session.want(FetchRequest.DEFAULT.withTopics(List.of(new FetchTopic("t", Uuids.ZERO, named))));
    partitions.addAll(session.partitions());
  }

  @Test
  void marksAreTakenInTheirOrderAndEachOnce() {
    assertThat(partitions.get(3).note()).isFalse();
    assertThat(partitions.get(1).note()).isFalse();
    assertThat(partitions.get(3).note()).isFalse();
    SessionPartition first = session.marks().takeAll();
    assertThat(first).isSameAs(partitions.get(3));
    assertThat(partitions.get(3).nextMarked).isSameAs(partitions.get(1));
    assertThat(partitions.get(1).nextMarked).isNull();
    assertThat(session.marks().takeAll()).isNull();
  }

  @Test
  void onlyWhoWaitsIsToldAndOnce() {
    assertThat(session.awaitMark(() -> {})).isTrue();
    assertThat(partitions.get(0).note()).isTrue();
    assertThat(partitions.get(1).note()).isFalse();
    assertThat(session.awaitMark(() -> {})).as("there are marks").isFalse();
  }

  /**
   * Writers move a value and mark; the loop takes marks back and reads, and sleeps when there is no
   * mark. It comes to see the last move of every partition: a move that is lost, or a wake-up,
   * would have it sleep for ever.
   */
  @Test
  @Timeout(60)
  void noMoveIsLostHoweverMarksAndLooksMeet() throws Exception {
    AtomicLongArray moved = new AtomicLongArray(PARTITIONS);
    List<Object> locks = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      locks.add(new Object());
    }
    List<Thread> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      writers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int move = 0; move < MOVES; move++) {
                      int index = move % PARTITIONS;
                      moved.incrementAndGet(index);
                      boolean tells;
                      synchronized (locks.get(index)) { // as that of a partition
                        tells = partitions.get(index).note();
                      }
                      if (tells) {
                        partitions.get(index).tell();
                      }
                    }
                  }));
    }
    long[] seen = new long[PARTITIONS];
    while (Arrays.stream(seen).sum() < (long) WRITERS * MOVES) {
      if (session.awaitMark(() -> {})) {
        loop.take().run();
      }
      for (SessionPartition marked = session.marks().takeAll(); marked != null; ) {
        SessionPartition next = marked.nextMarked;
        marked.unmark();
        int index = partitions.indexOf(marked);
        seen[index] = moved.get(index);
        marked = next;
      }
    }
    for (Thread writer : writers) {
      writer.join();
    }
  }
}
