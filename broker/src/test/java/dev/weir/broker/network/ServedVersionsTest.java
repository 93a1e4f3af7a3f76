package dev.weir.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.ApiKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServedVersionsTest {
  /** Read off a running Apache Kafka 4.4, for what a node without coordinators has. */
  private static final Map<ApiKey, String> MEASURED =
      Map.ofEntries(
          Map.entry(ApiKey.PRODUCE, "0 to 13"),
          Map.entry(ApiKey.FETCH, "4 to 18"),
          Map.entry(ApiKey.LIST_OFFSETS, "1 to 11"),
          Map.entry(ApiKey.METADATA, "0 to 13"),
          Map.entry(ApiKey.OFFSET_COMMIT, "2 to 10"),
          Map.entry(ApiKey.OFFSET_FETCH, "1 to 10"),
          Map.entry(ApiKey.FIND_COORDINATOR, "0 to 6"),
          Map.entry(ApiKey.JOIN_GROUP, "0 to 9"),
          Map.entry(ApiKey.HEARTBEAT, "0 to 4"),
          Map.entry(ApiKey.LEAVE_GROUP, "0 to 5"),
          Map.entry(ApiKey.SYNC_GROUP, "0 to 5"),
          Map.entry(ApiKey.DESCRIBE_GROUPS, "0 to 6"),
          Map.entry(ApiKey.LIST_GROUPS, "0 to 5"),
          Map.entry(ApiKey.API_VERSIONS, "0 to 5"),
          Map.entry(ApiKey.CREATE_TOPICS, "2 to 7"),
          Map.entry(ApiKey.DELETE_TOPICS, "1 to 6"),
          Map.entry(ApiKey.DELETE_RECORDS, "0 to 2"),
          Map.entry(ApiKey.INIT_PRODUCER_ID, "0 to 5"),
          Map.entry(ApiKey.OFFSET_FOR_LEADER_EPOCH, "2 to 4"),
          Map.entry(ApiKey.DESCRIBE_CONFIGS, "1 to 4"),
          Map.entry(ApiKey.ALTER_CONFIGS, "0 to 2"),
          Map.entry(ApiKey.DESCRIBE_LOG_DIRS, "1 to 5"),
          Map.entry(ApiKey.CREATE_PARTITIONS, "0 to 3"),
          Map.entry(ApiKey.DELETE_GROUPS, "0 to 3"),
          Map.entry(ApiKey.INCREMENTAL_ALTER_CONFIGS, "0 to 1"),
          Map.entry(ApiKey.OFFSET_DELETE, "0 to 0"),
          Map.entry(ApiKey.DESCRIBE_CLUSTER, "0 to 2"),
          Map.entry(ApiKey.DESCRIBE_TOPIC_PARTITIONS, "0 to 0"));

  @Test
  void clientsAreToldTheRangesOfKafka() {
    ServedVersions versions = ServedVersions.of(MEASURED.keySet());
    assertThat(versions.advertised())
        .hasSameSizeAs(MEASURED)
        .allSatisfy(
            (key, range) -> assertThat(range).as(key.name()).hasToString(MEASURED.get(key)));
  }

  @Test
  void produceBeforeVersion3IsToldAndNotServed() {
    ServedVersions versions = ServedVersions.of(List.of(ApiKey.PRODUCE));
    assertThat(versions.serves(ApiKey.PRODUCE, (short) 2)).isFalse();
    assertThat(versions.serves(ApiKey.PRODUCE, (short) 3)).isTrue();
  }

  @Test
  void whatHasNoHandlerIsNeitherToldNorServed() {
    ServedVersions versions = ServedVersions.of(List.of(ApiKey.FETCH));
    assertThat(versions.advertised()).containsOnlyKeys(ApiKey.FETCH);
    assertThat(versions.serves(ApiKey.METADATA, (short) 1)).isFalse();
  }
}
