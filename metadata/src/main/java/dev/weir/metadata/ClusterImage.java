package dev.weir.metadata;

import dev.weir.protocol.metadata.AbortTransactionRecord;
import dev.weir.protocol.metadata.AccessControlEntryRecord;
import dev.weir.protocol.metadata.BeginTransactionRecord;
import dev.weir.protocol.metadata.BrokerRegistrationChangeRecord;
import dev.weir.protocol.metadata.ClearElrRecord;
import dev.weir.protocol.metadata.ClientQuotaRecord;
import dev.weir.protocol.metadata.ConfigRecord;
import dev.weir.protocol.metadata.DelegationTokenRecord;
import dev.weir.protocol.metadata.EndTransactionRecord;
import dev.weir.protocol.metadata.FeatureLevelRecord;
import dev.weir.protocol.metadata.FenceBrokerRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.NoOpRecord;
import dev.weir.protocol.metadata.PartitionChangeRecord;
import dev.weir.protocol.metadata.PartitionRecord;
import dev.weir.protocol.metadata.ProducerIdsRecord;
import dev.weir.protocol.metadata.RegisterBrokerRecord;
import dev.weir.protocol.metadata.RegisterControllerRecord;
import dev.weir.protocol.metadata.RemoveAccessControlEntryRecord;
import dev.weir.protocol.metadata.RemoveDelegationTokenRecord;
import dev.weir.protocol.metadata.RemoveTopicRecord;
import dev.weir.protocol.metadata.RemoveUserScramCredentialRecord;
import dev.weir.protocol.metadata.TopicRecord;
import dev.weir.protocol.metadata.UnfenceBrokerRecord;
import dev.weir.protocol.metadata.UnregisterBrokerRecord;
import dev.weir.protocol.metadata.UnregisterControllerRecord;
import dev.weir.protocol.metadata.UserScramCredentialRecord;
import dev.weir.protocol.metadata.ZkMigrationStateRecord;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * All metadata of the cluster at one point of the metadata log, as an immutable value: the fold of
 * {@link #apply} over the records up to there. Safe to share between threads.
 *
 * <p>Applying never fails. A record about something that does not exist (a change of a deleted
 * topic's partition) changes nothing: the controller does not decide such records, and an image
 * that stopped at one could not be loaded any more.
 */
public final class ClusterImage {
  /** Nothing is known. */
  public static final ClusterImage EMPTY =
      new ClusterImage(
          TopicsImage.EMPTY,
          ConfigsImage.EMPTY,
          AccessImage.EMPTY,
          HashTreePMap.empty(),
          NodesImage.EMPTY,
          0);

  private final TopicsImage topics;
  private final ConfigsImage configs;
  private final AccessImage access;
  private final PMap<String, Short> featureLevels;
  private final NodesImage nodes;
  private final long nextProducerId;

  private ClusterImage(
      TopicsImage topics,
      ConfigsImage configs,
      AccessImage access,
      PMap<String, Short> featureLevels,
      NodesImage nodes,
      long nextProducerId) {
    this.topics = topics;
    this.configs = configs;
    this.access = access;
    this.featureLevels = featureLevels;
    this.nodes = nodes;
    this.nextProducerId = nextProducerId;
  }

  public TopicsImage topics() {
    return topics;
  }

  public ConfigsImage configs() {
    return configs;
  }

  public AccessImage access() {
    return access;
  }

  /** Finalized levels by feature; a feature at level 0 is absent. Unmodifiable. */
  public Map<String, Short> featureLevels() {
    return featureLevels;
  }

  public NodesImage nodes() {
    return nodes;
  }

  /** The first producer id that no broker was given. */
  public long nextProducerId() {
    return nextProducerId;
  }

  /** The image after a record. */
  public ClusterImage apply(MetadataRecord record) {
    return switch (record) {
      case TopicRecord topic ->
          with(topics.with(TopicImage.created(topic.name(), topic.topicId())));
      case PartitionRecord partition ->
          changeTopic(partition.topicId(), topic -> topic.with(PartitionImage.of(partition)));
      case PartitionChangeRecord change -> changePartition(change);
      case RemoveTopicRecord removed -> removeTopic(removed.topicId());
      case ClearElrRecord cleared -> clearElr(cleared.topicName());
      case ConfigRecord config -> applyConfig(config);
      case FeatureLevelRecord feature -> applyFeature(feature);
      case ProducerIdsRecord block -> withNextProducerId(block.nextProducerId());
      case RegisterBrokerRecord _,
          UnregisterBrokerRecord _,
          FenceBrokerRecord _,
          UnfenceBrokerRecord _,
          BrokerRegistrationChangeRecord _,
          RegisterControllerRecord _,
          UnregisterControllerRecord _ ->
          with(nodes.apply(record));
      case AccessControlEntryRecord _,
          RemoveAccessControlEntryRecord _,
          UserScramCredentialRecord _,
          RemoveUserScramCredentialRecord _,
          DelegationTokenRecord _,
          RemoveDelegationTokenRecord _,
          ClientQuotaRecord _ ->
          with(access.apply(record));
      // The log's reader has grouped the batches of a transaction, KIP-868, and the migration from
      // ZooKeeper has left its marks in old logs only.
      case BeginTransactionRecord _,
          EndTransactionRecord _,
          AbortTransactionRecord _,
          ZkMigrationStateRecord _,
          NoOpRecord _ ->
          this;
    };
  }

  private ClusterImage changeTopic(UUID id, UnaryOperator<TopicImage> change) {
    return topics.topic(id).map(topic -> with(topics.with(change.apply(topic)))).orElse(this);
  }

  private ClusterImage changePartition(PartitionChangeRecord change) {
    return changeTopic(
        change.topicId(),
        topic ->
            topic
                .partition(change.partitionId())
                .map(partition -> topic.with(partition.changedBy(change)))
                .orElse(topic));
  }

  private ClusterImage clearElr(String topicName) {
    TopicsImage cleared = topics;
    // An empty name clears those of all topics.
    for (TopicImage topic : topics.all()) {
      if (topicName.isEmpty() || topicName.equals(topic.name())) {
        TopicImage changed = topic;
        for (PartitionImage partition : topic.partitions()) {
          changed = changed.with(partition.withoutElr());
        }
        cleared = cleared.with(changed);
      }
    }
    return with(cleared);
  }

  private ClusterImage removeTopic(UUID id) {
    return topics
        .topic(id)
        .map(
            topic ->
                with(topics.without(topic))
                    .with(configs.without(ConfigResource.topic(topic.name()))))
        .orElse(this);
  }

  private ClusterImage applyConfig(ConfigRecord config) {
    ConfigResource.Type type = ConfigResource.Type.ofCode(config.resourceType());
    ConfigResource resource = new ConfigResource(type, config.resourceName());
    return with(configs.with(resource, config.name(), config.value()));
  }

  private ClusterImage applyFeature(FeatureLevelRecord feature) {
    return new ClusterImage(
        topics,
        configs,
        access,
        feature.featureLevel() == 0
            ? featureLevels.minus(feature.name())
            : featureLevels.plus(feature.name(), feature.featureLevel()),
        nodes,
        nextProducerId);
  }

  private ClusterImage with(TopicsImage value) {
    return new ClusterImage(value, configs, access, featureLevels, nodes, nextProducerId);
  }

  private ClusterImage with(ConfigsImage value) {
    return new ClusterImage(topics, value, access, featureLevels, nodes, nextProducerId);
  }

  private ClusterImage with(AccessImage value) {
    return new ClusterImage(topics, configs, value, featureLevels, nodes, nextProducerId);
  }

  private ClusterImage with(NodesImage value) {
    return new ClusterImage(topics, configs, access, featureLevels, value, nextProducerId);
  }

  private ClusterImage withNextProducerId(long value) {
    return new ClusterImage(topics, configs, access, featureLevels, nodes, value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClusterImage that
        && topics.equals(that.topics)
        && configs.equals(that.configs)
        && access.equals(that.access)
        && featureLevels.equals(that.featureLevels)
        && nodes.equals(that.nodes)
        && nextProducerId == that.nextProducerId;
  }

  @Override
  public int hashCode() {
    return Objects.hash(topics, configs, featureLevels, nodes, nextProducerId);
  }

  @Override
  public String toString() {
    return "ClusterImage["
        + topics
        + ", "
        + configs
        + ", "
        + access
        + ", featureLevels="
        + featureLevels
        + ", "
        + nodes
        + ", nextProducerId="
        + nextProducerId
        + "]";
  }
}
