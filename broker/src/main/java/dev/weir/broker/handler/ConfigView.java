package dev.weir.broker.handler;

import dev.weir.broker.config.BrokerConfig;
import dev.weir.broker.config.BrokerProperty;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ConfigResource;
import dev.weir.metadata.config.BrokerConfigs;
import dev.weir.metadata.config.ConfigDefinition;
import dev.weir.metadata.config.ConfigType;
import dev.weir.metadata.config.TopicConfigs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of topics and of this broker as users see it: each name with the value that
 * holds, and all places that say something about it, the strongest first.
 */
public final class ConfigView {
  /** Where a value comes from, with its code on the wire; in order of strength for one resource. */
  enum Source {
    TOPIC(1),
    BROKER(2),
    ALL_BROKERS(3),
    START(4),
    DEFAULT(5);

    private final byte code;

    Source(int code) {
      this.code = (byte) code;
    }

    byte code() {
      return code;
    }
  }

  /** Whether a password stands behind a name, which is then never told. */
  enum Secrecy {
    OPEN,
    SECRET
  }

  /** One place that says something; {@code name} as it is called there. */
  record Synonym(String name, @Nullable String value, Source source) {}

  /**
   * One configuration.
   *
   * @param synonyms at least one where there is a value
   * @param typeCode as DescribeConfigs has it
   */
  record Entry(
      String name,
      @Nullable String value,
      Source source,
      List<Synonym> synonyms,
      byte typeCode,
      Secrecy secrecy,
      boolean readOnly,
      @Nullable String documentation) {}

  private static final byte TYPE_PASSWORD = 9;
  private static final byte TYPE_CLASS = 8;

  private final BrokerConfig config;
  private final Supplier<ClusterImage> image;

  public ConfigView(BrokerConfig config, Supplier<ClusterImage> image) {
    this.config = config;
    this.image = image;
  }

  /** What holds for a topic with these configurations of its own, by name. */
  List<Entry> ofTopic(Map<String, String> own) {
    ClusterImage now = image.get();
    return TopicConfigs.definitions().stream()
        .filter(
            definition ->
                definition.visibility() == ConfigDefinition.Visibility.PUBLIC
                    || own.containsKey(definition.name()))
        .map(definition -> ofTopic(definition, own, now))
        .toList();
  }

  /** What holds for this broker, by name. */
  List<Entry> ofBroker() {
    ClusterImage now = image.get();
    return config.properties().all().stream().map(property -> ofBroker(property, now)).toList();
  }

  /** What is set dynamically for all brokers, by name. */
  List<Entry> ofAllBrokers() {
    List<Entry> entries = new ArrayList<>();
    image
        .get()
        .configs()
        .of(ConfigResource.allBrokers())
        .forEach(
            (name, value) -> {
              List<Synonym> synonyms = List.of(new Synonym(name, value, Source.ALL_BROKERS));
              BrokerConfigs.definition(name)
                  .ifPresent(
                      definition ->
                          entries.add(
                              new Entry(
                                  name,
                                  value,
                                  Source.ALL_BROKERS,
                                  synonyms,
                                  definition.type().code(),
                                  Secrecy.OPEN,
                                  /* readOnly= */ false,
                                  definition.documentation())));
            });
    return entries;
  }

  private Entry ofTopic(ConfigDefinition definition, Map<String, String> own, ClusterImage now) {
    List<Synonym> synonyms = new ArrayList<>();
    String set = own.get(definition.name());
    if (set != null) {
      synonyms.add(new Synonym(definition.name(), set, Source.TOPIC));
    }
    for (ConfigDefinition.Synonym synonym : definition.synonyms()) {
      for (Synonym place : placesOf(synonym.property(), now)) {
        String value = place.value();
        synonyms.add(
            new Synonym(
                place.name(), value == null ? null : synonym.convert(value), place.source()));
      }
    }
    String defaultValue = definition.defaultValue();
    if (defaultValue != null) {
      String name =
          definition.synonyms().isEmpty()
              ? definition.name()
              : definition.synonyms().getFirst().property();
      synonyms.add(new Synonym(name, defaultValue, Source.DEFAULT));
    }
    Optional<Synonym> strongest = synonyms.stream().findFirst();
    return new Entry(
        definition.name(),
        strongest.map(Synonym::value).orElse(null),
        strongest.map(Synonym::source).orElse(Source.DEFAULT),
        synonyms,
        definition.type().code(),
        Secrecy.OPEN,
        /* readOnly= */ false,
        definition.documentation());
  }

  private Entry ofBroker(BrokerProperty property, ClusterImage now) {
    List<Synonym> synonyms = new ArrayList<>(placesOf(property.name(), now));
    property
        .defaultText()
        .ifPresent(text -> synonyms.add(new Synonym(property.name(), text, Source.DEFAULT)));
    Secrecy secrecy =
        property.type() == BrokerProperty.Type.PASSWORD ? Secrecy.SECRET : Secrecy.OPEN;
    Optional<Synonym> strongest = synonyms.stream().findFirst();
    return new Entry(
        property.name(),
        secrecy == Secrecy.SECRET ? null : strongest.map(Synonym::value).orElse(null),
        strongest.map(Synonym::source).orElse(Source.DEFAULT),
        secrecy == Secrecy.SECRET ? List.of() : synonyms,
        typeCode(property.type()),
        secrecy,
        BrokerConfigs.definition(property.name()).isEmpty(),
        BrokerConfigs.definition(property.name())
            .map(ConfigDefinition::documentation)
            .orElse(null));
  }

  /** Where a property of brokers is set, the strongest place first. */
  private List<Synonym> placesOf(String property, ClusterImage now) {
    List<Synonym> places = new ArrayList<>(3);
    String own = now.configs().of(ConfigResource.broker(config.nodeId())).get(property);
    if (own != null) {
      places.add(new Synonym(property, own, Source.BROKER));
    }
    String all = now.configs().of(ConfigResource.allBrokers()).get(property);
    if (all != null) {
      places.add(new Synonym(property, all, Source.ALL_BROKERS));
    }
    String given = config.given().get(property);
    if (given != null) {
      places.add(new Synonym(property, given, Source.START));
    }
    return places;
  }

  private static byte typeCode(BrokerProperty.Type type) {
    return switch (type) {
      case BOOLEAN -> ConfigType.BOOLEAN.code();
      case STRING -> ConfigType.STRING.code();
      case INT -> ConfigType.INT.code();
      case SHORT -> ConfigType.SHORT.code();
      case LONG -> ConfigType.LONG.code();
      case DOUBLE -> ConfigType.DOUBLE.code();
      case LIST -> ConfigType.LIST.code();
      case CLASS -> TYPE_CLASS;
      case PASSWORD -> TYPE_PASSWORD;
    };
  }
}
