package dev.weir.metadata.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The broker configurations that can be changed while the brokers run: the defaults that they give
 * to their topics. All others belong to a node's own configuration file.
 */
public final class BrokerConfigs {
  private static final Map<String, ConfigDefinition> DEFINITION_BY_NAME =
      TopicConfigs.definitions().stream()
          .filter(topic -> !topic.synonyms().isEmpty())
          .map(BrokerConfigs::ofTopicDefault)
          .collect(Collectors.toUnmodifiableMap(ConfigDefinition::name, Function.identity()));

  private BrokerConfigs() {}

  /** By name in ascending order. */
  public static List<ConfigDefinition> definitions() {
    Collection<ConfigDefinition> all = DEFINITION_BY_NAME.values();
    return all.stream().sorted(Comparator.comparing(ConfigDefinition::name)).toList();
  }

  public static Optional<ConfigDefinition> definition(String name) {
    return Optional.ofNullable(DEFINITION_BY_NAME.get(name));
  }

  /** Why a broker's dynamic configuration is refused, as a sentence; nothing where it is not. */
  public static Optional<String> refusal(Map<String, String> configs) {
    for (Map.Entry<String, String> config : configs.entrySet()) {
      ConfigDefinition definition = DEFINITION_BY_NAME.get(config.getKey());
      if (definition == null) {
        return Optional.of(
            "Cannot update "
                + config.getKey()
                + " dynamically: it is no broker config that can change while the broker runs");
      }
      Optional<String> refusal = definition.refusal(config.getValue());
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  /** The strongest property only: the coarser ones are fixed at start, as in Kafka. */
  private static ConfigDefinition ofTopicDefault(ConfigDefinition topic) {
    return new ConfigDefinition(
        topic.synonyms().getFirst().property(),
        topic.type(),
        topic.defaultValue(),
        topic.constraint(),
        List.of(),
        topic.visibility(),
        "Default of topics: " + topic.documentation());
  }
}
