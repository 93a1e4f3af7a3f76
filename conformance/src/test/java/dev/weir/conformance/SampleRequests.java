package dev.weir.conformance;

import dev.weir.protocol.ApiKey;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.AlterConfigsRequest;
import dev.weir.protocol.message.ApiVersionsRequest;
import dev.weir.protocol.message.CreatePartitionsRequest;
import dev.weir.protocol.message.CreatePartitionsRequest.CreatePartitionsTopic;
import dev.weir.protocol.message.CreateTopicsRequest;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopic;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import dev.weir.protocol.message.DeleteRecordsRequest;
import dev.weir.protocol.message.DeleteRecordsRequest.DeleteRecordsPartition;
import dev.weir.protocol.message.DeleteRecordsRequest.DeleteRecordsTopic;
import dev.weir.protocol.message.DeleteTopicsRequest;
import dev.weir.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import dev.weir.protocol.message.DescribeClusterRequest;
import dev.weir.protocol.message.DescribeConfigsRequest;
import dev.weir.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import dev.weir.protocol.message.DescribeLogDirsRequest;
import dev.weir.protocol.message.DescribeLogDirsRequest.DescribableLogDirTopic;
import dev.weir.protocol.message.DescribeTopicPartitionsRequest;
import dev.weir.protocol.message.DescribeTopicPartitionsRequest.TopicRequest;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.IncrementalAlterConfigsRequest;
import dev.weir.protocol.message.InitProducerIdRequest;
import dev.weir.protocol.message.ListOffsetsRequest;
import dev.weir.protocol.message.ListOffsetsRequest.ListOffsetsPartition;
import dev.weir.protocol.message.ListOffsetsRequest.ListOffsetsTopic;
import dev.weir.protocol.message.MetadataRequest;
import dev.weir.protocol.message.MetadataRequest.MetadataRequestTopic;
import dev.weir.protocol.message.OffsetForLeaderEpochRequest;
import dev.weir.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderPartition;
import dev.weir.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderTopic;
import dev.weir.protocol.message.ProduceRequest;
import dev.weir.protocol.message.ProduceRequest.PartitionProduceData;
import dev.weir.protocol.message.ProduceRequest.TopicProduceData;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * For each API one request that a client could mean, in any of its versions: fields that a version
 * does not have are left at their defaults.
 *
 * @param topic an existing topic with one partition and at least one record
 * @param topicId its id
 */
record SampleRequests(String topic, UUID topicId) {
  private static final int TIMEOUT_MS = 30_000;
  private static final byte TOPIC_RESOURCE = 2;
  private static final byte SET = 0;
  private static final int CONSUMER_REPLICA_ID = -1;
  private static final short ACKS_ALL = -1;

  /** A request about topics or the cluster; empty for an API that is about groups, or not known. */
  Optional<RequestMessage> of(ApiKey key, int version) {
    return switch (key) {
      case PRODUCE -> Optional.of(produce(version));
      case FETCH -> Optional.of(fetch(version));
      case LIST_OFFSETS -> Optional.of(listOffsets());
      case METADATA -> Optional.of(metadata(version));
      case API_VERSIONS -> Optional.of(apiVersions(version));
      case OFFSET_FOR_LEADER_EPOCH -> Optional.of(offsetForLeaderEpoch());
      case DELETE_RECORDS -> Optional.of(deleteRecords());
      case INIT_PRODUCER_ID ->
          Optional.of(
              InitProducerIdRequest.DEFAULT
                  .withTransactionalId(null)
                  .withTransactionTimeoutMs(TIMEOUT_MS));
      case DESCRIBE_CLUSTER -> Optional.of(DescribeClusterRequest.DEFAULT);
      case DESCRIBE_CONFIGS -> Optional.of(describeConfigs());
      case DESCRIBE_LOG_DIRS -> Optional.of(describeLogDirs());
      case DESCRIBE_TOPIC_PARTITIONS ->
          Optional.of(
              DescribeTopicPartitionsRequest.DEFAULT.withTopics(List.of(new TopicRequest(topic))));
      case ALTER_CONFIGS -> Optional.of(alterConfigs());
      case INCREMENTAL_ALTER_CONFIGS -> Optional.of(incrementalAlterConfigs());
      default -> Optional.empty();
    };
  }

  RequestMessage produce(int version) {
    return ProduceRequest.DEFAULT
        .withAcks(ACKS_ALL)
        .withTimeoutMs(TIMEOUT_MS)
        .withTopicData(
            List.of(
                new TopicProduceData(
                    nameUnless(version >= 13),
                    idIf(version >= 13),
                    List.of(new PartitionProduceData(0, Batches.of("version " + version))))));
  }

  private RequestMessage fetch(int version) {
    return fetchFrom(0, version).withMaxWaitMs(TIMEOUT_MS).withMinBytes(1);
  }

