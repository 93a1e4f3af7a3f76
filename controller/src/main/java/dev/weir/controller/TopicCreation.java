package dev.weir.controller;

import java.util.Map;
import java.util.UUID;

/** What became of one topic of a CreateTopics command. */
public sealed interface TopicCreation {
  String name();

  /**
   * It exists now, or would, if the command had been more than a validation.
   *
   * @param configs the topic's own, without defaults
   */
  record Created(
      String name, UUID id, int partitions, int replicationFactor, Map<String, String> configs)
      implements TopicCreation {}

  record Refused(String name, Refusal refusal) implements TopicCreation {}
}
