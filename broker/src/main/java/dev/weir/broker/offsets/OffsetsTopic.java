package dev.weir.broker.offsets;

import dev.weir.broker.config.BrokerConfig.OffsetsSettings;
import dev.weir.broker.partition.Lookup;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.partition.Partitions;
import dev.weir.controller.Controller;
import dev.weir.controller.Mode;
import dev.weir.controller.NewTopic;
import dev.weir.controller.TopicCreation;
import dev.weir.coordinator.CoordinatorTopic;
import dev.weir.coordinator.KeyValue;
import dev.weir.log.batch.Compression;
import dev.weir.machine.MachineLog;
import dev.weir.machine.NotLeaderException;
import dev.weir.metadata.BrokerImage;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.TopicImage;
import dev.weir.metadata.TopicNames;
import dev.weir.protocol.ErrorCode;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.ObjIntConsumer;

/** {@code __consumer_offsets}, created when a group first needs it. Thread-safe. */
public final class OffsetsTopic implements CoordinatorTopic {
  private final OffsetsSettings settings;
  private final Controller controller;
  private final Partitions partitions;
  private final InstantSource clock;
  private final ObjIntConsumer<String> onLost;

  /**
   * @param onLost told, with the reason, which partition can no longer commit
   */
  public OffsetsTopic(
      OffsetsSettings settings,
      Controller controller,
      Partitions partitions,
      InstantSource clock,
      ObjIntConsumer<String> onLost) {
    this.settings = settings;
    this.controller = controller;
    this.partitions = partitions;
    this.clock = clock;
    this.onLost = onLost;
  }

  @Override
  public String name() {
    return TopicNames.CONSUMER_OFFSETS;
  }

  @Override
  public OptionalInt partitionCount() {
    return controller
        .image()
        .topics()
        .topic(name())
        .map(TopicImage::partitionCount)
        .map(OptionalInt::of)
        .orElse(OptionalInt.empty());
  }

  @Override
  public CompletableFuture<Integer> create() {
    OptionalInt existing = partitionCount();
    if (existing.isPresent()) {
      return CompletableFuture.completedFuture(existing.getAsInt());
    }
    return controller.createTopics(List.of(shape()), Mode.APPLY).thenApply(this::countOf);
  }

  @Override
  public MachineLog<KeyValue> open(int partition) {
    return switch (partitions.find(name(), partition)) {
      case Lookup.Missing(ErrorCode error) ->
          throw new NotLeaderException(name() + "-" + partition + " cannot be used here: " + error);
      case Lookup.Found(Partition led) ->
          new PartitionMachineLog(
              led, Compression.NONE, clock, reason -> onLost.accept(reason, partition));
    };
  }

  private NewTopic shape() {
    // The default of 3 replicas cannot be met by fewer brokers, and a group must not wait for them.
    ClusterImage now = controller.image();
    long active = now.nodes().brokers().stream().filter(BrokerImage::isActive).count();
    int replicas = (int) Math.max(1, Math.min(settings.replicationFactor(), active));
    return NewTopic.named(name())
        .withPartitions(settings.partitions())
        .withReplicationFactor(replicas)
        .withConfigs(
            Map.of(
                "cleanup.policy", "compact",
                "compression.type", "producer",
                "segment.bytes", Integer.toString(settings.segmentBytes())));
  }

  private int countOf(List<TopicCreation> created) {
    return switch (created.getFirst()) {
      case TopicCreation.Created topic -> topic.partitions();
      // Another request was faster: what it created will do.
      case TopicCreation.Refused refused ->
          partitionCount()
              .orElseThrow(
                  () ->
                      new NotLeaderException(
                          name() + " could not be created: " + refused.refusal().message()));
    };
  }
}
