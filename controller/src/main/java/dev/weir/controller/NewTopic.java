package dev.weir.controller;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A topic to create.
 *
 * @param partitions or {@link #DEFAULT}; must be that where there are assignments
 * @param replicationFactor or {@link #DEFAULT}; must be that where there are assignments
 * @param assignments replicas by partition; empty to let the controller choose
 */
public record NewTopic(
    String name,
    int partitions,
    int replicationFactor,
    Map<Integer, List<Integer>> assignments,
    Map<String, String> configs) {

  /** Whatever the node's configuration says. */
  public static final int DEFAULT = -1;

  public NewTopic {
    assignments = Collections.unmodifiableMap(new TreeMap<>(assignments));
    configs = Map.copyOf(configs);
  }

  /** A topic with the node's defaults. */
  public static NewTopic named(String name) {
    return new NewTopic(name, DEFAULT, DEFAULT, Map.of(), Map.of());
  }

  public NewTopic withPartitions(int value) {
    return new NewTopic(name, value, replicationFactor, assignments, configs);
  }

  public NewTopic withReplicationFactor(int value) {
    return new NewTopic(name, partitions, value, assignments, configs);
  }

  public NewTopic withAssignments(Map<Integer, List<Integer>> value) {
    return new NewTopic(name, partitions, replicationFactor, value, configs);
  }

  public NewTopic withConfigs(Map<String, String> value) {
    return new NewTopic(name, partitions, replicationFactor, assignments, value);
  }
}
