package dev.weir.controller;

import java.util.UUID;

/** What became of one topic of a DeleteTopics command. */
public sealed interface TopicDeletion {
  record Deleted(TopicRef topic, String name, UUID id) implements TopicDeletion {}

  record Refused(TopicRef topic, Refusal refusal) implements TopicDeletion {}
}
