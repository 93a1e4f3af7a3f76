package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.ApiKey;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.message.ApiVersionsRequest;
import dev.weir.protocol.message.MetadataRequest;
import dev.weir.protocol.message.MetadataRequest.MetadataRequestTopic;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What ApiVersions lists is served: every version of every API that a node names gets a request
 * that means something, and its answer is one that the client library reads to the last byte, with
 * no error in it.
 */
@ExtendWith(SharedNode.class)
final class EveryVersionTest {
  /**
   * Listed, but not accepted, as in Kafka: without version 0 in the list, librdkafka takes the node
   * for one that cannot do compression (KAFKA-18659).
   */
  private static final int PRODUCE_REALLY_FROM = 3;

  private static final int API_VERSIONS_VERSION = 3;
  private static final int METADATA_VERSION = 12;
  private static final int CREATE_TOPICS_VERSION = 7;
  private static final int COMMIT_VERSION = 9;

  @TestFactory
  Stream<DynamicTest> listedVersionIsServed(NodeProcess node) {
    String topic = "every-version";
    Set<ApiVersion> listed;
    SampleRequests requests;
    try (RawConnection connection = RawConnection.to(node.kafka())) {
      listed = Set.copyOf(listed(connection));
      createTopic(connection, topic);
      requests = new SampleRequests(topic, topicId(connection, topic));
      AbstractResponse stored = connection.ask(requests.produce(9), 9, ProduceResponse.class);
      assertThat(stored.errorCounts()).containsOnlyKeys(Errors.NONE);
    }
    assertThat(listed).isNotEmpty();
    return listed.stream()
        .sorted((one, other) -> Short.compare(one.apiKey(), other.apiKey()))
        .flatMap(
            range -> versions(range).mapToObj(version -> test(node, requests, range, version)));
  }

  @TestFactory
  Stream<DynamicTest> listedVersionHasAnAnswerForWhatDoesNotExist(NodeProcess node) {
    List<ApiVersion> listed;
    try (RawConnection connection = RawConnection.to(node.kafka())) {
      listed = listed(connection);
    }
    return listed.stream()
        .flatMap(range -> versions(range).mapToObj(version -> absenceTest(node, range, version)));
  }

  private static DynamicTest absenceTest(NodeProcess node, ApiVersion range, int version) {
    ApiKey key = ApiKey.forId(range.apiKey()).orElseThrow();
    UUID nowhere = new UUID(7, 7);
    SampleRequests topics = new SampleRequests("no topic of this name", nowhere);
    SampleGroup groups = new SampleGroup("no-such-group", "nobody", 7, topics.topic(), nowhere);
    return DynamicTest.dynamicTest(
        key + " version " + version,
        () -> {
          try (RawConnection connection = RawConnection.to(node.kafka())) {
            RequestMessage request =
                switch (key) {
                  case CREATE_TOPICS -> SampleRequests.createTopic(topics.topic());
                  case DELETE_TOPICS -> SampleRequests.deleteTopic(topics.topic(), version);
                  case CREATE_PARTITIONS -> SampleRequests.morePartitions(topics.topic());
                  case JOIN_GROUP -> groups.joinAgain();
                  default ->
                      topics.of(key, version).or(() -> groups.of(key, version)).orElseThrow();
                };
            AbstractResponse response = connection.ask(request, version, AbstractResponse.class);
            assertThat(response.apiKey().id).isEqualTo(key.id());
            assertThat(listed(connection)).contains(range);
          }
        });
  }

  private static IntStream versions(ApiVersion range) {
    int lowest = range.apiKey() == ApiKey.PRODUCE.id() ? PRODUCE_REALLY_FROM : range.minVersion();
    return IntStream.rangeClosed(lowest, range.maxVersion());
  }

  private static DynamicTest test(
      NodeProcess node, SampleRequests requests, ApiVersion range, int version) {
    ApiKey key = ApiKey.forId(range.apiKey()).orElseThrow();
    return DynamicTest.dynamicTest(
        key + " version " + version,
        () -> {
          try (RawConnection connection = RawConnection.to(node.kafka())) {
            RequestMessage request = request(connection, requests, key, version);
            AbstractResponse response = connection.ask(request, version, AbstractResponse.class);
            assertThat(response.errorCounts()).as("%s", response).containsOnlyKeys(Errors.NONE);
            List<ApiVersion> stillServed = listed(connection);
            assertThat(stillServed).contains(range);
          }
        });
  }

  /** Brings about what the request needs, and gives it. */
  private static RequestMessage request(
      RawConnection connection, SampleRequests requests, ApiKey key, int version) {
    String name = "every-version-" + key + "-" + version;
    return switch (key) {
      case CREATE_TOPICS -> SampleRequests.createTopic(name);
      case DELETE_TOPICS -> {
        createTopic(connection, name);
        yield SampleRequests.deleteTopic(name, version);
      }
      case CREATE_PARTITIONS -> {
        createTopic(connection, name);
        yield SampleRequests.morePartitions(name);
      }
      case JOIN_GROUP -> {
        SampleGroup joined =
            SampleGroup.join(connection, name, requests.topic(), requests.topicId(), version);
        yield joined.joinAgain();
      }
      default ->
          requests
              .of(key, version)
              .orElseGet(() -> groupRequest(connection, requests, key, version, name));
    };
  }

  private static RequestMessage groupRequest(
      RawConnection connection, SampleRequests requests, ApiKey key, int version, String name) {
    SampleGroup group = SampleGroup.stable(connection, name, requests.topic(), requests.topicId());
    OffsetCommitResponse committed =
        connection.ask(group.commit(COMMIT_VERSION), COMMIT_VERSION, OffsetCommitResponse.class);
    assertThat(committed.errorCounts()).containsOnlyKeys(Errors.NONE);
    if (key == ApiKey.DELETE_GROUPS || key == ApiKey.OFFSET_DELETE) {
      RequestMessage leave = group.of(ApiKey.LEAVE_GROUP, 5).orElseThrow();
      AbstractResponse left = connection.ask(leave, 5, AbstractResponse.class);
      assertThat(left.errorCounts()).containsOnlyKeys(Errors.NONE);
    }
    return group
        .of(key, version)
        .orElseThrow(() -> new AssertionError("no sample request for the listed API " + key));
  }

  private static List<ApiVersion> listed(RawConnection connection) {
    RequestMessage request =
        ApiVersionsRequest.DEFAULT
            .withClientSoftwareName("conformance")
            .withClientSoftwareVersion("1.0");
    return List.copyOf(
        connection.ask(request, API_VERSIONS_VERSION, ApiVersionsResponse.class).data().apiKeys());
  }

  private static void createTopic(RawConnection connection, String name) {
    CreateTopicsResponse created =
        connection.ask(
            SampleRequests.createTopic(name), CREATE_TOPICS_VERSION, CreateTopicsResponse.class);
    assertThat(created.errorCounts()).containsOnlyKeys(Errors.NONE);
  }

  private static UUID topicId(RawConnection connection, String topic) {
    RequestMessage request =
        MetadataRequest.DEFAULT.withTopics(List.of(MetadataRequestTopic.DEFAULT.withName(topic)));
    MetadataResponse response = connection.ask(request, METADATA_VERSION, MetadataResponse.class);
    org.apache.kafka.common.Uuid id = response.data().topics().find(topic).topicId();
    return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
  }
}
