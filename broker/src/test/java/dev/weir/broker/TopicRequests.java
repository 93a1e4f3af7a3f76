package dev.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatches;
import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.Records;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.CreateTopicsRequest;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopic;
import dev.weir.protocol.message.CreateTopicsResponse;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.FetchResponse;
import dev.weir.protocol.message.FetchResponse.PartitionData;
import dev.weir.protocol.message.ListOffsetsRequest;
import dev.weir.protocol.message.ListOffsetsRequest.ListOffsetsPartition;
import dev.weir.protocol.message.ListOffsetsRequest.ListOffsetsTopic;
import dev.weir.protocol.message.ListOffsetsResponse;
import dev.weir.protocol.message.ListOffsetsResponse.ListOffsetsPartitionResponse;
import dev.weir.protocol.message.MetadataRequest;
import dev.weir.protocol.message.MetadataRequest.MetadataRequestTopic;
import dev.weir.protocol.message.MetadataResponse;
import dev.weir.protocol.message.ProduceRequest;
import dev.weir.protocol.message.ProduceRequest.PartitionProduceData;
import dev.weir.protocol.message.ProduceRequest.TopicProduceData;
import dev.weir.protocol.message.ProduceResponse;
import dev.weir.protocol.message.ProduceResponse.PartitionProduceResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** Requests about topics of one partition, sent by a client of the wire. */
final class TopicRequests {
  static final int PRODUCE_VERSION = 12;
  static final int FETCH_VERSION = 12;

  private final WireClient client;

  TopicRequests(WireClient client) {
    this.client = client;
  }

  UUID createTopic(String name) {
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

  MetadataResponse metadata(MetadataRequest request, int version) {
    return client.ask(request, version, MetadataResponse.class);
  }

  int leaderEpoch(String topic) {
    MetadataRequest request =
        MetadataRequest.DEFAULT.withTopics(List.of(MetadataRequestTopic.DEFAULT.withName(topic)));
    return metadata(request, 12).topics().getFirst().partitions().getFirst().leaderEpoch();
  }

  static ProduceRequest produceRequest(String topic, Records records, short acks) {
    return new ProduceRequest(
        null,
        acks,
        10_000,
        List.of(
            new TopicProduceData(
                topic, Uuids.ZERO, List.of(new PartitionProduceData(0, records)))));
  }

  PartitionProduceResponse produce(String topic, Records records, short acks) {
    return client
        .ask(produceRequest(topic, records, acks), PRODUCE_VERSION, ProduceResponse.class)
        .responses()
        .getFirst()
        .partitionResponses()
        .getFirst();
  }

  static FetchRequest fetchRequest(String topic, long offset, long maxWaitMs, int minBytes) {
    FetchPartition partition =
        FetchPartition.DEFAULT.withFetchOffset(offset).withPartitionMaxBytes(1 << 20);
    return FetchRequest.DEFAULT
        .withMaxWaitMs((int) maxWaitMs)
        .withMinBytes(minBytes)
        .withMaxBytes(1 << 20)
        .withTopics(List.of(new FetchTopic(topic, Uuids.ZERO, List.of(partition))));
  }

  FetchResponse fetch(String topic, long offset, long maxWaitMs, int minBytes) {
    return client.ask(
        fetchRequest(topic, offset, maxWaitMs, minBytes), FETCH_VERSION, FetchResponse.class);
  }

  PartitionData fetchById(UUID id) {
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

  ListOffsetsPartitionResponse listOffset(String topic, long timestamp, int version) {
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

  long endOffset(String topic) {
    return listOffset(topic, -1, 11).offset();
  }

  static Records batch(String value) {
    return new BufferRecords(batchBytes(value));
  }

  static ByteBuffer batchBytes(String value) {
    return RecordBatchBuilder.data(Compression.NONE)
        .add(1, null, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)))
        .build();
  }

  static long batches(PartitionData partition) {
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
