package dev.weir.controller;

import dev.weir.metadata.BrokerImage;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.PartitionImage;
import dev.weir.protocol.metadata.PartitionRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Replicas that a user chose, and the records of new partitions. */
final class Assignments {
  private Assignments() {}

  /** Why the replicas can't be a partition's; nothing where they can. */
  static Optional<String> refusal(ClusterImage image, List<Integer> replicas) {
    if (replicas.isEmpty()) {
      return Optional.of("The manual partition assignment includes an empty replica list");
    }
    if (new HashSet<>(replicas).size() < replicas.size()) {
      return Optional.of("The manual partition assignment includes a broker twice: " + replicas);
    }
    for (int broker : replicas) {
      if (image.nodes().broker(broker).isEmpty()) {
        return Optional.of(
            "The manual partition assignment includes broker "
                + broker
                + ", but no such broker is registered");
      }
    }
    if (replicas.stream().noneMatch(broker -> isActive(image, broker))) {
      return Optional.of("All brokers of the manual partition assignment are fenced: " + replicas);
    }
    return Optional.empty();
  }

  /** A new partition: led by its first active replica, all active ones in sync. */
  static PartitionRecord partition(
      ClusterImage image, UUID topicId, int partition, List<Integer> replicas) {
    List<Integer> isr = replicas.stream().filter(broker -> isActive(image, broker)).toList();
    return PartitionRecord.DEFAULT
        .withPartitionId(partition)
        .withTopicId(topicId)
        .withReplicas(replicas)
        .withIsr(isr)
        .withDirectories(replicas.stream().map(broker -> directory(image, broker)).toList())
        .withLeader(isr.getFirst())
        .withLeaderEpoch(0)
        .withPartitionEpoch(0);
  }

  /** The only directory of a broker; one with several chooses, and says so, itself. */
  private static UUID directory(ClusterImage image, int broker) {
    List<UUID> directories =
        image.nodes().broker(broker).map(BrokerImage::directories).orElse(List.of());
    return directories.size() == 1 ? directories.getFirst() : PartitionImage.UNASSIGNED_DIRECTORY;
  }

  private static boolean isActive(ClusterImage image, int broker) {
    return image.nodes().broker(broker).map(BrokerImage::isActive).orElse(false);
  }
}
