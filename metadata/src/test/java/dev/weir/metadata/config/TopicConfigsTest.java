package dev.weir.metadata.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.server.config.ConfigSynonym;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every topic configuration of Apache Kafka is there, and takes the same values. */
class TopicConfigsTest {
  private static final List<String> VALUES =
      List.of(
          "",
          "-131073",
          "-131072",
          "-3",
          "-2",
          "-1",
          "0",
          "1",
          "3",
          "4",
          "9",
          "10",
          "17",
          "18",
          "22",
          "23",
          "1048575",
          "1048576",
          "2147483639",
          "2147483640",
          "9223372036854775807",
          "9223372036854775808",
          "0.5",
          "1.5",
          "-0.1",
          "true",
          "FALSE",
          "yes",
          "producer",
          "gzip",
          "zstd",
          "none",
          "CreateTime",
          "LogAppendTime",
          "createtime",
          "delete",
          "compact",
          "compact,delete",
          "compact, delete",
          "compact,compact",
          "drop",
          "*",
          "0:1",
          "0:1,1:2",
          "0:a",
          " 7 ");

  static Stream<ConfigDef.ConfigKey> kafkaConfigs() {
    return LogConfig.configKeys().values().stream();
  }

  private static ConfigDefinition definition(String name) {
    return TopicConfigs.definition(name).orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("kafkaConfigs")
  void typeAndDefaultAreThoseOfKafka(ConfigDef.ConfigKey kafka) {
    ConfigDefinition ours = definition(kafka.name);
    assertThat(ours.type().name()).isEqualTo(kafka.type.name());
    assertThat(ours.defaultValue())
        .isEqualTo(ConfigDef.convertToString(kafka.defaultValue, kafka.type));
    assertThat(ours.visibility() == ConfigDefinition.Visibility.INTERNAL)
        .isEqualTo(kafka.internalConfig);
  }

  @ParameterizedTest
  @MethodSource("kafkaConfigs")
  void sameValuesAreAccepted(ConfigDef.ConfigKey kafka) {
    for (String value : VALUES) {
      assertThat(definition(kafka.name).refusal(value).isEmpty())
          .as("%s=%s", kafka.name, value)
          .isEqualTo(acceptedByKafka(kafka, value));
    }
  }

  private static boolean acceptedByKafka(ConfigDef.ConfigKey kafka, String value) {
    try {
      Object parsed = ConfigDef.parseType(kafka.name, value, kafka.type);
      if (kafka.validator != null) {
        kafka.validator.ensureValid(kafka.name, parsed);
      }
      return parsed != null;
    } catch (ConfigException e) {
      return false;
    }
  }

  @ParameterizedTest
  @MethodSource("kafkaConfigs")
  void nodePropertiesAreThoseOfKafka(ConfigDef.ConfigKey kafka) {
    List<ConfigSynonym> synonyms =
        ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS.getOrDefault(kafka.name, List.of());
    assertThat(definition(kafka.name).synonyms())
        .extracting(ConfigDefinition.Synonym::property)
        .containsExactlyElementsOf(synonyms.stream().map(ConfigSynonym::name).toList());
    for (int i = 0; i < synonyms.size(); i++) {
      assertThat(definition(kafka.name).synonyms().get(i).convert("3"))
          .isEqualTo(synonyms.get(i).converter().apply("3"));
    }
  }

  @Test
  void onlyOurOwnConfigsAreAdded() {
    assertThat(TopicConfigs.definitions())
        .extracting(ConfigDefinition::name)
        .filteredOn(name -> !LogConfig.configKeys().containsKey(name))
        .containsExactlyInAnyOrder("weir.flush.single.replica", "weir.index");
  }

  @Test
  void everyDefaultIsAcceptedByItsDefinition() {
    for (ConfigDefinition definition : TopicConfigs.definitions()) {
      String value = definition.defaultValue();
      if (value != null) {
        assertThat(definition.refusal(value)).as(definition.name()).isEmpty();
      }
    }
  }

  @Test
  void strongerNodePropertyWins() {
    Map<String, String> properties = Map.of("log.retention.hours", "2", "log.retention.ms", "7");
    assertThat(TopicConfigs.defaultsOf(name -> Optional.ofNullable(properties.get(name))))
        .isEqualTo(Map.of("retention.ms", "7"));
  }

  @Test
  void nodePropertyIsConvertedToTheTopicsUnit() {
    Map<String, String> properties = Map.of("log.retention.hours", "2", "log.roll.hours", "1");
    assertThat(TopicConfigs.defaultsOf(name -> Optional.ofNullable(properties.get(name))))
        .isEqualTo(Map.of("retention.ms", "7200000", "segment.ms", "3600000"));
  }

  @Test
  void noLimitInHoursIsNoLimitInMilliseconds() {
    assertThat(new ConfigDefinition.Synonym("log.retention.hours", 3_600_000).convert("-1"))
        .isEqualTo("-1");
  }

  @Test
  void refusalNamesValueAndConfig() {
    assertThat(TopicConfigs.refusal(Map.of("retention.ms", "-2")))
        .contains("Invalid value -2 for configuration retention.ms: Value must be at least -1");
    assertThat(TopicConfigs.refusal(Map.of("retention", "1")))
        .contains("Unknown topic config name: retention");
  }

  @Test
  void compactionLagsThatContradictEachOtherAreRefused() {
    assertThat(
            TopicConfigs.refusal(
                Map.of("min.compaction.lag.ms", "10", "max.compaction.lag.ms", "5")))
        .isPresent();
    assertThat(TopicConfigs.refusal(Map.of("min.compaction.lag.ms", "10"))).isEmpty();
  }

  @Test
  void listsLeaveEmptyEntriesOut() {
    assertThat(Constraint.list(" , ")).isEmpty();
    assertThat(Constraint.list(" a, ,b ")).containsExactly("a", "b");
  }
}
