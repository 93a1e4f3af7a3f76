package dev.weir.broker.config;

import dev.weir.coordinator.group.GroupSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * How a broker is configured: the given properties, checked, and those that the broker reads at run
 * time as typed values. Immutable.
 *
 * @param advertisedListeners what clients are told; empty: the address they came in by
 * @param metadataSnapshotBytes bytes of the metadata log between two snapshots of it
 * @param given the properties as they were given, by name
 * @param properties all that are known
 */
public record BrokerConfig(
    int nodeId,
    List<Endpoint> listeners,
    List<Endpoint> advertisedListeners,
    NetworkSettings network,
    FetchSettings fetch,
    TopicSettings topics,
    GroupSettings groups,
    OffsetsSettings offsets,
    HousekeepingSettings housekeeping,
    long metadataSnapshotBytes,
    Map<String, String> given,
    BrokerProperties properties) {

  /**
   * Sockets and requests.
   *
   * @param loops event loops; 0: one a processor
   * @param idleMsMax connections idle for longer are closed
   */
  public record NetworkSettings(
      int loops,
      int requestBytesMax,
      int sendBufferBytes,
      int receiveBufferBytes,
      int backlog,
      long idleMsMax) {}

  /**
   * Answers to fetches.
   *
   * @param bytesMax of one answer
   * @param sessionBytesMax of all fetch sessions of consumers; -1: a part of the heap
   */
  public record FetchSettings(int bytesMax, long sessionBytesMax) {}

  /** How often the logs are looked after. */
  public record HousekeepingSettings(long retentionCheckMs, long checkpointMs) {}

  /** Topics in general. */
  public record TopicSettings(
      boolean createdOnUse,
      boolean deletable,
      int partitions,
      short replicationFactor,
      int describedPartitionsMax) {}

  /** The topic that keeps the groups and their offsets. */
  public record OffsetsSettings(int partitions, short replicationFactor, int segmentBytes) {}

  public BrokerConfig {
    listeners = List.copyOf(listeners);
    advertisedListeners = List.copyOf(advertisedListeners);
    given = Map.copyOf(given);
  }

  /** The configuration that holds when no property is given. */
  public static BrokerConfig defaults() {
    return parse(Map.of());
  }

  /**
   * Checks and reads properties.
   *
   * @throws ConfigException at the first name that is unknown or value that is not accepted
   */
  public static BrokerConfig parse(Map<String, String> given) {
    BrokerProperties properties = BrokerProperties.read();
    Map<String, String> sorted = new TreeMap<>(given); // the same complaint on every start
    sorted.forEach(
        (name, value) ->
            properties
                .find(name)
                .orElseThrow(
                    () ->
                        new ConfigException(
                            "unknown property "
                                + name
                                + "; did you mean "
                                + properties.nearestName(name)
                                + "?"))
                .check(value));
    Values values = new Values(properties, given);
    return new BrokerConfig(
        values.intOf("node.id"),
        endpoints("listeners", values.text("listeners").orElse("")),
        endpoints("advertised.listeners", values.text("advertised.listeners").orElse("")),
        network(values),
        new FetchSettings(
            values.intOf("fetch.max.bytes"), values.longOf("weir.fetch.session.memory.bytes")),
        topics(values),
        groups(values),
        offsets(values),
        new HousekeepingSettings(
            values.longOf("log.retention.check.interval.ms"),
            values.longOf("replica.high.watermark.checkpoint.interval.ms")),
        values.longOf("metadata.log.max.record.bytes.between.snapshots"),
        given,
        properties);
  }

  /** The value that holds for a property: the given one, else its default. */
  public Optional<String> value(String name) {
    return new Values(properties, given).text(name);
  }

  /** The given properties that Kafka has and that change nothing here. */
  public List<String> idleProperties() {
    return given.keySet().stream()
        .sorted()
        .filter(
            name ->
                properties
                    .find(name)
                    .filter(known -> known.effect() == BrokerProperty.Effect.IDLE)
                    .isPresent())
        .toList();
  }

  static List<String> splitList(String value) {
    List<String> items = new ArrayList<>();
    for (String item : value.split(",", -1)) {
      if (!item.isBlank()) {
        items.add(item.strip());
      }
    }
    return items;
  }

  private static List<Endpoint> endpoints(String property, String value) {
    return splitList(value).stream().map(text -> Endpoint.parse(property, text)).toList();
  }

  private static NetworkSettings network(Values values) {
    return new NetworkSettings(
        values.given("num.network.threads").map(Integer::parseInt).orElse(0),
        values.intOf("socket.request.max.bytes"),
        values.intOf("socket.send.buffer.bytes"),
        values.intOf("socket.receive.buffer.bytes"),
        values.intOf("socket.listen.backlog.size"),
        values.longOf("connections.max.idle.ms"));
  }

  private static TopicSettings topics(Values values) {
    return new TopicSettings(
        values.booleanOf("auto.create.topics.enable"),
        values.booleanOf("delete.topic.enable"),
        values.intOf("num.partitions"),
        (short) values.intOf("default.replication.factor"),
        values.intOf("max.request.partition.size.limit"));
  }

  private static GroupSettings groups(Values values) {
    return new GroupSettings(
        values.intOf("group.min.session.timeout.ms"),
        values.intOf("group.max.session.timeout.ms"),
        values.intOf("group.max.size"),
        values.intOf("group.initial.rebalance.delay.ms"),
        values.intOf("offset.metadata.max.bytes"),
        TimeUnit.MINUTES.toMillis(values.intOf("offsets.retention.minutes")),
        values.longOf("offsets.retention.check.interval.ms"));
  }

  private static OffsetsSettings offsets(Values values) {
    return new OffsetsSettings(
        values.intOf("offsets.topic.num.partitions"),
        (short) values.intOf("offsets.topic.replication.factor"),
        values.intOf("offsets.topic.segment.bytes"));
  }

  /** Looks values up; all of them have been checked. */
  private record Values(BrokerProperties properties, Map<String, String> given) {
    Optional<String> given(String name) {
      return Optional.ofNullable(given.get(name));
    }

    Optional<String> text(String name) {
      return given(name).or(() -> properties.find(name).flatMap(BrokerProperty::defaultText));
    }

    int intOf(String name) {
      return Integer.parseInt(required(name));
    }

    long longOf(String name) {
      return Long.parseLong(required(name));
    }

    boolean booleanOf(String name) {
      return required(name).equals("true");
    }

    private String required(String name) {
      return text(name)
          .orElseThrow(() -> new ConfigException("property " + name + " has no value"));
    }
  }
}
