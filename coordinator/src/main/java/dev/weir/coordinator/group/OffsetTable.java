package dev.weir.coordinator.group;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.pcollections.TreePMap;

/** The offsets that one group has committed, by topic and partition, sorted. Immutable. */
record OffsetTable(TreePMap<String, TreePMap<Integer, CommittedOffset>> byTopic) {
  static final OffsetTable EMPTY = new OffsetTable(TreePMap.empty());

  private static final TreePMap<Integer, CommittedOffset> NO_PARTITIONS =
      TreePMap.empty(Comparator.<Integer>naturalOrder());

  boolean isEmpty() {
    return byTopic.isEmpty();
  }

  /** The offsets of a topic's partitions; empty where there are none. */
  Map<Integer, CommittedOffset> partitions(String topic) {
    return byTopic.getOrDefault(topic, NO_PARTITIONS);
  }

  Optional<CommittedOffset> offset(String topic, int partition) {
    return Optional.ofNullable(partitions(topic).get(partition));
  }

  OffsetTable plus(String topic, int partition, CommittedOffset offset) {
    return new OffsetTable(
        byTopic.plus(topic, byTopic.getOrDefault(topic, NO_PARTITIONS).plus(partition, offset)));
  }

  OffsetTable minus(String topic, int partition) {
    TreePMap<Integer, CommittedOffset> left =
        byTopic.getOrDefault(topic, NO_PARTITIONS).minus(partition);
    return new OffsetTable(left.isEmpty() ? byTopic.minus(topic) : byTopic.plus(topic, left));
  }
}
