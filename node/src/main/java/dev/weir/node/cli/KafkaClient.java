package dev.weir.node.cli;

import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordBatches;
import dev.weir.log.batch.RecordReader;
import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.Records;
import dev.weir.protocol.message.CreateTopicsRequest;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopic;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import dev.weir.protocol.message.CreateTopicsResponse;
import dev.weir.protocol.message.DeleteTopicsRequest;
import dev.weir.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import dev.weir.protocol.message.DeleteTopicsResponse;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.FetchResponse;
import dev.weir.protocol.message.FetchResponse.PartitionData;
import dev.weir.protocol.message.ListOffsetsRequest;
import dev.weir.protocol.message.ListOffsetsRequest.ListOffsetsPartition;
import dev.weir.protocol.message.ListOffsetsRequest.ListOffsetsTopic;
import dev.weir.protocol.message.ListOffsetsResponse;
import dev.weir.protocol.message.MetadataRequest;
import dev.weir.protocol.message.MetadataRequest.MetadataRequestTopic;
import dev.weir.protocol.message.MetadataResponse;
import dev.weir.protocol.message.MetadataResponse.MetadataResponsePartition;
import dev.weir.protocol.message.MetadataResponse.MetadataResponseTopic;
import dev.weir.protocol.message.ProduceRequest;
import dev.weir.protocol.message.ProduceRequest.PartitionProduceData;
import dev.weir.protocol.message.ProduceRequest.TopicProduceData;
import dev.weir.protocol.message.ProduceResponse;
import dev.weir.protocol.message.ProduceResponse.PartitionProduceResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the commands ask of a cluster over the Kafka protocol. Each request that reads or writes a
 * partition goes to the partition's leader. Used by one thread.
 */
final class KafkaClient implements AutoCloseable {
  /** Time given to the server for a change, milliseconds. */
  private static final int SERVER_TIMEOUT_MS = 30_000;

  private static final int FETCH_WAIT_MS = 500;
  private static final int FETCH_BYTES_MAX = 16 << 20;
  private static final int PARTITION_BYTES_MAX = 1 << 20;
  private static final short ACKS_ALL = -1;
  private static final int NO_REPLICA = -1;

  private final KafkaConnection bootstrap;
  private final Map<Integer, KafkaConnection> connectionByNode = new HashMap<>();
  private final Map<Integer, HostPort> addressByNode = new HashMap<>();

  KafkaClient(HostPort address) {
    this.bootstrap = KafkaConnection.to(address);
  }

  /** All topics, with their partitions. */
  List<MetadataResponseTopic> topics() {
    return metadata(null).topics();
  }

  /**
   * One topic.
   *
   * @throws CommandFailure if there is none of this name
   */
  MetadataResponseTopic topic(String name) {
    MetadataRequestTopic wanted = MetadataRequestTopic.DEFAULT.withName(name);
    MetadataResponseTopic topic = metadata(List.of(wanted)).topics().getFirst();
    if (topic.errorCode() == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()) {
      throw new CommandFailure(
          "there is no topic '"
              + name
              + "'; './weir topic create "
              + name
              + "' makes it, './weir topic list' shows those that there are");
    }
    require(topic.errorCode(), "topic '" + name + "'", null);
    return topic;
  }

  private MetadataResponse metadata(@Nullable List<MetadataRequestTopic> topics) {
    MetadataResponse answer =
        bootstrap.call(
            MetadataRequest.DEFAULT.withTopics(topics).withAllowAutoTopicCreation(false),
            MetadataResponse.class);
    answer
        .brokers()
        .forEach(node -> addressByNode.put(node.nodeId(), new HostPort(node.host(), node.port())));
    return answer;
  }

  void createTopic(String name, int partitions, Map<String, String> configs) {
    List<CreatableTopicConfig> settings = new ArrayList<>();
    configs.forEach((key, value) -> settings.add(new CreatableTopicConfig(key, value)));
    CreatableTopic topic =
        new CreatableTopic(name, partitions, (short) NO_REPLICA, List.of(), settings);
    var result =
        bootstrap
            .call(
                CreateTopicsRequest.DEFAULT
                    .withTopics(List.of(topic))
                    .withTimeoutMs(SERVER_TIMEOUT_MS),
                CreateTopicsResponse.class)
            .topics()
            .getFirst();
    require(result.errorCode(), "topic '" + name + "' was not created", result.errorMessage());
  }

  void deleteTopic(String name) {
    var result =
        bootstrap
            .call(
                DeleteTopicsRequest.DEFAULT
                    .withTopics(List.of(DeleteTopicState.DEFAULT.withName(name)))
                    .withTimeoutMs(SERVER_TIMEOUT_MS),
                DeleteTopicsResponse.class)
            .responses()
            .getFirst();
    require(result.errorCode(), "topic '" + name + "' was not deleted", result.errorMessage());
  }

