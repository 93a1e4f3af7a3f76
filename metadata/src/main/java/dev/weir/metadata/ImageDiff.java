package dev.weir.metadata;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What changed from one image to a later one: what a broker has to act on.
 *
 * <p>A topic that was deleted and made again under its name is deleted and created: its id is
 * another. Unchanged topics are the same objects in both images and cost one comparison of
 * references each.
 *
 * @param createdTopics with all their partitions
 * @param deletedTopics as they were
 * @param changedPartitions of topics that are in both images: new or different partitions
 * @param changedConfigs resources of which some configuration differs
 * @param changedBrokers ids of brokers that are registered, unregistered or different
 */
public record ImageDiff(
    List<TopicImage> createdTopics,
    List<TopicImage> deletedTopics,
    List<ChangedPartition> changedPartitions,
    Set<ConfigResource> changedConfigs,
    Set<Integer> changedBrokers) {

  /**
   * A partition of a topic that exists before and after.
   *
   * @param topic as it is after the change
   * @param before nothing where the partition is new
   */
  public record ChangedPartition(
      TopicImage topic, Optional<PartitionImage> before, PartitionImage after) {}

  /** What has to be done to get from one image to the other. */
  @SuppressWarnings("ReferenceEquality") // a shortcut: equal parts of other identity are compared
  public static ImageDiff between(ClusterImage before, ClusterImage after) {
    List<TopicImage> created = new ArrayList<>();
    List<TopicImage> deleted = new ArrayList<>();
    List<ChangedPartition> partitions = new ArrayList<>();
    if (before.topics() != after.topics()) {
      diffTopics(before.topics(), after.topics(), created, deleted, partitions);
    }
    return new ImageDiff(
        created,
        deleted,
        partitions,
        before.configs() == after.configs()
            ? Set.of()
            : changedKeys(before.configs().all(), after.configs().all()),
        before.nodes() == after.nodes() ? Set.of() : changedBrokers(before, after));
  }

  public boolean isEmpty() {
    return createdTopics.isEmpty()
        && deletedTopics.isEmpty()
        && changedPartitions.isEmpty()
        && changedConfigs.isEmpty()
        && changedBrokers.isEmpty();
  }

  private static void diffTopics(
      TopicsImage before,
      TopicsImage after,
      List<TopicImage> created,
      List<TopicImage> deleted,
      List<ChangedPartition> partitions) {
    for (TopicImage topic : after.all()) {
      if (!before.holdsSame(topic)) {
        Optional<TopicImage> old = before.topic(topic.id());
        if (old.isPresent()) {
          diffPartitions(old.get(), topic, partitions);
        } else {
          created.add(topic);
        }
      }
    }
    for (TopicImage topic : before.all()) {
      if (!after.holdsSame(topic) && after.topic(topic.id()).isEmpty()) {
        deleted.add(topic);
      }
    }
  }

  private static void diffPartitions(
      TopicImage before, TopicImage after, List<ChangedPartition> into) {
    for (PartitionImage partition : after.partitions()) {
      Optional<PartitionImage> old = before.partition(partition.id());
      if (old.isEmpty() || !old.get().equals(partition)) {
        into.add(new ChangedPartition(after, old, partition));
      }
    }
  }

  private static Set<Integer> changedBrokers(ClusterImage before, ClusterImage after) {
    Set<Integer> ids = new LinkedHashSet<>();
    before.nodes().brokers().forEach(broker -> ids.add(broker.id()));
    after.nodes().brokers().forEach(broker -> ids.add(broker.id()));
    ids.removeIf(id -> before.nodes().broker(id).equals(after.nodes().broker(id)));
    return ids;
  }

  private static <K> Set<K> changedKeys(Map<K, ?> before, Map<K, ?> after) {
    Set<K> keys = new LinkedHashSet<>(before.keySet());
    keys.addAll(after.keySet());
    keys.removeIf(key -> Objects.equals(before.get(key), after.get(key)));
    return keys;
  }
}