  /** Asks for what there is from an offset on, and does not wait for more. */
  FetchRequest fetchFrom(long offset, int version) {
    FetchPartition first =
        FetchPartition.DEFAULT.withFetchOffset(offset).withPartitionMaxBytes(1 << 20);
    return FetchRequest.DEFAULT.withTopics(
        List.of(new FetchTopic(nameUnless(version >= 13), idIf(version >= 13), List.of(first))));
  }

  RequestMessage listOffsets() {
    long latest = -1;
    return ListOffsetsRequest.DEFAULT
        .withReplicaId(CONSUMER_REPLICA_ID)
        .withTopics(
            List.of(
                new ListOffsetsTopic(
                    topic, List.of(ListOffsetsPartition.DEFAULT.withTimestamp(latest)))));
  }

  private RequestMessage metadata(int version) {
    MetadataRequestTopic wanted =
        version >= 12
            ? MetadataRequestTopic.DEFAULT.withName(null).withTopicId(topicId)
            : MetadataRequestTopic.DEFAULT.withName(topic);
    return MetadataRequest.DEFAULT.withTopics(List.of(wanted));
  }

  private static RequestMessage apiVersions(int version) {
    return version >= 3
        ? ApiVersionsRequest.DEFAULT
            .withClientSoftwareName("conformance")
            .withClientSoftwareVersion("1.0")
        : ApiVersionsRequest.DEFAULT;
  }

  private RequestMessage offsetForLeaderEpoch() {
    return OffsetForLeaderEpochRequest.DEFAULT
        .withReplicaId(CONSUMER_REPLICA_ID)
        .withTopics(
            List.of(
                new OffsetForLeaderTopic(
                    topic, List.of(OffsetForLeaderPartition.DEFAULT.withLeaderEpoch(0)))));
  }

  private RequestMessage deleteRecords() {
    return new DeleteRecordsRequest(
        List.of(new DeleteRecordsTopic(topic, List.of(new DeleteRecordsPartition(0, 0)))),
        TIMEOUT_MS);
  }

  private RequestMessage describeConfigs() {
    return DescribeConfigsRequest.DEFAULT
        .withIncludeSynonyms(true)
        .withResources(
            List.of(
                DescribeConfigsResource.DEFAULT
                    .withResourceType(TOPIC_RESOURCE)
                    .withResourceName(topic)
                    .withConfigurationKeys(null)));
  }

  private RequestMessage describeLogDirs() {
    return new DescribeLogDirsRequest(List.of(new DescribableLogDirTopic(topic, List.of(0))));
  }

  private RequestMessage alterConfigs() {
    return AlterConfigsRequest.DEFAULT.withResources(
        List.of(
            new AlterConfigsRequest.AlterConfigsResource(
                TOPIC_RESOURCE,
                topic,
                List.of(new AlterConfigsRequest.AlterableConfig("retention.ms", "-1")))));
  }

  private RequestMessage incrementalAlterConfigs() {
    return IncrementalAlterConfigsRequest.DEFAULT.withResources(
        List.of(
            new IncrementalAlterConfigsRequest.AlterConfigsResource(
                TOPIC_RESOURCE,
                topic,
                List.of(
                    new IncrementalAlterConfigsRequest.AlterableConfig(
                        "retention.bytes", SET, "-1")))));
  }

  static RequestMessage createTopic(String name) {
    return CreateTopicsRequest.DEFAULT.withTopics(
        List.of(
            CreatableTopic.DEFAULT
                .withName(name)
                .withNumPartitions(1)
                .withReplicationFactor((short) 1)
                .withConfigs(List.of(new CreatableTopicConfig("cleanup.policy", "delete")))));
  }

  static RequestMessage deleteTopic(String name, int version) {
    return version >= 6
        ? DeleteTopicsRequest.DEFAULT
            .withTimeoutMs(TIMEOUT_MS)
            .withTopics(List.of(DeleteTopicState.DEFAULT.withName(name)))
        : DeleteTopicsRequest.DEFAULT.withTimeoutMs(TIMEOUT_MS).withTopicNames(List.of(name));
  }

  static RequestMessage morePartitions(String name) {
    return CreatePartitionsRequest.DEFAULT
        .withTimeoutMs(TIMEOUT_MS)
        .withTopics(
            List.of(
                CreatePartitionsTopic.DEFAULT.withName(name).withCount(3).withAssignments(null)));
  }

  private String nameUnless(boolean byId) {
    return byId ? "" : topic;
  }

  private UUID idIf(boolean byId) {
    return byId ? topicId : Uuids.ZERO;
  }

  /** Empty bytes, for what only clients read. */
  static ByteBuffer noBytes() {
    return ByteBuffer.allocate(0);
  }
}
