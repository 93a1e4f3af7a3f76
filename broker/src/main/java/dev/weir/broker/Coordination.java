package dev.weir.broker;

import dev.weir.broker.config.BrokerConfig;
import dev.weir.broker.offsets.ImageTopicNames;
import dev.weir.broker.offsets.OffsetsTopic;
import dev.weir.broker.partition.Partitions;
import dev.weir.coordinator.CoordinatorTopic;
import dev.weir.coordinator.group.GroupCoordinator;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The group coordinator with its topic, which need each other. */
final class Coordination {
  private static final Logger LOG = LoggerFactory.getLogger(Coordination.class);

  private final CoordinatorTopic offsets;
  private final GroupCoordinator groups;

  Coordination(BrokerConfig config, BrokerSurroundings surroundings, Partitions partitions) {
    this.offsets =
        new OffsetsTopic(
            config.offsets(),
            surroundings.controller(),
            partitions,
            surroundings.machines().clock(),
            this::onLost);
    this.groups =
        new GroupCoordinator(
            config.groups(),
            offsets,
            new ImageTopicNames(surroundings.controller()::image),
            surroundings.machines(),
            surroundings.ids());
  }

  CoordinatorTopic offsets() {
    return offsets;
  }

  GroupCoordinator groups() {
    return groups;
  }

  /**
   * Begins to run the sessions of the groups that the log holds, and the expiry of their offsets.
   * Requests need not wait for it: one that asks for a group loads its partition.
   */
  void begin() {
    logFailure(groups.load(), "the groups were not loaded; each is loaded when it is asked for");
  }

  /** Has the groups forget what they committed for a topic that is no more. */
  void topicDeleted(String topic) {
    logFailure(groups.topicDeleted(topic), "offsets were not forgotten: topic=" + topic);
  }

  /** Gives all groups up. */
  void stop() {
    logFailure(groups.stop(), "the groups were not given up in order");
  }

  /** A partition of the offsets topic can no longer commit: its groups are given up. */
  private void onLost(String reason, int partition) {
    logFailure(
        groups.resign(partition, reason),
        "a partition of the offsets topic was not given up: partition=" + partition);
  }

  private static void logFailure(CompletableFuture<Void> act, String message) {
    CompletableFuture<Void> _ =
        act.whenComplete(
            (_, failure) -> {
              if (failure != null) {
                LOG.warn("{}", message, failure);
              }
            });
  }
}
