package dev.weir.conformance;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;

/**
 * What must not go back when a node comes again.
 *
 * @param endOffsets by partition
 * @param leaderEpochs of the last records, by partition; -1 without a record
 * @param committed offsets of a group by partition, as far as there are any
 */
record TopicState(
    Uuid topicId,
    Map<Integer, Long> endOffsets,
    Map<Integer, Integer> leaderEpochs,
    Map<Integer, Long> committed) {

  /** Asks a node. */
  static TopicState of(NodeProcess node, String topic, String group) {
    try (Admin admin = JavaClients.admin(node)) {
      TopicDescription description =
          JavaClients.value(
              JavaClients.done(admin.describeTopics(List.of(topic)).allTopicNames()), topic);
      Map<Integer, Long> endOffsets = new TreeMap<>();
      Map<Integer, Integer> leaderEpochs = new TreeMap<>();
      for (TopicPartitionInfo partition : description.partitions()) {
        TopicPartition wanted = new TopicPartition(topic, partition.partition());
        ListOffsetsResultInfo end =
            JavaClients.done(
                admin.listOffsets(Map.of(wanted, OffsetSpec.latest())).partitionResult(wanted));
        endOffsets.put(partition.partition(), end.offset());
        leaderEpochs.put(partition.partition(), end.leaderEpoch().orElse(-1));
      }
      Map<Integer, Long> committed = new TreeMap<>();
      Map<TopicPartition, OffsetAndMetadata> told =
          JavaClients.done(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
      told.forEach((partition, offset) -> committed.put(partition.partition(), offset.offset()));
      return new TopicState(description.topicId(), endOffsets, leaderEpochs, committed);
    }
  }

  /** Fails unless {@code later} has the same topic, and at least as much of everything. */
  void assertHeldIn(TopicState later) {
    if (!later.topicId.equals(topicId)
        || !isAtLeast(later.endOffsets, endOffsets)
        || !isAtLeast(later.leaderEpochs, leaderEpochs)
        || !isAtLeast(later.committed, committed)) {
      throw new AssertionError("went back: before " + this + ", after " + later);
    }
  }

  private static <N extends Number> boolean isAtLeast(
      Map<Integer, N> later, Map<Integer, N> before) {
    return before.entrySet().stream()
        .allMatch(
            entry -> {
              Number now = later.get(entry.getKey());
              return now != null && now.longValue() >= entry.getValue().longValue();
            });
  }
}
