package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Java client's consumer groups on a topic with four partitions. */
@ExtendWith(SharedNode.class)
final class JavaGroupTest {
  private static final int PARTITION_COUNT = 4;
  private static final Duration POLL = Duration.ofMillis(100);

  private final NodeProcess node;
  private final String topic;

  JavaGroupTest(NodeProcess node, TestInfo test) {
    this.node = node;
    this.topic = "group-" + test.getTestMethod().orElseThrow().getName();
  }

  @BeforeEach
  void createTopic() {
    JavaClients.createTopic(node, topic, PARTITION_COUNT);
  }

  @Test
  void secondMemberTakesHalfAndGivesItBack() {
    try (Consumer<String, String> first = member(Map.of())) {
      awaitAssignment(Map.of(first, PARTITION_COUNT));
      try (Consumer<String, String> second = member(Map.of())) {
        awaitAssignment(Map.of(first, 2, second, 2));
        Set<Integer> all = new TreeSet<>();
        first.assignment().forEach(partition -> all.add(partition.partition()));
        second.assignment().forEach(partition -> all.add(partition.partition()));
        assertThat(all).containsExactly(0, 1, 2, 3);
      }
      awaitAssignment(Map.of(first, PARTITION_COUNT));
    }
  }

  @Test
  void cooperativeMembersShareToo() {
    Map<String, Object> cooperative =
        Map.of(
            "partition.assignment.strategy",
            "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
    try (Consumer<String, String> first = member(cooperative)) {
      awaitAssignment(Map.of(first, PARTITION_COUNT));
      try (Consumer<String, String> second = member(cooperative)) {
        awaitAssignment(Map.of(first, 2, second, 2));
      }
    }
  }

  @Test
  void twoMembersGetEveryRecordOnce() {
    try (Consumer<String, String> first = member(Map.of());
        Consumer<String, String> second = member(Map.of())) {
      awaitAssignment(Map.of(first, 2, second, 2));
      produce(0, 40);
      Map<String, Integer> timesByValue = new HashMap<>();
      Eventually.holds(
          "40 records",
          () -> {
            for (Consumer<String, String> member : List.of(first, second)) {
              for (ConsumerRecord<String, String> record : member.poll(POLL)) {
                timesByValue.merge(record.value(), 1, Integer::sum);
              }
            }
            return timesByValue.size() == 40;
          });
      assertThat(timesByValue.values()).containsOnly(1);
    }
  }

  @Test
  void committedOffsetsAreWhereTheNextMemberResumes() {
    produce(0, 20);
    try (Consumer<String, String> member = member(Map.of("enable.auto.commit", false))) {
      assertThat(JavaClients.poll(member, 20)).hasSize(20);
      member.commitSync();
      TopicPartition noted = new TopicPartition(topic, 0);
      member.commitSync(Map.of(noted, new OffsetAndMetadata(5, "a note")));
      assertThat(JavaClients.value(member.committed(Set.of(noted)), noted).metadata())
          .isEqualTo("a note");
    }
    produce(20, 24);
    try (Consumer<String, String> next = member(Map.of("enable.auto.commit", false))) {
      assertThat(JavaClients.poll(next, 4))
          .extracting(ConsumerRecord::value)
          .containsExactlyInAnyOrder("value 20", "value 21", "value 22", "value 23");
    }
  }

  /** A member that is not heard of any more loses its partitions when its session is over. */
  @Test
  void partitionsOfADeadMemberAreTakenOver() {
    Map<String, Object> shortSession =
        Map.of("session.timeout.ms", 6_000, "heartbeat.interval.ms", 500);
    try (Consumer<String, String> survivor = member(shortSession);
        RawConnection connection = RawConnection.to(node.kafka())) {
      awaitAssignment(Map.of(survivor, PARTITION_COUNT));
      SilentMember silent = SilentMember.joining(connection, groupId(), topic);
      Eventually.holds(
          "the silent member is in",
          () -> {
            survivor.poll(POLL);
            return silent.isIn();
          });
      awaitAssignment(Map.of(survivor, PARTITION_COUNT / 2));
      awaitAssignment(Map.of(survivor, PARTITION_COUNT));
    }
  }

  @Test
  void staticMemberComesBackToItsPartitions() {
    Map<String, Object> settings = Map.of("group.instance.id", "one", "session.timeout.ms", 30_000);
    Set<TopicPartition> before;
    try (Consumer<String, String> other = member(Map.of())) {
      try (Consumer<String, String> member = member(settings)) {
        awaitAssignment(Map.of(other, 2, member, 2));
        before = Set.copyOf(member.assignment());
      }
      try (Consumer<String, String> member = member(settings)) {
        awaitAssignment(Map.of(other, 2, member, 2));
        assertThat(member.assignment()).isEqualTo(before);
      }
    }
  }

  private String groupId() {
    return topic;
  }

  private Consumer<String, String> member(Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("group.id", groupId());
    all.putIfAbsent("heartbeat.interval.ms", 200);
    Consumer<String, String> member = JavaClients.consumer(node, all);
    member.subscribe(List.of(topic));
    return member;
  }

  private static void awaitAssignment(Map<Consumer<String, String>, Integer> countByMember) {
    Eventually.holds(
        "assignment of " + countByMember.values() + " partitions",
        () -> {
          countByMember.keySet().forEach(member -> member.poll(POLL));
          return countByMember.entrySet().stream()
              .allMatch(entry -> entry.getKey().assignment().size() == entry.getValue());
        });
  }

  private void produce(int first, int end) {
    try (Producer<String, String> producer = JavaClients.producer(node, Map.of())) {
      for (int i = first; i < end; i++) {
        RecordMetadata _ =
            JavaClients.done(
                producer.send(
                    new ProducerRecord<>(topic, i % PARTITION_COUNT, "key", "value " + i)));
      }
    }
  }
}
