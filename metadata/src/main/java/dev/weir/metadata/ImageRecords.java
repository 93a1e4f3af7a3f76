package dev.weir.metadata;

import dev.weir.protocol.metadata.ClientQuotaRecord;
import dev.weir.protocol.metadata.ConfigRecord;
import dev.weir.protocol.metadata.FeatureLevelRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.PartitionRecord;
import dev.weir.protocol.metadata.ProducerIdsRecord;
import dev.weir.protocol.metadata.RegisterBrokerRecord;
import dev.weir.protocol.metadata.TopicRecord;
import java.util.Comparator;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The records of a snapshot: applied to the empty image in this order they give the image again.
 * Pure.
 */
public final class ImageRecords {
  /** Kafka reads this level first, since it says how to read the rest. */
  private static final String METADATA_VERSION = "metadata.version";

  /** Whoever was given the last block; a snapshot does not tell. */
  private static final int NO_BROKER = -1;

  private ImageRecords() {}

  /** Passes all records, those that others refer to first. */
  public static void forEach(ClusterImage image, Consumer<? super MetadataRecord> into) {
    image.featureLevels().entrySet().stream()
        .sorted(Comparator.comparing(feature -> !feature.getKey().equals(METADATA_VERSION)))
        .forEach(
            feature ->
                into.accept(
                    FeatureLevelRecord.DEFAULT
                        .withName(feature.getKey())
                        .withFeatureLevel(feature.getValue())));
    image.nodes().controllerById().values().forEach(into);
    image.nodes().brokers().forEach(broker -> into.accept(record(broker)));
    image.topics().all().forEach(topic -> forEach(topic, into));
    image.configs().all().keySet().forEach(resource -> forEach(image, resource, into));
    AccessImage access = image.access();
    access.scramByKey().values().forEach(into);
    access.tokenById().values().forEach(into);
    access.aclById().values().forEach(into);
    access
        .quotasByEntity()
        .forEach(
            (entity, limits) ->
                limits.forEach(
                    (key, value) ->
                        into.accept(
                            ClientQuotaRecord.DEFAULT
                                .withEntity(entity.stream().map(ImageRecords::entityPart).toList())
                                .withKey(key)
                                .withValue(value))));
    if (image.nextProducerId() != 0) {
      into.accept(
          ProducerIdsRecord.DEFAULT
              .withBrokerId(NO_BROKER)
              .withBrokerEpoch(NO_BROKER)
              .withNextProducerId(image.nextProducerId()));
    }
  }

  private static ClientQuotaRecord.EntityData entityPart(AccessImage.QuotaEntity part) {
    return ClientQuotaRecord.EntityData.DEFAULT
        .withEntityType(part.type())
        .withEntityName(part.name());
  }

  private static void forEach(TopicImage topic, Consumer<? super MetadataRecord> into) {
    into.accept(TopicRecord.DEFAULT.withName(topic.name()).withTopicId(topic.id()));
    topic.partitions().forEach(partition -> into.accept(record(topic.id(), partition)));
  }

  private static void forEach(
      ClusterImage image, ConfigResource resource, Consumer<? super MetadataRecord> into) {
    image
        .configs()
        .of(resource)
        .forEach(
            (name, value) ->
                into.accept(
                    ConfigRecord.DEFAULT
                        .withResourceType(resource.type().code())
                        .withResourceName(resource.name())
                        .withName(name)
                        .withValue(value)));
  }

  private static PartitionRecord record(UUID topicId, PartitionImage partition) {
    PartitionRecord record =
        PartitionRecord.DEFAULT
            .withPartitionId(partition.id())
            .withTopicId(topicId)
            .withReplicas(partition.replicas())
            .withIsr(partition.isr())
            .withRemovingReplicas(partition.removingReplicas())
            .withAddingReplicas(partition.addingReplicas())
            .withLeader(partition.leader())
            .withLeaderRecoveryState(partition.leaderRecovery().code())
            .withLeaderEpoch(partition.leaderEpoch())
            .withPartitionEpoch(partition.partitionEpoch())
            .withDirectories(partition.directories());
    if (!partition.elr().isEmpty()) {
      record = record.withEligibleLeaderReplicas(partition.elr());
    }
    return partition.lastKnownElr().isEmpty()
        ? record
        : record.withLastKnownElr(partition.lastKnownElr());
  }

  private static RegisterBrokerRecord record(BrokerImage broker) {
    RegisterBrokerRecord record =
        RegisterBrokerRecord.DEFAULT
            .withBrokerId(broker.id())
            .withIncarnationId(broker.incarnationId())
            .withBrokerEpoch(broker.epoch())
            .withEndPoints(
                broker.listeners().stream()
                    .map(
                        listener ->
                            RegisterBrokerRecord.BrokerEndpoint.DEFAULT
                                .withName(listener.name())
                                .withHost(listener.host())
                                .withPort(listener.port())
                                .withSecurityProtocol(listener.securityProtocol()))
                    .toList())
            .withFeatures(
                broker.features().stream()
                    .map(
                        feature ->
                            RegisterBrokerRecord.BrokerFeature.DEFAULT
                                .withName(feature.name())
                                .withMinSupportedVersion(feature.least())
                                .withMaxSupportedVersion(feature.greatest()))
                    .toList())
            .withRack(broker.rack().orElse(null))
            .withFenced(broker.fenced() == BrokerImage.Fencing.FENCED)
            .withInControlledShutdown(broker.fenced() == BrokerImage.Fencing.SHUTTING_DOWN)
            .withLogDirs(broker.directories());
    return broker.cordoned().isEmpty() ? record : record.withCordonedLogDirs(broker.cordoned());
  }
}
