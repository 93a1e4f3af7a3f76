package dev.weir.controller;

import dev.weir.metadata.ConfigResource;
import java.util.List;

/** What a {@link ControllerCommand} is answered with. */
sealed interface ControllerReply {
  record TopicsCreated(List<TopicCreation> topics) implements ControllerReply {}

  record TopicsDeleted(List<TopicDeletion> topics) implements ControllerReply {}

  record PartitionsCreated(List<Outcome<String>> topics) implements ControllerReply {}

  record ConfigsAltered(List<Outcome<ConfigResource>> resources) implements ControllerReply {}

  /** The epoch of the registration. */
  record BrokerRegistered(long brokerEpoch) implements ControllerReply {}

  record Done() implements ControllerReply {}

  record ProducerIdsAllocated(ProducerIdBlock block) implements ControllerReply {}

  record FeaturesUpdated(List<Outcome<String>> features) implements ControllerReply {}

  /** The whole command is refused. */
  record Refused(Refusal refusal) implements ControllerReply {}
}
