package dev.weir.metadata;

import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * All topics.
 *
 * <p>Invariant: the maps hold the same topics; of topics whose names collide, which only other
 * software can have made, the last map holds one.
 */
public final class TopicsImage {
  static final TopicsImage EMPTY =
      new TopicsImage(HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty());

  private final PMap<String, TopicImage> topicByName;
  private final PMap<UUID, String> nameById;

  private final PMap<String, String> nameByCollisionKey;

  private TopicsImage(
      PMap<String, TopicImage> topicByName,
      PMap<UUID, String> nameById,
      PMap<String, String> nameByCollisionKey) {
    this.topicByName = topicByName;
    this.nameById = nameById;
    this.nameByCollisionKey = nameByCollisionKey;
  }

  TopicsImage with(TopicImage topic) {
    if (topicByName.containsKey(topic.name()) && nameById.containsKey(topic.id())) {
      return new TopicsImage(topicByName.plus(topic.name(), topic), nameById, nameByCollisionKey);
    }
    return new TopicsImage(
        topicByName.plus(topic.name(), topic),
        nameById.plus(topic.id(), topic.name()),
        nameByCollisionKey.plus(TopicNames.collisionKey(topic.name()), topic.name()));
  }

  TopicsImage without(TopicImage topic) {
    String key = TopicNames.collisionKey(topic.name());
    return new TopicsImage(
        topicByName.minus(topic.name()),
        nameById.minus(topic.id()),
        topic.name().equals(nameByCollisionKey.get(key))
            ? nameByCollisionKey.minus(key)
            : nameByCollisionKey);
  }

  /** The topic that differs from a new name at most by '.' and '_'. */
  public Optional<String> colliding(String name) {
    return Optional.ofNullable(nameByCollisionKey.get(TopicNames.collisionKey(name)));
  }

  public Optional<TopicImage> topic(String name) {
    return Optional.ofNullable(topicByName.get(name));
  }

  public Optional<TopicImage> topic(UUID id) {
    String name = nameById.get(id);
    return name == null ? Optional.empty() : topic(name);
  }

  /** In no particular order. Unmodifiable. */
  public Collection<TopicImage> all() {
    return topicByName.values();
  }

  public int size() {
    return topicByName.size();
  }

  /** Whether the topic is this very object: it has not changed since. */
  @SuppressWarnings("ReferenceEquality") // cheap, and an equal copy is found to be equal later
  boolean holdsSame(TopicImage topic) {
    return topicByName.get(topic.name()) == topic;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TopicsImage that && topicByName.equals(that.topicByName);
  }

  @Override
  public int hashCode() {
    return topicByName.hashCode();
  }

  @Override
  public String toString() {
    return "TopicsImage" + topicByName.values();
  }
}
