package dev.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.ApiVersionsRequest;
import dev.weir.protocol.message.ApiVersionsResponse;
import dev.weir.protocol.message.DeleteTopicsRequest;
import dev.weir.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.FetchResponse;
import dev.weir.protocol.message.FetchResponse.PartitionData;
import dev.weir.protocol.message.FindCoordinatorRequest;
import dev.weir.protocol.message.MetadataRequest;
import dev.weir.protocol.message.MetadataRequest.MetadataRequestTopic;
import dev.weir.protocol.message.MetadataResponse;
import dev.weir.protocol.message.MetadataResponse.MetadataResponseTopic;
import dev.weir.protocol.message.OffsetForLeaderEpochRequest;
import dev.weir.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderPartition;
import dev.weir.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderTopic;
import dev.weir.protocol.message.OffsetForLeaderEpochResponse;
import dev.weir.protocol.message.ProduceRequest;
import dev.weir.protocol.message.ProduceRequest.PartitionProduceData;
import dev.weir.protocol.message.ProduceRequest.TopicProduceData;
import dev.weir.protocol.message.ProduceResponse;
import dev.weir.protocol.message.ProduceResponse.PartitionProduceResponse;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole broker, spoken to in single requests of chosen versions. */
class WireTest {
  private static final long LONG_WAIT_MS = 15_000;

  @TempDir private Path path;
  private TestNode node;
  private WireClient client;
  private TopicRequests topics;

  @BeforeEach
  void start() {
    node = TestNode.start(path, Map.of());
    client = new WireClient(node.port());
    topics = new TopicRequests(client);
  }

  @AfterEach
  void stop() {
    client.close();
    node.close();
  }

  @Test
  void everyVersionThatIsToldIsAnswered() {
    ApiVersionsResponse told = client.ask(ApiVersionsRequest.DEFAULT, 0, ApiVersionsResponse.class);
    assertThat(told.apiKeys()).hasSizeGreaterThan(25);
    for (ApiVersionsResponse.ApiVersion api : told.apiKeys()) {
      ApiKey key = ApiKey.forId(api.apiKey()).orElseThrow();
      int lowest = Math.max(api.minVersion(), key.lowestVersion()); // Produce is told from 0
      for (int version = lowest; version <= api.maxVersion(); version++) {
        RequestMessage request = simplest(key, (short) version);
        assertThat(client.ask(request, version).apiKey()).isEqualTo(key);
      }
    }
  }

  @Test
  void metadataVersion0ListsAllForAnEmptyListAndLaterOnesForNone() {
    topics.createTopic("listed");
    MetadataRequest none = MetadataRequest.DEFAULT.withTopics(List.of());
    assertThat(topics.metadata(none, 0).topics())
        .extracting(MetadataResponseTopic::name)
        .containsExactly("listed");
    assertThat(topics.metadata(none, 9).topics()).isEmpty();
    assertThat(topics.metadata(MetadataRequest.DEFAULT.withTopics(null), 9).topics())
        .extracting(MetadataResponseTopic::name)
        .containsExactly("listed");
  }

  @Test
  void metadataNamesAControllerAndTheAddressThatTheClientCameInBy() {
    MetadataResponse response = topics.metadata(MetadataRequest.DEFAULT.withTopics(null), 12);
    assertThat(response.controllerId()).isEqualTo(1);
    assertThat(response.brokers())
        .singleElement()
        .satisfies(
            broker -> {
              assertThat(broker.host()).isEqualTo("127.0.0.1");
              assertThat(broker.port()).isEqualTo(node.port());
            });
  }

  @Test
  void metadataCreatesATopicOnlyWhereTheClientAllowsIt() {
    MetadataRequest request =
        MetadataRequest.DEFAULT.withTopics(
            List.of(MetadataRequestTopic.DEFAULT.withName("on-use")));
    MetadataResponse refused = topics.metadata(request.withAllowAutoTopicCreation(false), 12);
    assertThat(refused.topics().getFirst().errorCode())
        .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
    MetadataResponse created = topics.metadata(request, 12);
    assertThat(created.topics().getFirst().errorCode()).isEqualTo(ErrorCode.NONE.code());
    assertThat(created.topics().getFirst().partitions().getFirst().leaderId()).isEqualTo(1);
    assertThat(topics.produce("on-use", TopicRequests.batch("at once"), (short) -1).errorCode())
        .isEqualTo(ErrorCode.NONE.code());
  }

