package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

class ApiKeyTest {
  @Test
  void keysAreThoseOfTheClientLibraryThatStillHaveVersions() {
    assertThat(Arrays.stream(ApiKey.values()).map(key -> key.name() + " " + key.id()))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ApiKeys.values())
                .filter(key -> key.oldestVersion() <= key.latestVersion())
                .map(key -> key.name() + " " + key.id)
                .toList());
  }

  @Test
  void versionsAndHeadersAreThoseOfTheClientLibrary() {
    for (ApiKey key : ApiKey.values()) {
      ApiKeys theirs = ApiKeys.forId(key.id());
      assertThat(key.lowestVersion()).as(key.name()).isEqualTo(theirs.oldestVersion());
      assertThat(key.highestVersion()).as(key.name()).isEqualTo(theirs.latestVersion());
      assertThat(key.highestStableVersion()).as(key.name()).isEqualTo(theirs.latestVersion(false));
      for (short version = key.lowestVersion(); version <= key.highestVersion(); version++) {
        assertThat(key.hasVersion(version)).isTrue();
        assertThat(key.requestHeaderVersion(version))
            .as(key.name())
            .isEqualTo(theirs.requestHeaderVersion(version));
        assertThat(key.responseHeaderVersion(version))
            .as(key.name())
            .isEqualTo(theirs.responseHeaderVersion(version));
      }
      assertThat(key.hasVersion((short) (key.lowestVersion() - 1))).isFalse();
      assertThat(key.hasVersion((short) (key.highestVersion() + 1))).isFalse();
    }
  }

  @Test
  void listenersAreThoseOfTheClientLibrary() {
    for (ApiKey key : ApiKey.values()) {
      var listeners = ApiMessageType.fromApiKey(key.id()).listeners();
      assertThat(key.isServedByBroker())
          .as(key.name())
          .isEqualTo(listeners.contains(ApiMessageType.ListenerType.BROKER));
      assertThat(key.isServedByController())
          .as(key.name())
          .isEqualTo(listeners.contains(ApiMessageType.ListenerType.CONTROLLER));
    }
  }

  @Test
  void bodiesAreReadByTheKey() {
    for (Specification specification : Specification.living()) {
      short version = specification.versions().highest();
      Message message = specification.defaultMessage();
      ByteReader in = new ByteReader(ByteBuffer.wrap(FidelityTest.write(message, version)));
      switch (message) {
        case RequestMessage request ->
            assertThat(request.apiKey().readRequest(in, version)).isEqualTo(message);
        case ResponseMessage response ->
            assertThat(response.apiKey().readResponse(in, version)).isEqualTo(message);
        default -> assertThat(specification.name()).doesNotMatch(".*(Request|Response)");
      }
    }
  }

  @Test
  void keysAreFoundByNumber() {
    for (ApiKey key : ApiKey.values()) {
      assertThat(ApiKey.forId(key.id())).contains(key);
    }
    assertThat(ApiKey.forId((short) 4)).isEmpty();
    assertThat(ApiKey.forId((short) -1)).isEmpty();
    assertThat(ApiKey.forId(Short.MAX_VALUE)).isEmpty();
  }
}