  /**
   * Appends a batch and waits until it is acknowledged by all in-sync replicas.
   *
   * @return the offset of the batch's first record
   */
  long produce(MetadataResponseTopic topic, int partition, ByteBuffer batch) {
    TopicProduceData data =
        TopicProduceData.DEFAULT
            .withTopicId(topic.topicId())
            .withPartitionData(
                List.of(new PartitionProduceData(partition, new BufferRecords(batch))));
    PartitionProduceResponse result =
        leaderOf(topic, partition)
            .call(
                new ProduceRequest(null, ACKS_ALL, SERVER_TIMEOUT_MS, List.of(data)),
                ProduceResponse.class)
            .responses()
            .getFirst()
            .partitionResponses()
            .getFirst();
    require(
        result.errorCode(), "partition " + partition + " took no record", result.errorMessage());
    return result.baseOffset();
  }

  /**
   * The offset for a timestamp, or for one of the protocol's special values: -2 is the first offset
   * and -1 the end.
   */
  long offset(MetadataResponseTopic topic, int partition, long timestamp) {
    ListOffsetsPartition wanted =
        ListOffsetsPartition.DEFAULT.withPartitionIndex(partition).withTimestamp(timestamp);
    var result =
        leaderOf(topic, partition)
            .call(
                ListOffsetsRequest.DEFAULT
                    .withReplicaId(NO_REPLICA)
                    .withTopics(List.of(new ListOffsetsTopic(nameOf(topic), List.of(wanted)))),
                ListOffsetsResponse.class)
            .topics()
            .getFirst()
            .partitions()
            .getFirst();
    require(result.errorCode(), "partition " + partition + " tells no offset", null);
    return result.offset();
  }

  /** Records read, and where to read on. */
  record Fetched(List<LogRecord> records, long nextOffset) {}

  /** Reads from an offset on, waiting a moment where there is nothing yet. */
  Fetched fetch(MetadataResponseTopic topic, int partition, long offset) {
    FetchPartition wanted =
        FetchPartition.DEFAULT
            .withPartition(partition)
            .withFetchOffset(offset)
            .withPartitionMaxBytes(PARTITION_BYTES_MAX);
    FetchRequest request =
        FetchRequest.DEFAULT
            .withMaxWaitMs(FETCH_WAIT_MS)
            .withMinBytes(1)
            .withMaxBytes(FETCH_BYTES_MAX)
            .withIsolationLevel((byte) 1)
            .withTopics(
                List.of(
                    FetchTopic.DEFAULT
                        .withTopicId(topic.topicId())
                        .withPartitions(List.of(wanted))));
    FetchResponse answer = leaderOf(topic, partition).call(request, FetchResponse.class);
    require(answer.errorCode(), "fetch", null);
    if (answer.responses().isEmpty()) {
      return new Fetched(List.of(), offset);
    }
    PartitionData data = answer.responses().getFirst().partitions().getFirst();
    require(data.errorCode(), "partition " + partition + " at offset " + offset, null);
    return decoded(data.records(), offset);
  }

  private static Fetched decoded(@Nullable Records records, long offset) {
    List<LogRecord> decoded = new ArrayList<>();
    long next = offset;
    if (records instanceof BufferRecords(ByteBuffer bytes)) {
      for (RecordBatchView batch : RecordBatches.of(bytes)) {
        next = batch.nextOffset();
        if (batch.isControl()) {
          continue;
        }
        try (RecordReader reader = batch.records()) {
          while (reader.hasNext()) {
            LogRecord candidate = reader.next();
            // A batch comes whole, also where the wanted offset is in its middle.
            if (candidate.offset() >= offset) {
              decoded.add(candidate);
            }
          }
        }
      }
    }
    return new Fetched(decoded, next);
  }

  private KafkaConnection leaderOf(MetadataResponseTopic topic, int partition) {
    int leader =
        topic.partitions().stream()
            .filter(candidate -> candidate.partitionIndex() == partition)
            .mapToInt(MetadataResponsePartition::leaderId)
            .findFirst()
            .orElseThrow(
                () ->
                    new CommandFailure(
                        "topic '"
                            + nameOf(topic)
                            + "' has no partition "
                            + partition
                            + "; it has "
                            + topic.partitions().size()));
    HostPort address = addressByNode.get(leader);
    if (address == null) {
      throw new CommandFailure(
          "partition " + partition + " of '" + nameOf(topic) + "' has no leader now; try later");
    }
    return connectionByNode.computeIfAbsent(leader, _ -> KafkaConnection.to(address));
  }

  private static String nameOf(MetadataResponseTopic topic) {
    return String.valueOf(topic.name());
  }

  private static void require(short errorCode, String what, @Nullable String detail) {
    if (errorCode == ErrorCode.NONE.code()) {
      return;
    }
    String name = ErrorCode.forCode(errorCode).map(Enum::name).orElse("error " + errorCode);
    String reason =
        detail != null
            ? detail
            : ErrorCode.forCode(errorCode)
                .map(ErrorCode::message)
                .orElse("unknown to this version");
    throw new CommandFailure(what + ": " + name + " (" + reason + ")");
  }

  @Override
  public void close() {
    bootstrap.close();
    connectionByNode.values().forEach(KafkaConnection::close);
  }
}
