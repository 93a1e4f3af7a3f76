package dev.weir.controller;

import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ConfigResource;
import dev.weir.metadata.TopicNames;
import dev.weir.metadata.config.Constraint;
import dev.weir.metadata.config.TopicConfigs;
import dev.weir.protocol.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What may not be done to the topics of the search engine: those of its indexes, which carry {@link
 * TopicConfigs#WEIR_INDEX}, and that of their definitions. An index is a view of its topic, so what
 * the topic loses the index loses too, and a document's id says which partition it is in. Pure.
 */
final class IndexTopics {
  private static final String CLEANUP_POLICY = "cleanup.policy";
  private static final List<String> RETENTION = List.of("retention.ms", "retention.bytes");
  private static final String UNBOUNDED = "-1";

  private IndexTopics() {}

  /** Why a topic may not get more partitions; nothing where it may. */
  static Optional<Refusal> partitionsRefusal(ClusterImage image, String topic) {
    if (topic.equals(TopicNames.WEIR_CATALOG)) {
      return Optional.of(
          new Refusal(
              ErrorCode.POLICY_VIOLATION,
              "Topic " + topic + " holds the definitions of all indexes in its one partition"));
    }
    if (!isOfIndex(image.configs().of(ConfigResource.topic(topic)))) {
      return Optional.empty();
    }
    return Optional.of(
        new Refusal(
            ErrorCode.POLICY_VIOLATION,
            "Topic "
                + topic
                + " is the log of a search index, and the number of its partitions says where each"
                + " document is; create an index with more shards and write the documents to it"));
  }

  /**
   * Why a topic's configuration may not become this; nothing where it may.
   *
   * @param before all that it has set
   * @param after all that it would have set
   */
  static Optional<Refusal> configRefusal(
      String topic, Map<String, String> before, Map<String, String> after) {
    boolean ofIndex = isOfIndex(before);
    if (ofIndex != isOfIndex(after)) {
      return refused(topic, TopicConfigs.WEIR_INDEX + " is set when an index creates its topic");
    }
    if (!ofIndex && !topic.equals(TopicNames.WEIR_CATALOG)) {
      return Optional.empty();
    }
    String policy = after.get(CLEANUP_POLICY);
    if (policy == null || !Constraint.list(policy).equals(List.of("compact"))) {
      return refused(
          topic,
          CLEANUP_POLICY
              + " has to stay compact, not "
              + Objects.requireNonNullElse(policy, "the default")
              + ": the search engine would lose what is deleted");
    }
    for (String name : RETENTION) {
      String value = after.get(name);
      if (value != null && !value.equals(UNBOUNDED)) {
        return refused(
            topic, name + " has to stay " + UNBOUNDED + ", not " + value + ": nothing may expire");
      }
    }
    return Optional.empty();
  }

  /** What a replacement of the whole configuration leaves as it is: the mark of an index. */
  static void keepMark(Map<String, String> before, Map<String, String> after) {
    if (isOfIndex(before)) {
      after.putIfAbsent(TopicConfigs.WEIR_INDEX, "true");
    }
  }

  private static boolean isOfIndex(Map<String, String> configs) {
    return Boolean.parseBoolean(configs.get(TopicConfigs.WEIR_INDEX));
  }

  private static Optional<Refusal> refused(String topic, String why) {
    return Optional.of(
        new Refusal(
            ErrorCode.INVALID_CONFIG, "Topic " + topic + " belongs to the search engine; " + why));
  }
}
