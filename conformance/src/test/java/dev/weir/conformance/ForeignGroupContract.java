package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What every client library can do with a node: produce, consume as one of two members of a group,
 * and go on where the group has stopped. A client says how it is started.
 */
@ExtendWith(SharedNode.class)
abstract class ForeignGroupContract {
  private static final int PARTITION_COUNT = 4;
  private static final int RECORD_COUNT = 40;

  private final NodeProcess node;
  private final String client;
  private final String topic;
  private final String group;

  ForeignGroupContract(String client, NodeProcess node, TestInfo test) {
    this.client = client;
    this.node = node;
    this.topic = client + "-" + test.getTestMethod().orElseThrow().getName();
    this.group = topic;
  }

  /** The command that sends each line KEY, tab, VALUE of its input as a record. */
  abstract List<String> producing(String bootstrap, String topic);

  /**
   * The command that prints each record as PARTITION, OFFSET, KEY and VALUE with tabs between, as a
   * member of a group, until its input ends.
   */
  abstract List<String> consuming(String bootstrap, String topic, String group);

  @BeforeEach
  void createTopic() {
    ForeignProcess.assumeWanted(client);
    JavaClients.createTopic(node, topic, PARTITION_COUNT);
  }

  @Test
  void producedRecordsReachTheJavaConsumer() {
    produce(0, RECORD_COUNT);
    try (Consumer<String, String> consumer = JavaClients.consumer(node, Map.of())) {
      consumer.assign(
          IntStream.range(0, PARTITION_COUNT)
              .mapToObj(index -> new TopicPartition(topic, index))
              .toList());
      List<ConsumerRecord<String, String>> records = JavaClients.poll(consumer, RECORD_COUNT);
      assertThat(records)
          .extracting(ConsumerRecord::value)
          .containsExactlyInAnyOrderElementsOf(values(0, RECORD_COUNT));
      assertThat(records).allMatch(record -> record.headers().lastHeader("client") != null);
    }
  }

  @Test
  void twoMembersShareTheRecords() {
    try (ForeignProcess first = member();
        ForeignProcess second = member()) {
      awaitMembers(2);
      produce(0, RECORD_COUNT);
      awaitRecords(RECORD_COUNT, first, second);
      List<String> firstRecords = first.end();
      List<String> secondRecords = second.end();
      assertThat(firstRecords).isNotEmpty();
      assertThat(secondRecords).isNotEmpty();
      List<String> all = new ArrayList<>(firstRecords);
      all.addAll(secondRecords);
      assertThat(all)
          .extracting(ForeignGroupContract::value)
          .containsExactlyInAnyOrderElementsOf(values(0, RECORD_COUNT));
    }
  }

  @Test
  void nextMemberGoesOnWhereTheGroupHasStopped() {
    produce(0, RECORD_COUNT);
    try (ForeignProcess member = member()) {
      awaitRecords(RECORD_COUNT, member);
      assertThat(member.end()).hasSize(RECORD_COUNT);
    }
    produce(RECORD_COUNT, RECORD_COUNT + 5);
    try (ForeignProcess next = member()) {
      awaitRecords(5, next);
      assertThat(next.end())
          .extracting(ForeignGroupContract::value)
          .containsExactlyInAnyOrderElementsOf(values(RECORD_COUNT, RECORD_COUNT + 5));
    }
  }

  private void produce(int first, int end) {
    List<String> lines =
        values(first, end).stream().map(value -> "key of " + value + "\t" + value).toList();
    List<String> _ =
        ForeignProcess.run(lines, producing(node.kafka(), topic).toArray(String[]::new));
  }

  private ForeignProcess member() {
    return ForeignProcess.start(consuming(node.kafka(), topic, group).toArray(String[]::new));
  }

  private void awaitMembers(int count) {
    try (Admin admin = JavaClients.admin(node)) {
      Eventually.holds(
          count + " members",
          () -> {
            if (JavaClients.done(admin.listGroups().all()).stream()
                .noneMatch(listing -> listing.groupId().equals(group))) {
              return false;
            }
            ConsumerGroupDescription description =
                JavaClients.value(
                    JavaClients.done(admin.describeConsumerGroups(List.of(group)).all()), group);
            return description.members().size() == count
                && description.groupState() == GroupState.STABLE;
          });
    }
  }

  private static void awaitRecords(int count, ForeignProcess... members) {
    Eventually.holds(
        count + " records",
        () -> List.of(members).stream().mapToInt(member -> member.lines().size()).sum() >= count);
  }

  private static List<String> values(int first, int end) {
    return IntStream.range(first, end).mapToObj(number -> "value " + number).toList();
  }

  private static String value(String line) {
    return line.substring(line.lastIndexOf('\t') + 1);
  }
}
