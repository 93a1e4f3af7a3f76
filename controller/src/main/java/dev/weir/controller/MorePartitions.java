package dev.weir.controller;

import java.util.List;

/**
 * A wish for more partitions of a topic.
 *
 * @param count of all partitions afterwards
 * @param assignments replicas of each new partition; empty to let the controller choose
 */
public record MorePartitions(String topic, int count, List<List<Integer>> assignments) {
  public MorePartitions {
    assignments = assignments.stream().map(List::copyOf).toList();
  }
}
