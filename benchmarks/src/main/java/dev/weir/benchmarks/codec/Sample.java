package dev.weir.benchmarks.codec;

import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.Records;
import dev.weir.protocol.message.ConsumerGroupHeartbeatRequest;
import dev.weir.protocol.message.ConsumerGroupHeartbeatResponse;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchResponse;
import dev.weir.protocol.message.MetadataResponse;
import dev.weir.protocol.message.ProduceRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/** The messages that are measured, in sizes as they occur. */
public enum Sample {
  /** 3 brokers, 10 topics of 100 partitions with 3 replicas. */
  METADATA_RESPONSE {
    @Override
    Subject subject() {
      return Subject.of(
          MetadataResponse.DEFAULT
              .withClusterId("4L6g3nShT-eMCtK--X86sw")
              .withControllerId(1)
              .withBrokers(
                  list(
                      3,
                      i ->
                          new MetadataResponse.MetadataResponseBroker(
                              i, "broker-" + i + ".example.com", 9092, "rack-" + i)))
              .withTopics(list(10, Sample::metadataTopic)),
          MetadataResponse::read,
          (in, version) -> new MetadataResponseData(new ByteBufferAccessor(in), version));
    }
  },

  /** 10 topics of 10 partitions, all in the request. */
  FETCH_REQUEST {
    @Override
    Subject subject() {
      return Subject.of(
          FetchRequest.DEFAULT
              .withMaxWaitMs(500)
              .withMinBytes(1)
              .withMaxBytes(52_428_800)
              .withTopics(list(10, Sample::fetchTopic)),
          FetchRequest::read,
          (in, version) -> new FetchRequestData(new ByteBufferAccessor(in), version));
    }
  },

  /** 2 topics of 5 partitions with 8 KB of records each. */
  FETCH_RESPONSE {
    @Override
    Subject subject() {
      return Subject.of(
          FetchResponse.DEFAULT
              .withSessionId(12345)
              .withResponses(
                  list(
                      2,
                      i ->
                          FetchResponse.FetchableTopicResponse.DEFAULT
                              .withTopicId(id(i))
                              .withPartitions(list(5, Sample::fetchedPartition)))),
          FetchResponse::read,
          (in, version) -> new FetchResponseData(new ByteBufferAccessor(in), version));
    }
  },

  /** 1 topic of 10 partitions with 8 KB of records each. */
  PRODUCE_REQUEST {
    @Override
    Subject subject() {
      return Subject.of(
          ProduceRequest.DEFAULT
              .withAcks((short) -1)
              .withTimeoutMs(30_000)
              .withTopicData(
                  List.of(
                      ProduceRequest.TopicProduceData.DEFAULT
                          .withTopicId(id(1))
                          .withPartitionData(
                              list(
                                  10,
                                  i -> new ProduceRequest.PartitionProduceData(i, records()))))),
          ProduceRequest::read,
          (in, version) -> new ProduceRequestData(new ByteBufferAccessor(in), version));
    }
  },

  /** The heartbeat of a member that owns 20 partitions of 2 topics. */
  CONSUMER_GROUP_HEARTBEAT_REQUEST {
    @Override
    Subject subject() {
      return Subject.of(
          ConsumerGroupHeartbeatRequest.DEFAULT
              .withGroupId("orders-indexer")
              .withMemberId("5DlkzYRSRbqGdC9hx5rRkQ")
              .withMemberEpoch(17)
              .withRebalanceTimeoutMs(300_000)
              .withSubscribedTopicNames(List.of("orders", "payments"))
              .withTopicPartitions(
                  list(
                      2,
                      i ->
                          new ConsumerGroupHeartbeatRequest.TopicPartitions(
                              id(i), list(10, partition -> partition)))),
          ConsumerGroupHeartbeatRequest::read,
          (in, version) ->
              new ConsumerGroupHeartbeatRequestData(new ByteBufferAccessor(in), version));
    }
  },

  /** The answer with an assignment of 20 partitions of 2 topics. */
  CONSUMER_GROUP_HEARTBEAT_RESPONSE {
    @Override
    Subject subject() {
      return Subject.of(
          ConsumerGroupHeartbeatResponse.DEFAULT
              .withMemberId("5DlkzYRSRbqGdC9hx5rRkQ")
              .withMemberEpoch(18)
              .withHeartbeatIntervalMs(5000)
              .withAssignment(
                  new ConsumerGroupHeartbeatResponse.Assignment(
                      list(
                          2,
                          i ->
                              new ConsumerGroupHeartbeatResponse.TopicPartitions(
                                  id(i), list(10, partition -> partition))))),
          ConsumerGroupHeartbeatResponse::read,
          (in, version) ->
              new ConsumerGroupHeartbeatResponseData(new ByteBufferAccessor(in), version));
    }
  };

  /** The size of every record batch here; nothing else is as large. */
  static final int RECORDS_BYTES = 8192;

  abstract Subject subject();

  private static MetadataResponse.MetadataResponseTopic metadataTopic(int topic) {
    return MetadataResponse.MetadataResponseTopic.DEFAULT
        .withName("topic-" + topic)
        .withTopicId(id(topic))
        .withPartitions(
            list(
                100,
                partition ->
                    MetadataResponse.MetadataResponsePartition.DEFAULT
                        .withPartitionIndex(partition)
                        .withLeaderId(partition % 3)
                        .withLeaderEpoch(7)
                        .withReplicaNodes(List.of(0, 1, 2))
                        .withIsrNodes(List.of(0, 1, 2))));
  }

  private static FetchRequest.FetchTopic fetchTopic(int topic) {
    return FetchRequest.FetchTopic.DEFAULT
        .withTopicId(id(topic))
        .withPartitions(
            list(
                10,
                partition ->
                    FetchRequest.FetchPartition.DEFAULT
                        .withPartition(partition)
                        .withCurrentLeaderEpoch(7)
                        .withFetchOffset(1_000_000L + partition)
                        .withPartitionMaxBytes(1_048_576)));
  }

  private static FetchResponse.PartitionData fetchedPartition(int partition) {
    return FetchResponse.PartitionData.DEFAULT
        .withPartitionIndex(partition)
        .withHighWatermark(1_000_100)
        .withLastStableOffset(1_000_100)
        .withLogStartOffset(0)
        .withRecords(records());
  }

  private static Records records() {
    return new BufferRecords(ByteBuffer.allocate(RECORDS_BYTES));
  }

  private static UUID id(int number) {
    return new UUID(0x1234_5678_9abc_def0L + number, 0x0fed_cba9_8765_4321L);
  }

  private static <T> List<T> list(int size, IntFunction<T> element) {
    return IntStream.range(0, size).mapToObj(element).toList();
  }
}
