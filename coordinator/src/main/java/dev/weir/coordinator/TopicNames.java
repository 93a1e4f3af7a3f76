package dev.weir.coordinator;

import java.util.Optional;
import java.util.UUID;

/** The topics that exist, by the newest cluster metadata of this node. Thread-safe. */
public interface TopicNames {
  /** The id of the topic that bears the name; empty where none does. */
  Optional<UUID> idOf(String name);

  /** The name of a topic; empty where it does not exist. */
  Optional<String> nameOf(UUID id);
}
