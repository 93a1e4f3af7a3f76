package dev.weir.broker.partition;

import dev.weir.broker.config.NodeProperties;
import dev.weir.log.CompactionStatus;
import dev.weir.log.GroupFlush;
import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.log.LogException;
import dev.weir.log.PartitionLog;
import dev.weir.log.TopicPartition;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ConfigResource;
import dev.weir.metadata.ImageDiff;
import dev.weir.metadata.ImageDiff.ChangedPartition;
import dev.weir.metadata.PartitionImage;
import dev.weir.metadata.TopicImage;
import dev.weir.metadata.TopicNames;
import dev.weir.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All partitions of this broker, by name and by topic id, kept in step with the cluster's metadata:
 * {@link #apply} runs after a change is committed and before its reply leaves, so that a topic can
 * be used when CreateTopics answers.
 *
 * <p>Lookups are for any thread and take no lock; changes come one at a time.
 */
public final class Partitions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Partitions.class);

  private static final Lookup UNKNOWN_NAME =
      new Lookup.Missing(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
  private static final Lookup UNKNOWN_ID = new Lookup.Missing(ErrorCode.UNKNOWN_TOPIC_ID);
  private static final Lookup OFFLINE = new Lookup.Missing(ErrorCode.KAFKA_STORAGE_ERROR);

  /**
   * A partition whose log cannot be used.
   *
   * @param config its settings, unless they are what is wrong
   */
  private record Failed(Optional<LogConfig> config, LogException cause) {}

  private final int nodeId;
  private final LogDirectory directory;
  private final NodeProperties properties;
  private final GroupFlush flush;
  private final Map<String, TopicPartitions> topicByName = new ConcurrentHashMap<>();
  private final Map<UUID, TopicPartitions> topicById = new ConcurrentHashMap<>();
  private final Map<PartitionLog, Partition> partitionByLog = new ConcurrentHashMap<>();

  /** Those that this broker should lead and whose logs cannot be used, until the next start. */
  private final Map<TopicPartition, Failed> failed = new ConcurrentHashMap<>();

  private final Map<UUID, String> nameOfFailedTopic = new ConcurrentHashMap<>();

  /**
   * @param directory opened and loaded
   * @param properties what gives topics their defaults
   */
  public Partitions(int nodeId, LogDirectory directory, NodeProperties properties) {
    this.nodeId = nodeId;
    this.directory = directory;
    this.properties = properties;
    this.flush = new GroupFlush(new FlushListener());
  }

  /** A partition by its topic's name. */
  public Lookup find(String topic, int partition) {
    Lookup found = answer(topicByName.get(topic), partition, UNKNOWN_NAME);
    return found instanceof Lookup.Missing ? offlineOr(found, topic, partition) : found;
  }

  /** A partition by its topic's id. */
  public Lookup find(UUID topicId, int partition) {
    Lookup found = answer(topicById.get(topicId), partition, UNKNOWN_ID);
    if (found instanceof Lookup.Found) {
      return found;
    }
    String name = nameOfFailedTopic.get(topicId);
    return name == null ? found : offlineOr(found, name, partition);
  }

  private Lookup offlineOr(Lookup otherwise, String topic, int partition) {
    return !failed.isEmpty() && failed.containsKey(new TopicPartition(topic, partition))
        ? OFFLINE
        : otherwise;
  }

  /** All partitions, in no particular order. */
  public Collection<Partition> all() {
    return List.copyOf(partitionByLog.values());
  }

  /**
   * How compaction stands with each log of the directory, and with those that are lost to it. One
   * that was opened and could not be led is lost: it is told once.
   */
  public List<CompactionStatus> compaction(long nowMs) {
    Map<TopicPartition, Failed> lost = Map.copyOf(failed);
    List<CompactionStatus> statuses = new ArrayList<>(directory.upkeep().compaction(nowMs));
    statuses.removeIf(status -> lost.containsKey(status.partition()));
    lost.forEach((partition, why) -> statuses.add(statusOf(partition, why)));
    return statuses;
  }

  /**
   * Looks after the logs, as {@link LogDirectory#doUpkeep} does: partitions whose logs come back by
   * it serve again.
   */
  void lookAfter(long nowMs) {
    directory.doUpkeep(
        nowMs,
        log -> Optional.ofNullable(partitionByLog.get(log)).ifPresent(Partition::logStartMoved),
        log -> Optional.ofNullable(partitionByLog.get(log)).ifPresent(Partition::logIsBack));
  }

  private static CompactionStatus statusOf(TopicPartition partition, Failed why) {
    return why.config()
        .map(config -> CompactionStatus.unopened(partition, config, why.cause()))
        .orElseGet(() -> CompactionStatus.unopened(partition, why.cause()));
  }

  /** Whether a topic is the broker's own: clients may read it, not write to it. */
  public boolean isInternal(String topic) {
    return TopicNames.isInternal(topic);
  }

  public LogDirectory directory() {
    return directory;
  }

  /**
   * Does what a change of the metadata asks of this broker: makes, changes and removes logs. With
   * an empty {@code before} it is the start of the broker.
   */
  public void apply(ClusterImage before, ClusterImage after) {
    ImageDiff diff = ImageDiff.between(before, after);
    diff.deletedTopics().forEach(this::delete);
    for (TopicImage topic : diff.createdTopics()) {
      topic.partitions().forEach(partition -> leadIfPossible(topic, partition, after));
    }
    for (ChangedPartition changed : diff.changedPartitions()) {
      leadIfPossible(changed.topic(), changed.after(), after);
    }
    reconfigure(diff.changedConfigs(), after);
  }

  /**
   * The settings of a topic's logs.
   *
   * @throws LogException if there are some that a log does not take: they were accepted, so no
   *     client is to blame, and no other topic to suffer
   */
  private LogConfig configOf(ClusterImage cluster, String topic) {
    try {
      return LogConfig.of(properties.ofTopic(cluster, topic));
    } catch (IllegalArgumentException e) {
      throw new LogException(
          "the settings of topic=" + topic + " cannot be used, change them: " + e.getMessage(), e);
    }
  }

  /**
   * Removes the logs that belong to no topic of the image. To be called once, at the start, and
   * before {@link #apply}: a topic must not be given the log of an earlier one of its name.
   */
  public void removeStrays(ClusterImage image) {
    for (PartitionLog log : List.copyOf(directory.logs())) {
      TopicPartition name = log.topicPartition();
      Optional<TopicImage> topic =
          image
              .topics()
              .topic(name.topic())
              .filter(named -> named.partition(name.partition()).isPresent());
      if (topic.isPresent() && log.topicId().equals(LogDirectory.NO_TOPIC_ID)) {
        // The process died between the creation of the directory and that of the file in it.
        log.identify(topic.get().id());
      } else if (topic.filter(named -> named.id().equals(log.topicId())).isEmpty()
          && !name.topic().equals(TopicNames.CLUSTER_METADATA)) {
        LOG.info("log of a topic that exists no more is removed: partition={}", name);
        directory.delete(name);
      }
    }
    for (TopicPartition name : directory.unopened().keySet()) {
      UUID id = directory.topicIdOfUnopened(name);
      boolean stray =
          image
              .topics()
              .topic(name.topic())
              .filter(topic -> topic.id().equals(id) || id.equals(LogDirectory.NO_TOPIC_ID))
              .isEmpty();
      if (stray && !name.topic().equals(TopicNames.CLUSTER_METADATA)) {
        LOG.info("damaged log of a topic that exists no more is removed: partition={}", name);
        directory.delete(name);
      }
    }
  }

  /** Ends all waits and flushes what was asked for. The logs are the directory's to close. */
  @Override
  public void close() {
    all().forEach(partition -> partition.end(ErrorCode.NOT_LEADER_OR_FOLLOWER));
    flush.close();
  }

  private static Lookup answer(
      @Nullable TopicPartitions topic, int number, Lookup ifTopicIsUnknown) {
    if (topic == null) {
      return ifTopicIsUnknown;
    }
    Partition partition = topic.get(number);
    return partition == null ? UNKNOWN_NAME : new Lookup.Found(partition);
  }

  /** A disk, or a setting, that fails one partition keeps the others from nothing. */
  private void leadIfPossible(TopicImage topic, PartitionImage image, ClusterImage cluster) {
    Optional<LogConfig> config = Optional.empty();
    try {
      config = Optional.of(configOf(cluster, topic.name()));
      lead(topic, image, config.get());
    } catch (LogException e) {
      LOG.error("partition cannot be used: topic={} partition={}", topic.name(), image.id(), e);
      failed.put(new TopicPartition(topic.name(), image.id()), new Failed(config, e));
      nameOfFailedTopic.put(topic.id(), topic.name());
    }
  }

  private void lead(TopicImage topic, PartitionImage image, LogConfig config) {
    if (image.leader() != nodeId) {
      return;
    }
    TopicPartitions known = topicById.get(topic.id());
    Partition partition = known == null ? null : known.get(image.id());
    if (partition == null) {
      TopicPartition name = new TopicPartition(topic.name(), image.id());
      PartitionLog log =
          directory.log(name).orElseGet(() -> directory.create(name, topic.id(), config));
      log.updateConfig(config);
      partition = new Partition(log, image.leaderEpoch(), flush);
      partition.begin();
      partitionByLog.put(log, partition);
      put(topic, partition, image.id());
      failed.remove(name); // a later try may succeed
    } else {
      partition.lead(image.leaderEpoch());
    }
  }

  private void put(TopicImage topic, Partition partition, int number) {
    TopicPartitions known = topicById.get(topic.id());
    TopicPartitions changed =
        (known == null ? TopicPartitions.none(topic.id()) : known).with(number, partition);
    topicById.put(topic.id(), changed);
    topicByName.put(topic.name(), changed);
  }

  private void delete(TopicImage topic) {
    deleteFailed(topic);
    TopicPartitions removed = topicById.remove(topic.id());
    if (removed == null) {
      return;
    }
    topicByName.remove(topic.name(), removed);
    for (Partition partition : removed.all()) {
      partitionByLog.remove(partition.log());
      partition.end(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
      deleteFiles(partition.topicPartition());
    }
  }

  private void deleteFailed(TopicImage topic) {
    if (nameOfFailedTopic.remove(topic.id()) == null) {
      return;
    }
    for (PartitionImage partition : topic.partitions()) {
      TopicPartition name = new TopicPartition(topic.name(), partition.id());
      if (failed.remove(name) != null) {
        deleteFiles(name);
      }
    }
  }

  private void deleteFiles(TopicPartition partition) {
    try {
      directory.delete(partition);
    } catch (LogException e) {
      LOG.error("files stay until the next start: partition={}", partition, e);
    }
  }

  private void reconfigure(Set<ConfigResource> changed, ClusterImage cluster) {
    boolean all = false;
    Set<String> topics = new HashSet<>();
    for (ConfigResource resource : changed) {
      switch (resource.type()) {
        case TOPIC -> topics.add(resource.name());
        case BROKER -> all = true;
        case BROKER_LOGGER, CLIENT_METRICS, GROUP, UNKNOWN -> {}
      }
    }
    for (Partition partition : partitionByLog.values()) {
      String topic = partition.topicPartition().topic();
      if (all || topics.contains(topic)) {
        reconfigure(partition, cluster);
      }
    }
    leadWhatSettingsKept(cluster);
  }

  private void reconfigure(Partition partition, ClusterImage cluster) {
    try {
      partition.log().updateConfig(configOf(cluster, partition.topicPartition().topic()));
    } catch (LogException e) {
      LOG.error("partition goes on with the settings that it has: {}", partition, e);
    }
  }

  /** Settings may have been mended that kept a partition from being led; what else did may last. */
  private void leadWhatSettingsKept(ClusterImage cluster) {
    for (Map.Entry<TopicPartition, Failed> entry : Map.copyOf(failed).entrySet()) {
      if (entry.getValue().config().isEmpty()) {
        cluster
            .topics()
            .topic(entry.getKey().topic())
            .ifPresent(
                topic ->
                    topic
                        .partition(entry.getKey().partition())
                        .ifPresent(partition -> leadIfPossible(topic, partition, cluster)));
      }
    }
  }

  /** Hears of finished flushes, on the flush thread. */
  private final class FlushListener implements GroupFlush.Listener {
    @Override
    public void flushed(PartitionLog log, long flushedOffset) {
      Optional.ofNullable(partitionByLog.get(log))
          .ifPresent(partition -> partition.flushed(flushedOffset));
    }

    @Override
    public void failed(PartitionLog log, LogException cause) {
      Optional.ofNullable(partitionByLog.get(log)).ifPresent(Partition::flushFailed);
    }
  }
}
