package dev.weir.broker.fetch;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A topic that partitions of one session have in common. Owned by the session. */
final class SessionTopic {
  private final String name;
  private final UUID id;

  /** The name of a topic that the session has by id, once it was found. */
  private @Nullable String foundName;

  /** Partitions of it in the session; with the last one the topic leaves too. */
  int partitions;

  SessionTopic(String name, UUID id) {
    this.name = name;
    this.id = id;
  }

  /** As the client named it; empty where it gave the id. */
  String name() {
    return name;
  }

  UUID id() {
    return id;
  }

  void isFoundAs(String itsName) {
    foundName = itsName;
  }

  @Nullable String foundName() {
    return foundName;
  }

  @Override
  public String toString() {
    return name.isEmpty() ? id.toString() : name;
  }
}
