package dev.weir.metadata.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Every topic configuration: those of Kafka 4.4 with their defaults, and Weir's own. */
public final class TopicConfigs {
  /** Marks the topic of a search index; set at its creation, and fixed from then on. */
  public static final String WEIR_INDEX = "weir.index";

  private static final List<ConfigDefinition> DEFINITIONS = TopicConfigTable.rows();
  private static final Map<String, ConfigDefinition> DEFINITION_BY_NAME =
      DEFINITIONS.stream()
          .collect(Collectors.toUnmodifiableMap(ConfigDefinition::name, Function.identity()));

  private TopicConfigs() {}

  /** All definitions, by name in ascending order. */
  public static List<ConfigDefinition> definitions() {
    return DEFINITIONS;
  }

  public static Optional<ConfigDefinition> definition(String name) {
    return Optional.ofNullable(DEFINITION_BY_NAME.get(name));
  }

  /**
   * What a node's properties say about the defaults of topics, in the topics' own names and units.
   * A stronger property (log.retention.ms) wins over a weaker one (log.retention.hours).
   *
   * @param property the node's value of a property, or nothing where it is not set
   * @return only what is set
   */
  public static Map<String, String> defaultsOf(Function<String, Optional<String>> property) {
    Map<String, String> defaults = new LinkedHashMap<>();
    for (ConfigDefinition definition : DEFINITIONS) {
      for (ConfigDefinition.Synonym synonym : definition.synonyms()) {
        Optional<String> value = property.apply(synonym.property());
        if (value.isPresent()) {
          defaults.put(definition.name(), synonym.convert(value.get()));
          break;
        }
      }
    }
    return defaults;
  }

  /**
   * Why a topic's own configuration is refused, as a sentence; nothing where it is accepted.
   *
   * @param configs all that the topic will have set, not only what changes
   */
  public static Optional<String> refusal(Map<String, String> configs) {
    for (Map.Entry<String, String> config : configs.entrySet()) {
      ConfigDefinition definition = DEFINITION_BY_NAME.get(config.getKey());
      if (definition == null) {
        return Optional.of("Unknown topic config name: " + config.getKey());
      }
      Optional<String> refusal = definition.refusal(config.getValue());
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return refusalOfCombination(configs);
  }

  private static Optional<String> refusalOfCombination(Map<String, String> configs) {
    long minLagMs = longValue(configs, "min.compaction.lag.ms");
    long maxLagMs = longValue(configs, "max.compaction.lag.ms");
    if (minLagMs > maxLagMs) {
      return Optional.of(
          "min.compaction.lag.ms ("
              + minLagMs
              + ") is greater than max.compaction.lag.ms ("
              + maxLagMs
              + ")");
    }
    if (Boolean.parseBoolean(configs.get("remote.storage.enable"))) {
      return Optional.of("remote.storage.enable: this cluster has no remote tier to store in");
    }
    return Optional.empty();
  }

  private static long longValue(Map<String, String> configs, String name) {
    String set = configs.get(name);
    ConfigDefinition definition = DEFINITION_BY_NAME.get(name);
    String value = set != null || definition == null ? set : definition.defaultValue();
    if (value == null) {
      throw new AssertionError("config " + name + " has no default");
    }
    return Long.parseLong(value.trim());
  }
}
