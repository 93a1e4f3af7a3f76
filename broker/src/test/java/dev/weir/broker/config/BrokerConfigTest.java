package dev.weir.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.coordinator.group.GroupSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerConfigTest {

  @Test
  void defaultsAreThoseOfKafka() {
    BrokerConfig config = BrokerConfig.defaults();
    assertThat(config.listeners()).containsExactly(new Endpoint("PLAINTEXT", "", 9092));
    assertThat(config.network().requestBytesMax()).isEqualTo(100 << 20);
    assertThat(config.fetch().bytesMax()).isEqualTo(55 << 20);
    assertThat(config.topics().createdOnUse()).isTrue();
    assertThat(config.topics().partitions()).isEqualTo(1);
    assertThat(config.offsets().partitions()).isEqualTo(50);
    assertThat(config.offsets().segmentBytes()).isEqualTo(100 << 20);
    assertThat(config.groups()).isEqualTo(GroupSettings.DEFAULT);
  }

  @Test
  void anUnknownNameIsRefusedWithTheNearestKnownOne() {
    assertThatThrownBy(() -> BrokerConfig.parse(Map.of("num.partition", "3")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("unknown property num.partition; did you mean num.partitions?");
  }

  @Test
  void aValueOutOfRangeIsRefusedWithWhatIsAccepted() {
    assertThatThrownBy(() -> BrokerConfig.parse(Map.of("num.partitions", "0")))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "property num.partitions is \"0\", expected a whole number from 1 to 2147483647");
  }

  @Test
  void aWordThatIsNotAmongThoseAcceptedIsRefused() {
    assertThatThrownBy(() -> BrokerConfig.parse(Map.of("log.cleanup.policy", "delete,compress")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected one of compact, delete");
  }

  @Test
  void aPropertyWhoseNeglectWouldMisleadIsRefused() {
    assertThatThrownBy(() -> BrokerConfig.parse(Map.of("authorizer.class.name", "org.acme.Acl")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("not supported here");
  }

  @Test
  void propertiesOfKafkaWithoutEffectAreAcceptedAndNamed() {
    BrokerConfig config = BrokerConfig.parse(Map.of("num.io.threads", "4", "num.partitions", "2"));
    assertThat(config.idleProperties()).containsExactly("num.io.threads");
  }

  @Test
  void listenersAreReadWithAnIpv6AddressInBrackets() {
    BrokerConfig config =
        BrokerConfig.parse(Map.of("listeners", "PLAINTEXT://[::1]:9092, LOCAL://127.0.0.1:0"));
    assertThat(config.listeners())
        .containsExactly(
            new Endpoint("PLAINTEXT", "::1", 9092), new Endpoint("LOCAL", "127.0.0.1", 0));
    assertThat(config.listeners().getFirst()).hasToString("PLAINTEXT://[::1]:9092");
  }

  @Test
  void aMalformedListenerIsRefusedWithAnExample() {
    assertThatThrownBy(() -> BrokerConfig.parse(Map.of("listeners", "127.0.0.1:9092")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("PLAINTEXT://127.0.0.1:9092");
  }
}
