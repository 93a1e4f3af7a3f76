package dev.weir.controller;

import dev.weir.controller.ControllerCommand.AllocateProducerIds;
import dev.weir.controller.ControllerCommand.AlterConfigs;
import dev.weir.controller.ControllerCommand.CreatePartitions;
import dev.weir.controller.ControllerCommand.CreateTopics;
import dev.weir.controller.ControllerCommand.DeleteTopics;
import dev.weir.controller.ControllerCommand.FenceBroker;
import dev.weir.controller.ControllerCommand.RegisterBroker;
import dev.weir.controller.ControllerCommand.ReplaceConfigs;
import dev.weir.controller.ControllerCommand.UpdateFeatures;
import dev.weir.machine.Backoff;
import dev.weir.machine.MachineHost;
import dev.weir.machine.MachineLog;
import dev.weir.machine.MachineRunner;
import dev.weir.machine.MachineSettings;
import dev.weir.machine.StateListener;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ConfigResource;
import dev.weir.protocol.metadata.MetadataRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster's controller: every change of the metadata goes through here. Thread-safe; nothing
 * blocks.
 *
 * <p>A future completes when the change is committed and all listeners have seen it, on the
 * controller's thread: hand longer work over. It fails with {@link ControllerException} where the
 * command is refused as a whole, and with what {@link MachineRunner#submit} names where it may or
 * may not have taken effect.
 */
public final class Controller {
  private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

  /** A log that failed once may be well again; one that does not takes the node down itself. */
  private static final Backoff RELOAD = new Backoff(100, 10_000);

  private final MachineRunner<ClusterImage, ControllerCommand, MetadataRecord, ControllerReply>
      runner;
  private final Supplier<UUID> topicIds;

  /**
   * Makes a controller that does nothing before it is loaded.
   *
   * @param topicIds gives a new id at each call; ids that Kafka reserves are passed over
   */
  public Controller(
      ControllerSettings settings,
      MachineLog<MetadataRecord> log,
      MachineHost host,
      Supplier<UUID> topicIds) {
    this.runner =
        new MachineRunner<>(
            new ControllerMachine(settings),
            log,
            host,
            MachineSettings.named("controller").reloading(RELOAD));
    this.topicIds = topicIds;
  }

  /**
   * Replays the metadata log and begins to answer. Fails with {@link IllegalStateException} where
   * the log is of a metadata.version that this node can't write.
   */
  public CompletableFuture<Void> load() {
    return runner.load().thenCompose(_ -> requireServed());
  }

  private CompletableFuture<Void> requireServed() {
    Map<String, Short> unserved = Features.unserved(image());
    Optional<String> refusal = Features.refusal(image());
    if (refusal.isPresent()) {
      return resign(refusal.get())
          .thenCompose(
              _ -> CompletableFuture.failedFuture(new IllegalStateException(refusal.get())));
    }
    if (!unserved.isEmpty()) {
      LOG.warn("cluster has finalized features that this node does not serve yet: {}", unserved);
    }
    return CompletableFuture.completedFuture(null);
  }

  /** Stops; what is in hand fails. */
  public CompletableFuture<Void> resign(String reason) {
    return runner.resign(reason);
  }

  /** The committed metadata, at no cost. */
  public ClusterImage image() {
    return runner.state();
  }

  /** Adds a listener that sees every committed change, before whoever caused it gets an answer. */
  public void addListener(StateListener<ClusterImage> listener) {
    runner.addListener(listener);
  }

  /** Answers in the order of the topics. */
  public CompletableFuture<List<TopicCreation>> createTopics(List<NewTopic> topics, Mode mode) {
    List<UUID> ids = topics.stream().map(_ -> newTopicId()).toList();
    return submit(new CreateTopics(List.copyOf(topics), ids, mode))
        .thenApply(reply -> ((ControllerReply.TopicsCreated) reply).topics());
  }

  /** Answers in the order of the topics. */
  public CompletableFuture<List<TopicDeletion>> deleteTopics(List<TopicRef> topics) {
    return submit(new DeleteTopics(List.copyOf(topics)))
        .thenApply(reply -> ((ControllerReply.TopicsDeleted) reply).topics());
  }

  /** Answers in the order of the topics. */
  public CompletableFuture<List<Outcome<String>>> createPartitions(
      List<MorePartitions> topics, Mode mode) {
    return submit(new CreatePartitions(List.copyOf(topics), mode))
        .thenApply(reply -> ((ControllerReply.PartitionsCreated) reply).topics());
  }

  /** Answers in the order of the resources. A resource may appear once. */
  public CompletableFuture<List<Outcome<ConfigResource>>> alterConfigs(
      List<ResourceChange> resources, Mode mode) {
    return submit(new AlterConfigs(List.copyOf(resources), mode))
        .thenApply(reply -> ((ControllerReply.ConfigsAltered) reply).resources());
  }

  /** Sets what is given and deletes whatever else a resource has set. */
  public CompletableFuture<List<Outcome<ConfigResource>>> replaceConfigs(
      Map<ConfigResource, Map<String, String>> resources, Mode mode) {
    return submit(new ReplaceConfigs(resources, mode))
        .thenApply(reply -> ((ControllerReply.ConfigsAltered) reply).resources());
  }

  /**
   * Registers a broker, which takes part at once: an earlier process of the same id is gone, and
   * its partitions start a new leader epoch.
   *
   * @return the epoch of the registration
   */
  public CompletableFuture<Long> registerBroker(BrokerRegistration registration) {
    return submit(new RegisterBroker(registration))
        .thenApply(reply -> ((ControllerReply.BrokerRegistered) reply).brokerEpoch());
  }

  /** Takes a broker out, as at its shutdown: its partitions lose their leader. */
  public CompletableFuture<Void> fenceBroker(int brokerId, long brokerEpoch) {
    return submit(new FenceBroker(brokerId, brokerEpoch)).thenAccept(_ -> {});
  }

  public CompletableFuture<ProducerIdBlock> allocateProducerIds(int brokerId, long brokerEpoch) {
    return submit(new AllocateProducerIds(brokerId, brokerEpoch))
        .thenApply(reply -> ((ControllerReply.ProducerIdsAllocated) reply).block());
  }

  /** Answers in the order of the changes. */
  public CompletableFuture<List<Outcome<String>>> updateFeatures(
      List<FeatureChange> changes, Mode mode) {
    return submit(new UpdateFeatures(List.copyOf(changes), mode))
        .thenApply(reply -> ((ControllerReply.FeaturesUpdated) reply).features());
  }

  private CompletableFuture<ControllerReply> submit(ControllerCommand command) {
    return runner
        .submit(command)
        .thenApply(
            reply -> {
              if (reply instanceof ControllerReply.Refused(Refusal refusal)) {
                throw new ControllerException(refusal);
              }
              return reply;
            });
  }

  private UUID newTopicId() {
    UUID id = topicIds.get();
    // (0, 0) means "no id" on the wire, and (0, 1) is the metadata log's.
    while (id.getMostSignificantBits() == 0 && (id.getLeastSignificantBits() >>> 1) == 0) {
      id = topicIds.get();
    }
    return id;
  }
}
