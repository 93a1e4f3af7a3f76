package dev.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatches;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.Records;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.ApiVersionsRequest;
import dev.weir.protocol.message.ApiVersionsResponse;
import dev.weir.protocol.message.CreateTopicsRequest;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopic;
import dev.weir.protocol.message.CreateTopicsResponse;
import dev.weir.protocol.message.DeleteTopicsRequest;
import dev.weir.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.FetchResponse;
import dev.weir.protocol.message.FetchResponse.PartitionData;
import dev.weir.protocol.message.FindCoordinatorRequest;
import dev.weir.protocol.message.ListOffsetsRequest;
import dev.weir.protocol.message.ListOffsetsRequest.ListOffsetsPartition;
import dev.weir.protocol.message.ListOffsetsRequest.ListOffsetsTopic;
import dev.weir.protocol.message.ListOffsetsResponse;
import dev.weir.protocol.message.ListOffsetsResponse.ListOffsetsPartitionResponse;
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
import java.nio.charset.StandardCharsets;
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
  private static final int PRODUCE_VERSION = 12;
  private static final int FETCH_VERSION = 12;
  private static final long LONG_WAIT_MS = 15_000;

  @TempDir private Path path;
  private TestNode node;
  private WireClient client;

  @BeforeEach
  void start() {
    node = TestNode.start(path, Map.of());
    client = new WireClient(node.port());
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
    createTopic("listed");
    MetadataRequest none = MetadataRequest.DEFAULT.withTopics(List.of());
    assertThat(metadata(none, 0).topics())
        .extracting(MetadataResponseTopic::name)
        .containsExactly("listed");
    assertThat(metadata(none, 9).topics()).isEmpty();
    assertThat(metadata(MetadataRequest.DEFAULT.withTopics(null), 9).topics())
        .extracting(MetadataResponseTopic::name)
        .containsExactly("listed");
  }

  @Test
  void metadataNamesAControllerAndTheAddressThatTheClientCameInBy() {
    MetadataResponse response = metadata(MetadataRequest.DEFAULT.withTopics(null), 12);
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
    MetadataResponse refused = metadata(request.withAllowAutoTopicCreation(false), 12);
    assertThat(refused.topics().getFirst().errorCode())
        .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
    MetadataResponse created = metadata(request, 12);
    assertThat(created.topics().getFirst().errorCode()).isEqualTo(ErrorCode.NONE.code());
    assertThat(created.topics().getFirst().partitions().getFirst().leaderId()).isEqualTo(1);
    assertThat(produce("on-use", batch("at once"), (short) -1).errorCode())
        .isEqualTo(ErrorCode.NONE.code());
  }

  @Test
  void anUnknownTopicIdIsSaidToBeOne() {
    MetadataRequest request =
        MetadataRequest.DEFAULT.withTopics(
            List.of(MetadataRequestTopic.DEFAULT.withTopicId(new UUID(4, 4)).withName(null)));
    assertThat(metadata(request, 13).topics().getFirst().errorCode())
        .isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
    assertThat(fetchById(new UUID(4, 4)).errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
  }

  @Test
  void recordsGoInAndOutInEveryVersion() {
    UUID id = createTopic("versions");
    long offset = 0;
    for (int version = 3; version <= 13; version++) {
      TopicProduceData data =
          new TopicProduceData(
              version < 13 ? "versions" : "",
              version < 13 ? Uuids.ZERO : id,
              List.of(new PartitionProduceData(0, batch("v" + version))));
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
      assertThat(batches(partition)).as("version=" + version).isEqualTo(offset);
    }
  }

  @Test
  void aCorruptBatchIsRefusedAndNothingIsStored() {
    createTopic("checked");
    ByteBuffer bytes = batchBytes("spoilt");
    bytes.put(bytes.limit() - 1, (byte) (bytes.get(bytes.limit() - 1) ^ 1));
    assertThat(produce("checked", new BufferRecords(bytes), (short) -1).errorCode())
        .isEqualTo(ErrorCode.CORRUPT_MESSAGE.code());
    assertThat(endOffset("checked")).isZero();
  }

  @Test
  void twoBatchesOfOnePartitionAreRefused() {
    createTopic("single");
    ByteBuffer one = batchBytes("one");
    ByteBuffer two = ByteBuffer.allocate(2 * one.remaining()).put(one.duplicate()).put(one);
    PartitionProduceResponse response =
        produce("single", new BufferRecords(two.flip()), (short) -1);
    assertThat(response.errorCode()).isEqualTo(ErrorCode.INVALID_RECORD.code());
    assertThat(response.errorMessage()).contains("more than one");
  }

  @Test
  void aTransactionalBatchIsRefused() {
    createTopic("plain");
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.NONE)
            .producer(5, (short) 0, 0)
            .transactional()
            .add(1, null, ByteBuffer.wrap(new byte[1]))
            .build();
    assertThat(produce("plain", new BufferRecords(batch), (short) -1).errorCode())
        .isEqualTo(ErrorCode.INVALID_TXN_STATE.code());
  }

  @Test
  void aRetriedBatchOfAnIdempotentProducerIsAcknowledgedAgainAndStoredOnce() {
    createTopic("once");
    for (int attempt = 0; attempt < 2; attempt++) {
      ByteBuffer batch =
          RecordBatchBuilder.data(Compression.NONE)
              .producer(5, (short) 0, 0)
              .add(1, null, ByteBuffer.wrap(new byte[1]))
              .build();
      PartitionProduceResponse response = produce("once", new BufferRecords(batch), (short) -1);
      assertThat(response.errorCode()).isEqualTo(ErrorCode.NONE.code());
      assertThat(response.baseOffset()).isZero();
    }
    assertThat(endOffset("once")).isEqualTo(1);
  }

  @Test
  void acksOutsideOfMinusOneToOneAreRefused() {
    createTopic("acks");
    assertThat(produce("acks", batch("x"), (short) 2).errorCode())
        .isEqualTo(ErrorCode.INVALID_REQUIRED_ACKS.code());
  }

  @Test
  void withoutAcknowledgementAnErrorEndsTheConnection() {
    client.send(produceRequest("no-such-topic", batch("x"), (short) 0), PRODUCE_VERSION);
    assertThatThrownBy(() -> client.receive(ApiKey.PRODUCE, PRODUCE_VERSION))
        .isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void withoutAcknowledgementSuccessIsSilent() {
    createTopic("silent");
    client.send(produceRequest("silent", batch("x"), (short) 0), PRODUCE_VERSION);
    assertThat(metadata(MetadataRequest.DEFAULT.withTopics(null), 12).topics()).hasSize(1);
  }

  @Test
  void clientsDoNotWriteToInternalTopics() {
    metadata(
        MetadataRequest.DEFAULT.withTopics(
            List.of(MetadataRequestTopic.DEFAULT.withName("__consumer_offsets"))),
        12);
    assertThat(produce("__consumer_offsets", batch("x"), (short) -1).errorCode())
        .isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION.code());
  }

  @Test
  void aFetchThatIsContentWithNothingIsAnsweredAtOnce() {
    createTopic("empty");
    FetchResponse response = fetch("empty", 0, LONG_WAIT_MS, 0);
    assertThat(response.responses()).hasSize(1);
    assertThat(fetch("empty", 0, 0, 1).responses()).hasSize(1);
  }

  @Test
  void aFetchOutOfRangeIsAnsweredAtOnceWithTheError() {
    createTopic("short");
    PartitionData partition =
        fetch("short", 99, LONG_WAIT_MS, 1).responses().getFirst().partitions().getFirst();
    assertThat(partition.errorCode()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE.code());
  }

  @Test
  void aFetchWaitsForAsManyBytesAsItAsksFor() throws Exception {
    createTopic("filling");
    int batchBytes = batchBytes("x").remaining();
    CompletableFuture<FetchResponse> waiting = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (WireClient other = new WireClient(node.port())) {
                waiting.complete(
                    other.ask(
                        fetchRequest("filling", 0, LONG_WAIT_MS, 2 * batchBytes),
                        FETCH_VERSION,
                        FetchResponse.class));
              }
            });
    produce("filling", batch("x"), (short) -1);
    assertThat(waiting).isNotDone();
    produce("filling", batch("y"), (short) -1);
    PartitionData partition =
        waiting.get(10, TimeUnit.SECONDS).responses().getFirst().partitions().getFirst();
    assertThat(batches(partition)).isEqualTo(2);
  }

  @Test
  void aFetchIsAnsweredWhenItsTopicGoes() throws Exception {
    createTopic("going");
    assertThat(errorOfFetchWhileTopicGoes(fetchRequest("going", 0, LONG_WAIT_MS, 1), FETCH_VERSION))
        .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
  }

  @Test
  void aFetchByIdIsAnsweredInTermsOfTheIdWhenItsTopicGoes() throws Exception {
    UUID id = createTopic("going");
    FetchRequest byName = fetchRequest("", 0, LONG_WAIT_MS, 1);
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
  void aSessionIsAnsweredAsNoneAndAnOldOneAsUnknown() {
    createTopic("sessions");
    FetchRequest request = fetchRequest("sessions", 0, 0, 0);
    FetchResponse first =
        client.ask(request.withSessionEpoch(0), FETCH_VERSION, FetchResponse.class);
    assertThat(first.sessionId()).isZero();
    FetchResponse old =
        client.ask(
            request.withSessionId(77).withSessionEpoch(3), FETCH_VERSION, FetchResponse.class);
    assertThat(old.errorCode()).isEqualTo(ErrorCode.FETCH_SESSION_ID_NOT_FOUND.code());
  }

  @Test
  void oneBatchComesHoweverSmallTheLimitAndNoMoreThanOne() {
    createTopic("limited");
    produce("limited", batch("first"), (short) -1);
    produce("limited", batch("second"), (short) -1);
    FetchRequest request = fetchRequest("limited", 0, 0, 1).withMaxBytes(1);
    FetchResponse response = client.ask(request, FETCH_VERSION, FetchResponse.class);
    assertThat(batches(response.responses().getFirst().partitions().getFirst())).isEqualTo(1);
  }

  @Test
  void aStaleOrFutureLeaderEpochIsFenced() {
    createTopic("fenced");
    for (ErrorCode expected :
        List.of(ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.UNKNOWN_LEADER_EPOCH)) {
      int epoch = leaderEpoch("fenced");
      int claimed = expected == ErrorCode.FENCED_LEADER_EPOCH ? epoch - 1 : epoch + 1;
      if (claimed >= 0) {
        FetchPartition partition =
            FetchPartition.DEFAULT.withCurrentLeaderEpoch(claimed).withPartitionMaxBytes(100);
        FetchResponse response =
            client.ask(
                FetchRequest.DEFAULT.withTopics(
                    List.of(new FetchTopic("fenced", Uuids.ZERO, List.of(partition)))),
                FETCH_VERSION,
                FetchResponse.class);
        assertThat(response.responses().getFirst().partitions().getFirst().errorCode())
            .isEqualTo(expected.code());
      }
    }
  }

  @Test
  void aSpecialTimeIsRefusedInVersionsThatDoNotKnowIt() {
    createTopic("special");
    for (Map.Entry<Long, Integer> since : Map.of(-3L, 7, -4L, 8, -5L, 9, -6L, 11).entrySet()) {
      assertThat(listOffset("special", since.getKey(), since.getValue() - 1).errorCode())
          .isEqualTo(ErrorCode.UNSUPPORTED_VERSION.code());
      assertThat(listOffset("special", since.getKey(), since.getValue()).errorCode())
          .isEqualTo(ErrorCode.NONE.code());
    }
  }

  @Test
  void theEndOfALeaderEpochIsTold() {
    createTopic("epochs");
    produce("epochs", batch("x"), (short) -1);
    OffsetForLeaderEpochResponse response =
        client.ask(
            OffsetForLeaderEpochRequest.DEFAULT.withTopics(
                List.of(
                    new OffsetForLeaderTopic(
                        "epochs",
                        List.of(
                            OffsetForLeaderPartition.DEFAULT.withLeaderEpoch(
                                leaderEpoch("epochs")))))),
            4,
            OffsetForLeaderEpochResponse.class);
    assertThat(response.topics().getFirst().partitions().getFirst().endOffset()).isEqualTo(1);
  }

  /** A request with nothing in it that its version cannot say. */
  @Test
  @Timeout(10)
  void fetchDoesNotWaitForMoreBytesThanItMayGet() {
    createTopic("wide");
    produce("wide", batch("x"), (short) -1);
    FetchRequest request = fetchRequest("wide", 0, LONG_WAIT_MS, 1 << 20).withMaxBytes(10);
    FetchResponse answer = client.ask(request, FETCH_VERSION, FetchResponse.class);
    assertThat(batches(answer.responses().getFirst().partitions().getFirst())).isOne();
  }

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

  private UUID createTopic(String name) {
    CreateTopicsResponse response =
        client.ask(
            CreateTopicsRequest.DEFAULT.withTopics(
                List.of(
                    CreatableTopic.DEFAULT
                        .withName(name)
                        .withNumPartitions(1)
                        .withReplicationFactor((short) 1))),
            7,
            CreateTopicsResponse.class);
    assertThat(response.topics().getFirst().errorCode()).isEqualTo(ErrorCode.NONE.code());
    return response.topics().getFirst().topicId();
  }

  private MetadataResponse metadata(MetadataRequest request, int version) {
    return client.ask(request, version, MetadataResponse.class);
  }

  private int leaderEpoch(String topic) {
    MetadataRequest request =
        MetadataRequest.DEFAULT.withTopics(List.of(MetadataRequestTopic.DEFAULT.withName(topic)));
    return metadata(request, 12).topics().getFirst().partitions().getFirst().leaderEpoch();
  }

  private static ProduceRequest produceRequest(String topic, Records records, short acks) {
    return new ProduceRequest(
        null,
        acks,
        10_000,
        List.of(
            new TopicProduceData(
                topic, Uuids.ZERO, List.of(new PartitionProduceData(0, records)))));
  }

  private PartitionProduceResponse produce(String topic, Records records, short acks) {
    return client
        .ask(produceRequest(topic, records, acks), PRODUCE_VERSION, ProduceResponse.class)
        .responses()
        .getFirst()
        .partitionResponses()
        .getFirst();
  }

  private static FetchRequest fetchRequest(
      String topic, long offset, long maxWaitMs, int minBytes) {
    FetchPartition partition =
        FetchPartition.DEFAULT.withFetchOffset(offset).withPartitionMaxBytes(1 << 20);
    return FetchRequest.DEFAULT
        .withMaxWaitMs((int) maxWaitMs)
        .withMinBytes(minBytes)
        .withMaxBytes(1 << 20)
        .withTopics(List.of(new FetchTopic(topic, Uuids.ZERO, List.of(partition))));
  }

  private FetchResponse fetch(String topic, long offset, long maxWaitMs, int minBytes) {
    return client.ask(
        fetchRequest(topic, offset, maxWaitMs, minBytes), FETCH_VERSION, FetchResponse.class);
  }

  private PartitionData fetchById(UUID id) {
    return client
        .ask(
            FetchRequest.DEFAULT.withTopics(
                List.of(new FetchTopic("", id, List.of(FetchPartition.DEFAULT)))),
            18,
            FetchResponse.class)
        .responses()
        .getFirst()
        .partitions()
        .getFirst();
  }

  private ListOffsetsPartitionResponse listOffset(String topic, long timestamp, int version) {
    return client
        .ask(
            ListOffsetsRequest.DEFAULT
                .withReplicaId(-1)
                .withTopics(
                    List.of(
                        new ListOffsetsTopic(
                            topic,
                            List.of(ListOffsetsPartition.DEFAULT.withTimestamp(timestamp))))),
            version,
            ListOffsetsResponse.class)
        .topics()
        .getFirst()
        .partitions()
        .getFirst();
  }

  private long endOffset(String topic) {
    return listOffset(topic, -1, 11).offset();
  }

  private static Records batch(String value) {
    return new BufferRecords(batchBytes(value));
  }

  private static ByteBuffer batchBytes(String value) {
    return RecordBatchBuilder.data(Compression.NONE)
        .add(1, null, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)))
        .build();
  }

  private static long batches(PartitionData partition) {
    if (!(partition.records() instanceof BufferRecords(ByteBuffer buffer))) {
      return 0;
    }
    long count = 0;
    for (var _ : RecordBatches.of(buffer)) {
      count++;
    }
    return count;
  }
}