  @Test
  void anUnknownTopicIdIsSaidToBeOne() {
    MetadataRequest request =
        MetadataRequest.DEFAULT.withTopics(
            List.of(MetadataRequestTopic.DEFAULT.withTopicId(new UUID(4, 4)).withName(null)));
    assertThat(topics.metadata(request, 13).topics().getFirst().errorCode())
        .isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
    assertThat(topics.fetchById(new UUID(4, 4)).errorCode())
        .isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
  }

  @Test
  void recordsGoInAndOutInEveryVersion() {
    UUID id = topics.createTopic("versions");
    long offset = 0;
    for (int version = 3; version <= 13; version++) {
      TopicProduceData data =
          new TopicProduceData(
              version < 13 ? "versions" : "",
              version < 13 ? Uuids.ZERO : id,
              List.of(new PartitionProduceData(0, TopicRequests.batch("v" + version))));
      ProduceResponse response =
          client.ask(
              new ProduceRequest(null, (short) -1, 10_000, List.of(data)),
              version,
              ProduceResponse.class);
      PartitionProduceResponse partition =
          response.responses().getFirst().partitionResponses().getFirst();
      assertThat(partition.errorCode()).as("version=" + version).isZero();
      assertThat(partition.baseOffset()).as("version=" + version).isEqualTo(offset);
      offset++;
    }
    for (int version = 4; version <= 18; version++) {
      FetchTopic topic =
          new FetchTopic(
              version < 13 ? "versions" : "",
              version < 13 ? Uuids.ZERO : id,
              List.of(FetchPartition.DEFAULT.withPartitionMaxBytes(1 << 20)));
      FetchResponse response =
          client.ask(
              FetchRequest.DEFAULT
                  .withMaxWaitMs(0)
                  .withMinBytes(1)
                  .withMaxBytes(1 << 20)
                  .withTopics(List.of(topic)),
              version,
              FetchResponse.class);
      PartitionData partition = response.responses().getFirst().partitions().getFirst();
      assertThat(partition.highWatermark()).isEqualTo(offset);
      assertThat(TopicRequests.batches(partition)).as("version=" + version).isEqualTo(offset);
    }
  }

  @Test
  void aCorruptBatchIsRefusedAndNothingIsStored() {
    topics.createTopic("checked");
    ByteBuffer bytes = TopicRequests.batchBytes("spoilt");
    bytes.put(bytes.limit() - 1, (byte) (bytes.get(bytes.limit() - 1) ^ 1));
    assertThat(topics.produce("checked", new BufferRecords(bytes), (short) -1).errorCode())
        .isEqualTo(ErrorCode.CORRUPT_MESSAGE.code());
    assertThat(topics.endOffset("checked")).isZero();
  }

  @Test
  void twoBatchesOfOnePartitionAreRefused() {
    topics.createTopic("single");
    ByteBuffer one = TopicRequests.batchBytes("one");
    ByteBuffer two = ByteBuffer.allocate(2 * one.remaining()).put(one.duplicate()).put(one);
    PartitionProduceResponse response =
        topics.produce("single", new BufferRecords(two.flip()), (short) -1);
    assertThat(response.errorCode()).isEqualTo(ErrorCode.INVALID_RECORD.code());
    assertThat(response.errorMessage()).contains("more than one");
  }

