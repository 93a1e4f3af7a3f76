package dev.weir.controller;

/**
 * What the controller needs of a node's configuration.
 *
 * @param defaultPartitions {@code num.partitions}
 * @param defaultReplicationFactor {@code default.replication.factor}
 */
public record ControllerSettings(int defaultPartitions, int defaultReplicationFactor) {
  /** Kafka's defaults. */
  public static final ControllerSettings DEFAULT = new ControllerSettings(1, 1);
}
