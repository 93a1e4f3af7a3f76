package dev.weir.search.catalog;

import dev.weir.search.mapping.Mapping;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * An index as the catalog has it.
 *
 * @param topic name of the topic behind it, see {@link IndexName#topic}
 * @param aliases what each alias of the index means to it, by the alias's name
 * @param createdMs ms since 1970
 */
public record IndexDefinition(
    String name,
    UUID uuid,
    String topic,
    State state,
    Mapping mapping,
    IndexSettings settings,
    SortedMap<String, IndexAlias> aliases,
    long createdMs) {

  /** Takes an unmodifiable copy of the aliases. */
  public IndexDefinition {
    aliases = Collections.unmodifiableSortedMap(new TreeMap<>(aliases));
  }

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
        name,
        uuid,
        IndexName.topic(name),
        new State.Creating(),
        mapping,
        settings,
        new TreeMap<>(),
        createdMs);
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
    return new IndexDefinition(name, uuid, topic, next, mapping, settings, aliases, createdMs);
  }

  IndexDefinition with(Mapping next) {
    return new IndexDefinition(name, uuid, topic, state, next, settings, aliases, createdMs);
  }

  IndexDefinition with(IndexSettings next) {
    return new IndexDefinition(name, uuid, topic, state, mapping, next, aliases, createdMs);
  }

  /** What an alias means to the index; nothing in particular if it has none of that name. */
  public IndexAlias alias(String alias) {
    return aliases.getOrDefault(alias, IndexAlias.PLAIN);
  }

  /** The same index with these aliases and no others. */
  public IndexDefinition withAliases(SortedMap<String, IndexAlias> next) {
    return new IndexDefinition(name, uuid, topic, state, mapping, settings, next, createdMs);
  }

  /** The same index with one alias changed; empty: without it. */
  IndexDefinition with(String alias, Optional<IndexAlias> meaning) {
    SortedMap<String, IndexAlias> next = new TreeMap<>(aliases);
    meaning.ifPresentOrElse(some -> next.put(alias, some), () -> next.remove(alias));
    return withAliases(next);
  }
}
