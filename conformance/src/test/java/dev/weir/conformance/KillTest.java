package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a client was told holds, whatever happens to the process: the same producer and the same
 * group go on through kill -9 and SIGTERM.
 */
final class KillTest {
  private static final String TOPIC = "survivor";
  private static final String GROUP = "survivors";
  private static final int KILL_COUNT = 3;
  private static final int RECORDS_BETWEEN_KILLS = 2_000;
  private static final Duration STOP_MAX = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(100);

  @TempDir private Path folder;

  @Test
  void killedNodeLosesNothingAndDoublesNothing() {
    Path data = folder.resolve("data");
    NodeProcess node = NodeProcess.start(data);
    try (ProduceLoad load = loadOn(node);
        Consumer<String, String> member = member(node)) {
      Map<Integer, Integer> timesByNumber = new HashMap<>();
      for (int kill = 0; kill < KILL_COUNT; kill++) {
        load.awaitAcknowledged(RECORDS_BETWEEN_KILLS);
        consumeAndCommit(member, timesByNumber, RECORDS_BETWEEN_KILLS / 2);
        TopicState before = TopicState.of(node, TOPIC, GROUP);
        node.kill();
        node = NodeProcess.startOn(node.kafka(), data);
        before.assertHeldIn(TopicState.of(node, TOPIC, GROUP));
      }
      load.awaitAcknowledged(RECORDS_BETWEEN_KILLS);
      List<Long> offsets = load.finish();
      assertStoredOnce(node, offsets);
      consumeAndCommit(member, timesByNumber, offsets.size() - timesByNumber.size());
      assertThat(timesByNumber).as("each record reached the group").hasSize(offsets.size());
    } finally {
      node.close();
    }
  }

  @Test
  void terminatedNodeStopsInTimeAndComesBackWithEverything() {
    Path data = folder.resolve("data");
    NodeProcess node = NodeProcess.start(data);
    try (ProduceLoad load = loadOn(node);
        Consumer<String, String> member = member(node)) {
      load.awaitAcknowledged(RECORDS_BETWEEN_KILLS);
      consumeAndCommit(member, new HashMap<>(), RECORDS_BETWEEN_KILLS / 2);
      TopicState before = TopicState.of(node, TOPIC, GROUP);

      long startNs = System.nanoTime();
      assertThat(node.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
      assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(STOP_MAX);

      node = NodeProcess.startOn(node.kafka(), data);
      before.assertHeldIn(TopicState.of(node, TOPIC, GROUP));
      load.awaitAcknowledged(RECORDS_BETWEEN_KILLS);
      assertStoredOnce(node, load.finish());
    } finally {
      node.close();
    }
  }

  private static ProduceLoad loadOn(NodeProcess node) {
    JavaClients.createTopic(node, TOPIC, ProduceLoad.PARTITION_COUNT);
    return ProduceLoad.start(node, TOPIC);
  }

  private static Consumer<String, String> member(NodeProcess node) {
    Consumer<String, String> member =
        JavaClients.consumer(
            node,
            Map.of(
                "group.id", GROUP, "enable.auto.commit", false, "reconnect.backoff.max.ms", 100));
    member.subscribe(List.of(TOPIC));
    return member;
  }

  /** Polls until the group has seen so many numbers that it had not seen before. */
  private static void consumeAndCommit(
      Consumer<String, String> member, Map<Integer, Integer> timesByNumber, int newCount) {
    int wanted = timesByNumber.size() + newCount;
    Eventually.holds(
        "the group has seen " + wanted + " records",
        () -> {
          for (ConsumerRecord<String, String> record : member.poll(POLL)) {
            timesByNumber.merge(Integer.valueOf(record.value()), 1, Integer::sum);
          }
          return timesByNumber.size() >= wanted;
        });
    member.commitSync();
  }

  /**
   * Every acknowledged number lies at the offset that was told, each partition holds its numbers in
   * order, without a gap, and nothing besides.
   */
  private static void assertStoredOnce(NodeProcess node, List<Long> offsetByNumber) {
    List<TopicPartition> partitions =
        IntStream.range(0, ProduceLoad.PARTITION_COUNT)
            .mapToObj(index -> new TopicPartition(TOPIC, index))
            .toList();
    List<Long> found = new ArrayList<>(offsetByNumber.stream().map(_ -> -1L).toList());
    try (Consumer<String, String> reader = JavaClients.consumer(node, Map.of())) {
      reader.assign(partitions);
      for (TopicPartition partition : partitions) {
        long end = JavaClients.value(reader.endOffsets(List.of(partition)), partition);
        long expected =
            IntStream.range(0, offsetByNumber.size())
                .filter(number -> number % ProduceLoad.PARTITION_COUNT == partition.partition())
                .count();
        assertThat(end).as("end of %s", partition).isEqualTo(expected);
      }
      for (ConsumerRecord<String, String> record :
          JavaClients.poll(reader, offsetByNumber.size())) {
        int number = Integer.parseInt(record.value());
        assertThat(number % ProduceLoad.PARTITION_COUNT).isEqualTo(record.partition());
        assertThat(record.offset()).isEqualTo(number / ProduceLoad.PARTITION_COUNT);
        found.set(number, record.offset());
      }
    }
    // A batch whose answer the kill has swallowed is acknowledged as a duplicate afterwards; Kafka
    // may then tell no offset (-1), and the one that it tells must be right.
    for (int number = 0; number < found.size(); number++) {
      long told = offsetByNumber.get(number);
      assertThat(told).as("offset of %s", number).isIn(found.get(number), -1L);
    }
  }
}
