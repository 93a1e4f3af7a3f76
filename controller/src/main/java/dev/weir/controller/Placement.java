package dev.weir.controller;

import dev.weir.metadata.BrokerImage;
import dev.weir.metadata.ClusterImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Chooses brokers for replicas. The partitions of a topic go around the active brokers, from a
 * place that the topic's id names: so leaders spread evenly, and the same command gives the same
 * placement on every node.
 */
final class Placement {
  private final List<Integer> brokers;
  private final int start;

  Placement(ClusterImage image, UUID topicId) {
    this.brokers =
        image.nodes().brokers().stream()
            .filter(BrokerImage::isActive)
            .map(BrokerImage::id)
            .toList();
    this.start = brokers.isEmpty() ? 0 : Math.floorMod(topicId.hashCode(), brokers.size());
  }

  /** Why that many replicas can't be placed; nothing where they can. */
  Optional<String> refusal(int replicationFactor) {
    return replicationFactor <= brokers.size()
        ? Optional.empty()
        : Optional.of(
            "The replication factor of "
                + replicationFactor
                + " cannot be reached because only "
                + brokers.size()
                + " broker(s) are active");
  }

  /** The replicas of a partition, the leader first. */
  List<Integer> replicas(int partition, int replicationFactor) {
    List<Integer> replicas = new ArrayList<>(replicationFactor);
    // Each further round shifts the followers by one, so that a failed broker's load is shared.
    int round = partition / brokers.size();
    int leader = (start + partition) % brokers.size();
    replicas.add(brokers.get(leader));
    for (int i = 0; i < replicationFactor - 1; i++) {
      int shift = 1 + (round + i) % (brokers.size() - 1);
      replicas.add(brokers.get((leader + shift) % brokers.size()));
    }
    return replicas;
  }
}
