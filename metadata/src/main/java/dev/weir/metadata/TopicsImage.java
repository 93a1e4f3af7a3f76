package dev.weir.metadata;

import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * All topics.
 *
 * <p>Invariant: the two maps hold the same topics.
 */
public final class TopicsImage {
  static final TopicsImage EMPTY = new TopicsImage(HashTreePMap.empty(), HashTreePMap.empty());

  private final PMap<String, TopicImage> topicByName;
  private final PMap<UUID, String> nameById;

  private TopicsImage(PMap<String, TopicImage> topicByName, PMap<UUID, String> nameById) {
    this.topicByName = topicByName;
    this.nameById = nameById;
  }

  TopicsImage with(TopicImage topic) {
    return new TopicsImage(
        topicByName.plus(topic.name(), topic), nameById.plus(topic.id(), topic.name()));
  }

  TopicsImage without(TopicImage topic) {
    return new TopicsImage(topicByName.minus(topic.name()), nameById.minus(topic.id()));
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
