package dev.weir.broker.config;

import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ConfigResource;
import dev.weir.metadata.config.TopicConfigs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What holds for a broker at one point of the metadata: its own dynamic configuration over that of
 * all brokers over the properties that it was started with. From it follow the defaults of topics.
 */
public final class NodeProperties {
  private final int nodeId;
  private final Map<String, String> given;

  /**
   * @param given the properties that the node was started with
   */
  public NodeProperties(int nodeId, Map<String, String> given) {
    this.nodeId = nodeId;
    this.given = Map.copyOf(given);
  }

  /** The value that is set for a property, dynamically or at the start; defaults are not. */
  public Optional<String> value(ClusterImage image, String name) {
    return Optional.ofNullable(image.configs().of(ConfigResource.broker(nodeId)).get(name))
        .or(() -> Optional.ofNullable(image.configs().of(ConfigResource.allBrokers()).get(name)))
        .or(() -> Optional.ofNullable(given.get(name)));
  }

  /** Everything set for a topic, by itself or as a default; not the defaults of the definitions. */
  public Map<String, String> ofTopic(ClusterImage image, String topic) {
    Map<String, String> config = new HashMap<>(TopicConfigs.defaultsOf(name -> value(image, name)));
    config.putAll(image.configs().of(ConfigResource.topic(topic)));
    return config;
  }
}
