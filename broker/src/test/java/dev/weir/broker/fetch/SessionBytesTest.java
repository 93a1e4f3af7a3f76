package dev.weir.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.broker.fetch.FetchSession.Owner;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What sessions are held to cost is what they cost, measured on the heap. */
class SessionBytesTest {
  /** So many objects that what the rest of the test takes is lost among them. */
  private static final int MANY = 50_000;

  private static FetchSession sessionOf(List<FetchTopic> topics) {
    FetchSession session = new FetchSession(1, Owner.CONSUMER, TopicNaming.ID, Runnable::run);
    session.want(FetchRequest.DEFAULT.withTopics(topics));
    return session;
  }

  private static List<FetchPartition> partitions(int count) {
    List<FetchPartition> partitions = new ArrayList<>(count);
    for (int number = 0; number < count; number++) {
      partitions.add(FetchPartition.DEFAULT.withPartition(number));
    }
    return partitions;
  }

  private static long usedBytes() {
    Runtime process = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      process.gc();
    }
    return process.totalMemory() - process.freeMemory();
  }

  /** Compares the heap that is taken by what is made, and by nothing that it needed for it. */
  private static <T> void assertCostsWhatIsReckoned(Supplier<T> make, ToLongFunction<T> reckon) {
    List<T> kept = new ArrayList<>();
    kept.add(make.get()); // what is made once for all is made with the first
    long reckoned = reckon.applyAsLong(kept.getFirst());
    long before = usedBytes();
    kept.add(make.get());
    kept.add(make.get());
    long bytes;
    try {
      bytes = (usedBytes() - before) / 2;
    } finally {
      Reference.reachabilityFence(kept);
    }
    assertThat(bytes)
        .as("bytes on the heap, reckoned %s", reckoned)
        .isLessThanOrEqualTo(reckoned)
        .isGreaterThan(reckoned * 6 / 10);
  }

  @Test
  void partitionsOfOneTopic() {
    assertCostsWhatIsReckoned(
        () -> sessionOf(List.of(new FetchTopic("", new UUID(1, 1), partitions(MANY)))),
        FetchSession::costBytes);
  }

  @Test
  void topicsByName() {
    assertCostsWhatIsReckoned(
        () ->
            sessionOf(
                IntStream.range(0, MANY)
                    .mapToObj(i -> new FetchTopic("topic " + i, Uuids.ZERO, partitions(1)))
                    .toList()),
        FetchSession::costBytes);
  }

  @Test
  void topicsById() {
    assertCostsWhatIsReckoned(
        () ->
            sessionOf(
                IntStream.range(0, MANY)
                    .mapToObj(i -> new FetchTopic("", new UUID(1, i), partitions(1)))
                    .toList()),
        FetchSession::costBytes);
  }

  private record Connections(FetchSessions node, List<ConnectionSessions> all) {}

  @Test
  void sessionsOfOnePartition() {
    assertCostsWhatIsReckoned(
        () -> {
          FetchSessions node = new FetchSessions(Long.MAX_VALUE);
          LoopSessions loop = new LoopSessions();
          List<ConnectionSessions> connections = new ArrayList<>();
          FetchRequest request =
              FetchRequest.DEFAULT.withTopics(
                  List.of(new FetchTopic("", new UUID(1, 1), partitions(1))));
          for (int i = 0; i < MANY / 10; i++) {
            ConnectionSessions connection =
                new ConnectionSessions(node, loop, Runnable::run, () -> 0);
            connection.release(
                connection.begin(request, Owner.CONSUMER, TopicNaming.ID).orElseThrow());
            connections.add(connection);
          }
          return new Connections(node, connections);
        },
        connections -> connections.node.bytes());
  }
}
