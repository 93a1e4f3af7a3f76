package dev.weir.search.catalog;

import dev.weir.search.mapping.Mapping;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * An index as the catalog has it.
 *
 * @param topic name of the topic behind it, see {@link IndexName#topic}
 * @param createdMs ms since 1970
 */
public record IndexDefinition(
    String name,
    UUID uuid,
    String topic,
    State state,
    Mapping mapping,
    IndexSettings settings,
    long createdMs) {

  /** Where an index is in its life. */
  public sealed interface State {
    /** Its topic is to be created. */
    record Creating() implements State {}

    /** It is there. */
    record Open(UUID topicId) implements State {}

    /** Its topic is to be deleted; nobody sees it any more. */
    record Deleting() implements State {}
  }

  /** An index whose topic is to be created. */
  public static IndexDefinition creating(
      String name, UUID uuid, Mapping mapping, IndexSettings settings, long createdMs) {
    return new IndexDefinition(
        name, uuid, IndexName.topic(name), new State.Creating(), mapping, settings, createdMs);
  }

  /** The same index with a topic that is there. */
  public IndexDefinition opened(UUID topicId) {
    return with(new State.Open(topicId));
  }

  /** Number of shards, which is the partition count of the topic. */
  public int shards() {
    return settings.shards();
  }

  /** Whether users see it. */
  public boolean isVisible() {
    return !(state instanceof State.Deleting);
  }

  /** Identity of its topic, once there is one. */
  public Optional<UUID> topicId() {
    return state instanceof State.Open(UUID topicId) ? Optional.of(topicId) : Optional.empty();
  }

  /** The uuid as OpenSearch prints it: 22 characters of URL-safe base 64. */
  public String uuidText() {
    return uuidText(uuid);
  }

  /** A uuid as OpenSearch prints it. */
  public static String uuidText(UUID uuid) {
    ByteBuffer bytes = ByteBuffer.allocate(16);
    bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  IndexDefinition with(State next) {
    return new IndexDefinition(name, uuid, topic, next, mapping, settings, createdMs);
  }

  IndexDefinition with(Mapping next) {
    return new IndexDefinition(name, uuid, topic, state, next, settings, createdMs);
  }

  IndexDefinition with(IndexSettings next) {
    return new IndexDefinition(name, uuid, topic, state, mapping, next, createdMs);
  }
}
