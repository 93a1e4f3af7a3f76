package dev.weir.controller;

import static dev.weir.controller.ConfigChange.Operation.APPEND;
import static dev.weir.controller.ConfigChange.Operation.SUBTRACT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.metadata.ConfigResource;
import dev.weir.protocol.ErrorCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfigCommandsTest {
  private static final ConfigResource ORDERS = ConfigResource.topic("orders");

  private final ControllerHarness harness = ControllerHarness.withBrokers(1);

  @BeforeEach
  void createTopic() {
    harness.created(NewTopic.named("orders").withConfigs(Map.of("retention.ms", "5")));
  }

  private Outcome<ConfigResource> alter(ConfigResource resource, ConfigChange... changes) {
    return alter(Mode.APPLY, resource, changes);
  }

  private Outcome<ConfigResource> alter(
      Mode mode, ConfigResource resource, ConfigChange... changes) {
    return harness
        .await(
            harness.controller.alterConfigs(
                List.of(new ResourceChange(resource, List.of(changes))), mode))
        .getFirst();
  }

  private Map<String, String> configs(ConfigResource resource) {
    return harness.image().configs().of(resource);
  }

  @Test
  void setAndDeleteChangeOneNameEach() {
    assertThat(alter(ORDERS, ConfigChange.set("segment.ms", "9")).error())
        .isEqualTo(ErrorCode.NONE);
    assertThat(configs(ORDERS)).isEqualTo(Map.of("retention.ms", "5", "segment.ms", "9"));
    alter(ORDERS, ConfigChange.delete("retention.ms"));
    assertThat(configs(ORDERS)).isEqualTo(Map.of("segment.ms", "9"));
  }

  @Test
  void appendAddsToTheDefault() {
    alter(ORDERS, new ConfigChange(APPEND, "cleanup.policy", "compact"));
    assertThat(configs(ORDERS)).containsEntry("cleanup.policy", "delete,compact");
  }

  @Test
  void appendOfWhatIsThereChangesNothing() {
    alter(ORDERS, ConfigChange.set("cleanup.policy", "compact"));
    alter(ORDERS, new ConfigChange(APPEND, "cleanup.policy", "compact"));
    assertThat(configs(ORDERS)).containsEntry("cleanup.policy", "compact");
  }

  @Test
  void subtractTakesAway() {
    alter(ORDERS, ConfigChange.set("cleanup.policy", "compact,delete"));
    alter(ORDERS, new ConfigChange(SUBTRACT, "cleanup.policy", "delete"));
    assertThat(configs(ORDERS)).containsEntry("cleanup.policy", "compact");
  }

  @Test
  void onlyListsAreAppendedTo() {
    assertThat(alter(ORDERS, new ConfigChange(APPEND, "retention.ms", "1")).error())
        .isEqualTo(ErrorCode.INVALID_CONFIG);
  }

  @Test
  void oneBadChangeRefusesAllOfItsResource() {
    Outcome<ConfigResource> outcome =
        alter(
            ORDERS,
            ConfigChange.set("segment.ms", "9"),
            ConfigChange.set("max.message.bytes", "-1"));
    assertThat(outcome.error()).isEqualTo(ErrorCode.INVALID_CONFIG);
    assertThat(outcome.message()).hasValueSatisfying(m -> assertThat(m).contains("at least 0"));
    assertThat(configs(ORDERS)).isEqualTo(Map.of("retention.ms", "5"));
  }

  @Test
  void nameTwiceIsRefused() {
    assertThat(
            alter(ORDERS, ConfigChange.set("segment.ms", "9"), ConfigChange.delete("segment.ms"))
                .error())
        .isEqualTo(ErrorCode.INVALID_REQUEST);
  }

  @Test
  void setWithoutAValueIsRefused() {
    assertThat(
            alter(ORDERS, new ConfigChange(ConfigChange.Operation.SET, "segment.ms", null)).error())
        .isEqualTo(ErrorCode.INVALID_REQUEST);
  }

  @Test
  void validationWritesNothing() {
    assertThat(alter(Mode.VALIDATE_ONLY, ORDERS, ConfigChange.delete("retention.ms")).error())
        .isEqualTo(ErrorCode.NONE);
    assertThat(configs(ORDERS)).isEqualTo(Map.of("retention.ms", "5"));
  }

  @Test
  void unchangedValueWritesNoRecord() {
    long before = harness.log.endOffset();
    alter(ORDERS, ConfigChange.set("retention.ms", "5"));
    assertThat(harness.log.endOffset()).isEqualTo(before);
  }

  @Test
  void unknownResourcesAreRefused() {
    ConfigChange change = ConfigChange.set("log.retention.ms", "1");
    assertThat(alter(ConfigResource.topic("nope"), change).error())
        .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(alter(ConfigResource.broker(9), change).error())
        .isEqualTo(ErrorCode.BROKER_ID_NOT_REGISTERED);
    assertThat(alter(new ConfigResource(ConfigResource.Type.BROKER, "x"), change).error())
        .isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(alter(new ConfigResource(ConfigResource.Type.UNKNOWN, "x"), change).error())
        .isEqualTo(ErrorCode.INVALID_REQUEST);
  }

  @Test
  void brokerAndClusterDefaultsAreKept() {
    alter(ConfigResource.broker(1), ConfigChange.set("log.retention.ms", "1"));
    alter(ConfigResource.allBrokers(), ConfigChange.set("log.retention.ms", "2"));
    assertThat(configs(ConfigResource.broker(1))).isEqualTo(Map.of("log.retention.ms", "1"));
    assertThat(configs(ConfigResource.allBrokers())).isEqualTo(Map.of("log.retention.ms", "2"));
  }

  @Test
  void brokerConfigThatNeedsARestartIsRefused() {
    assertThat(alter(ConfigResource.broker(1), ConfigChange.set("node.id", "2")).error())
        .isEqualTo(ErrorCode.INVALID_CONFIG);
  }

  @Test
  void replacementDeletesTheRest() {
    harness.await(
        harness.controller.replaceConfigs(Map.of(ORDERS, Map.of("segment.ms", "9")), Mode.APPLY));
    assertThat(configs(ORDERS)).isEqualTo(Map.of("segment.ms", "9"));
  }
}
