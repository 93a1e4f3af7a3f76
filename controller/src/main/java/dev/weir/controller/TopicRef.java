package dev.weir.controller;

import java.util.UUID;

/** A topic as a client names it. */
public sealed interface TopicRef {
  record ByName(String name) implements TopicRef {}

  record ById(UUID id) implements TopicRef {}
}