  @Test
  void aTransactionalBatchIsRefused() {
    topics.createTopic("plain");
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.NONE)
            .producer(5, (short) 0, 0)
            .transactional()
            .add(1, null, ByteBuffer.wrap(new byte[1]))
            .build();
    assertThat(topics.produce("plain", new BufferRecords(batch), (short) -1).errorCode())
        .isEqualTo(ErrorCode.INVALID_TXN_STATE.code());
  }

  @Test
  void aRetriedBatchOfAnIdempotentProducerIsAcknowledgedAgainAndStoredOnce() {
    topics.createTopic("once");
    for (int attempt = 0; attempt < 2; attempt++) {
      ByteBuffer batch =
          RecordBatchBuilder.data(Compression.NONE)
              .producer(5, (short) 0, 0)
              .add(1, null, ByteBuffer.wrap(new byte[1]))
              .build();
      PartitionProduceResponse response =
          topics.produce("once", new BufferRecords(batch), (short) -1);
      assertThat(response.errorCode()).isEqualTo(ErrorCode.NONE.code());
      assertThat(response.baseOffset()).isZero();
    }
    assertThat(topics.endOffset("once")).isEqualTo(1);
  }

  @Test
  void acksOutsideOfMinusOneToOneAreRefused() {
    topics.createTopic("acks");
    assertThat(topics.produce("acks", TopicRequests.batch("x"), (short) 2).errorCode())
        .isEqualTo(ErrorCode.INVALID_REQUIRED_ACKS.code());
  }

  @Test
  void withoutAcknowledgementAnErrorEndsTheConnection() {
    client.send(
        TopicRequests.produceRequest("no-such-topic", TopicRequests.batch("x"), (short) 0),
        TopicRequests.PRODUCE_VERSION);
    assertThatThrownBy(() -> client.receive(ApiKey.PRODUCE, TopicRequests.PRODUCE_VERSION))
        .isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void withoutAcknowledgementSuccessIsSilent() {
    topics.createTopic("silent");
    client.send(
        TopicRequests.produceRequest("silent", TopicRequests.batch("x"), (short) 0),
        TopicRequests.PRODUCE_VERSION);
    assertThat(topics.metadata(MetadataRequest.DEFAULT.withTopics(null), 12).topics()).hasSize(1);
  }

  @Test
  void clientsDoNotWriteToInternalTopics() {
    topics.metadata(
        MetadataRequest.DEFAULT.withTopics(
            List.of(MetadataRequestTopic.DEFAULT.withName("__consumer_offsets"))),
        12);
    assertThat(
            topics.produce("__consumer_offsets", TopicRequests.batch("x"), (short) -1).errorCode())
        .isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION.code());
  }

  @Test
  void aFetchThatIsContentWithNothingIsAnsweredAtOnce() {
    topics.createTopic("empty");
    FetchResponse response = topics.fetch("empty", 0, LONG_WAIT_MS, 0);
    assertThat(response.responses()).hasSize(1);
    assertThat(topics.fetch("empty", 0, 0, 1).responses()).hasSize(1);
  }

  @Test
  void aFetchOutOfRangeIsAnsweredAtOnceWithTheError() {
    topics.createTopic("short");
    PartitionData partition =
        topics.fetch("short", 99, LONG_WAIT_MS, 1).responses().getFirst().partitions().getFirst();
    assertThat(partition.errorCode()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE.code());
  }

  @Test
  void aFetchWaitsForAsManyBytesAsItAsksFor() throws Exception {
    topics.createTopic("filling");
    int batchBytes = TopicRequests.batchBytes("x").remaining();
    CompletableFuture<FetchResponse> waiting = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (WireClient other = new WireClient(node.port())) {
                waiting.complete(
                    other.ask(
                        TopicRequests.fetchRequest("filling", 0, LONG_WAIT_MS, 2 * batchBytes),
                        TopicRequests.FETCH_VERSION,
                        FetchResponse.class));
              }
            });
    topics.produce("filling", TopicRequests.batch("x"), (short) -1);
    assertThat(waiting).isNotDone();
    topics.produce("filling", TopicRequests.batch("y"), (short) -1);
    PartitionData partition =
        waiting.get(10, TimeUnit.SECONDS).responses().getFirst().partitions().getFirst();
    assertThat(TopicRequests.batches(partition)).isEqualTo(2);
  }

  @Test
  void aFetchIsAnsweredWhenItsTopicGoes() throws Exception {
    topics.createTopic("going");
    assertThat(
            errorOfFetchWhileTopicGoes(
                TopicRequests.fetchRequest("going", 0, LONG_WAIT_MS, 1),
                TopicRequests.FETCH_VERSION))
        .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
  }

  @Test
  void aFetchByIdIsAnsweredInTermsOfTheIdWhenItsTopicGoes() throws Exception {
    UUID id = topics.createTopic("going");
    FetchRequest byName = TopicRequests.fetchRequest("", 0, LONG_WAIT_MS, 1);
    FetchRequest byId =
        byName.withTopics(List.of(new FetchTopic("", id, byName.topics().getFirst().partitions())));
    assertThat(errorOfFetchWhileTopicGoes(byId, 13)).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
  }

  private short errorOfFetchWhileTopicGoes(FetchRequest request, int version) throws Exception {
    CompletableFuture<FetchResponse> waiting = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (WireClient other = new WireClient(node.port())) {
                waiting.complete(other.ask(request, version, FetchResponse.class));
              }
            });
    while (watching() == 0) {
      Thread.onSpinWait(); // until the fetch waits: before that it finds the topic gone
    }
    client.ask(
        DeleteTopicsRequest.DEFAULT.withTopics(List.of(DeleteTopicState.DEFAULT.withName("going"))),
        6);
    return waiting
        .get(10, TimeUnit.SECONDS)
        .responses()
        .getFirst()
        .partitions()
        .getFirst()
        .errorCode();
  }

  private int watching() {
    return node.broker().partition("going", 0).map(LocalPartition::watching).orElse(1);
  }

  @Test
  void oneBatchComesHoweverSmallTheLimitAndNoMoreThanOne() {
    topics.createTopic("limited");
    topics.produce("limited", TopicRequests.batch("first"), (short) -1);
    topics.produce("limited", TopicRequests.batch("second"), (short) -1);
    FetchRequest request = TopicRequests.fetchRequest("limited", 0, 0, 1).withMaxBytes(1);
    FetchResponse response = client.ask(request, TopicRequests.FETCH_VERSION, FetchResponse.class);
    assertThat(TopicRequests.batches(response.responses().getFirst().partitions().getFirst()))
        .isEqualTo(1);
  }

  @Test
  void aStaleOrFutureLeaderEpochIsFenced() {
    topics.createTopic("fenced");
    for (ErrorCode expected :
        List.of(ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.UNKNOWN_LEADER_EPOCH)) {
      int epoch = topics.leaderEpoch("fenced");
      int claimed = expected == ErrorCode.FENCED_LEADER_EPOCH ? epoch - 1 : epoch + 1;
      if (claimed >= 0) {
        FetchPartition partition =
            FetchPartition.DEFAULT.withCurrentLeaderEpoch(claimed).withPartitionMaxBytes(100);
        FetchResponse response =
            client.ask(
                FetchRequest.DEFAULT.withTopics(
                    List.of(new FetchTopic("fenced", Uuids.ZERO, List.of(partition)))),
                TopicRequests.FETCH_VERSION,
                FetchResponse.class);
        assertThat(response.responses().getFirst().partitions().getFirst().errorCode())
            .isEqualTo(expected.code());
      }
    }
  }

  @Test
  void aSpecialTimeIsRefusedInVersionsThatDoNotKnowIt() {
    topics.createTopic("special");
    for (Map.Entry<Long, Integer> since : Map.of(-3L, 7, -4L, 8, -5L, 9, -6L, 11).entrySet()) {
      assertThat(topics.listOffset("special", since.getKey(), since.getValue() - 1).errorCode())
          .isEqualTo(ErrorCode.UNSUPPORTED_VERSION.code());
      assertThat(topics.listOffset("special", since.getKey(), since.getValue()).errorCode())
          .isEqualTo(ErrorCode.NONE.code());
    }
  }

  @Test
  void theEndOfALeaderEpochIsTold() {
    topics.createTopic("epochs");
    topics.produce("epochs", TopicRequests.batch("x"), (short) -1);
    OffsetForLeaderEpochResponse response =
        client.ask(
            OffsetForLeaderEpochRequest.DEFAULT.withTopics(
                List.of(
                    new OffsetForLeaderTopic(
                        "epochs",
                        List.of(
                            OffsetForLeaderPartition.DEFAULT.withLeaderEpoch(
                                topics.leaderEpoch("epochs")))))),
            4,
            OffsetForLeaderEpochResponse.class);
    assertThat(response.topics().getFirst().partitions().getFirst().endOffset()).isEqualTo(1);
  }

  @Test
  @Timeout(10)
  void fetchDoesNotWaitForMoreBytesThanItMayGet() {
    topics.createTopic("wide");
    topics.produce("wide", TopicRequests.batch("x"), (short) -1);
    FetchRequest request =
        TopicRequests.fetchRequest("wide", 0, LONG_WAIT_MS, 1 << 20).withMaxBytes(10);
    FetchResponse answer = client.ask(request, TopicRequests.FETCH_VERSION, FetchResponse.class);
    assertThat(TopicRequests.batches(answer.responses().getFirst().partitions().getFirst()))
        .isOne();
  }

  /** A request with nothing in it that its version cannot say. */
  private static RequestMessage simplest(ApiKey key, short version) {
    RequestMessage defaults = defaults(key);
    return switch (defaults) {
      // acks=0 is not answered
      case ProduceRequest produce -> produce.withAcks((short) 1).withTransactionalId(null);
      case ApiVersionsRequest apiVersions when version >= 3 ->
          apiVersions.withClientSoftwareName("wire").withClientSoftwareVersion("1");
      case FindCoordinatorRequest find when version < 4 -> find.withKey("group");
      default -> defaults;
    };
  }

  private static RequestMessage defaults(ApiKey key) {
    StringBuilder name = new StringBuilder("dev.weir.protocol.message.");
    for (String word : key.name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    try {
      return (RequestMessage) Class.forName(name + "Request").getField("DEFAULT").get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
