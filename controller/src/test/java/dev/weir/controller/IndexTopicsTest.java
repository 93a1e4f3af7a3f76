package dev.weir.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.metadata.ConfigResource;
import dev.weir.metadata.TopicNames;
import dev.weir.protocol.ErrorCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexTopicsTest {
  private final ControllerHarness harness = ControllerHarness.withBrokers(1);

  @BeforeEach
  void create() {
    harness.created(
        NewTopic.named("books")
            .withPartitions(2)
            .withConfigs(
                Map.of("weir.index", "true", "cleanup.policy", "compact", "retention.ms", "-1")));
    harness.created(
        NewTopic.named(TopicNames.WEIR_CATALOG)
            .withPartitions(1)
            .withConfigs(Map.of("cleanup.policy", "compact")));
    harness.created(NewTopic.named("plain").withPartitions(2));
  }

  private <T> Outcome<T> only(List<Outcome<T>> outcomes) {
    assertThat(outcomes).hasSize(1);
    return outcomes.getFirst();
  }

  private Outcome<ConfigResource> set(String topic, ConfigChange change) {
    return only(
        harness.await(
            harness.controller.alterConfigs(
                List.of(new ResourceChange(ConfigResource.topic(topic), List.of(change))),
                Mode.APPLY)));
  }

  private static ConfigChange setting(String name, String value) {
    return new ConfigChange(ConfigChange.Operation.SET, name, value);
  }

  @ParameterizedTest
  @CsvSource({"books,POLICY_VIOLATION", "__weir_catalog,POLICY_VIOLATION", "plain,NONE"})
  void partitionCountOfAnIndexStays(String topic, ErrorCode expected) {
    Outcome<String> outcome =
        only(
            harness.await(
                harness.controller.createPartitions(
                    List.of(new MorePartitions(topic, 4, List.of())), Mode.APPLY)));
    assertThat(outcome.error()).isEqualTo(expected);
    if (expected != ErrorCode.NONE) {
      assertThat(outcome.message().orElseThrow()).contains(topic);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "books,cleanup.policy,delete,INVALID_CONFIG",
    "books,cleanup.policy,'compact,delete',INVALID_CONFIG",
    "books,retention.ms,1000,INVALID_CONFIG",
    "books,retention.bytes,1000,INVALID_CONFIG",
    "books,weir.index,false,INVALID_CONFIG",
    "books,segment.bytes,2000000,NONE",
    "__weir_catalog,cleanup.policy,delete,INVALID_CONFIG",
    "__weir_catalog,retention.ms,1000,INVALID_CONFIG",
    "plain,cleanup.policy,compact,NONE",
    "plain,weir.index,true,INVALID_CONFIG"
  })
  void nothingOfAnIndexIsDeletedByItsConfiguration(
      String topic, String name, String value, ErrorCode expected) {
    assertThat(set(topic, setting(name, value)).error()).isEqualTo(expected);
  }

  @Test
  void theDefaultPolicyDeletesToo() {
    Outcome<ConfigResource> outcome =
        set("books", new ConfigChange(ConfigChange.Operation.DELETE, "cleanup.policy", null));
    assertThat(outcome.error()).isEqualTo(ErrorCode.INVALID_CONFIG);
    assertThat(outcome.message().orElseThrow()).contains("books", "cleanup.policy");
  }

  @Test
  void aWholeReplacementKeepsTheMarkAndHasToKeepThePolicy() {
    ConfigResource books = ConfigResource.topic("books");
    assertThat(replace(Map.of("segment.bytes", "2000000"))).isEqualTo(ErrorCode.INVALID_CONFIG);
    assertThat(replace(Map.of("cleanup.policy", "compact"))).isEqualTo(ErrorCode.NONE);
    assertThat(harness.image().configs().of(books))
        .isEqualTo(Map.of("cleanup.policy", "compact", "weir.index", "true"));
  }

  private ErrorCode replace(Map<String, String> configs) {
    return only(harness.await(
            harness.controller.replaceConfigs(
                Map.of(ConfigResource.topic("books"), configs), Mode.APPLY)))
        .error();
  }

  @Test
  void theTopicOfAnIndexCanBeDeletedAndThatOfTheDefinitionsNot() {
    List<TopicDeletion> deletions =
        harness.await(
            harness.controller.deleteTopics(
                List.of(
                    new TopicRef.ByName("books"), new TopicRef.ByName(TopicNames.WEIR_CATALOG))));
    assertThat(deletions.get(0)).isInstanceOf(TopicDeletion.Deleted.class);
    assertThat(deletions.get(1)).isInstanceOf(TopicDeletion.Refused.class);
  }
}
