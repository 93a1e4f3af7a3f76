package dev.weir.controller;

import dev.weir.metadata.ConfigResource;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What the controller can be told to do. Ids that a command needs are in it. */
sealed interface ControllerCommand {

  /** Ids are for the topics at the same places. */
  record CreateTopics(List<NewTopic> topics, List<UUID> ids, Mode mode)
      implements ControllerCommand {}

  record DeleteTopics(List<TopicRef> topics) implements ControllerCommand {}

  record CreatePartitions(List<MorePartitions> topics, Mode mode) implements ControllerCommand {}

  record AlterConfigs(List<ResourceChange> resources, Mode mode) implements ControllerCommand {}

  /** Sets what is given and deletes the rest: the older AlterConfigs request. */
  record ReplaceConfigs(Map<ConfigResource, Map<String, String>> resources, Mode mode)
      implements ControllerCommand {}

  record RegisterBroker(BrokerRegistration registration) implements ControllerCommand {}

  record FenceBroker(int brokerId, long brokerEpoch) implements ControllerCommand {}

  record AllocateProducerIds(int brokerId, long brokerEpoch) implements ControllerCommand {}

  record UpdateFeatures(List<FeatureChange> changes, Mode mode) implements ControllerCommand {}
}
