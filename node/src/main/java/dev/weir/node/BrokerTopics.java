package dev.weir.node;

import dev.weir.broker.BrokerServer;
import dev.weir.broker.LocalPartition;
import dev.weir.controller.Controller;
import dev.weir.controller.Mode;
import dev.weir.controller.NewTopic;
import dev.weir.controller.TopicCreation;
import dev.weir.controller.TopicDeletion;
import dev.weir.controller.TopicRef;
import dev.weir.metadata.ImageDiff;
import dev.weir.metadata.TopicImage;
import dev.weir.protocol.ErrorCode;
import dev.weir.search.log.DocumentLog;
import dev.weir.search.log.DocumentLogException;
import dev.weir.search.log.LogTopics;
import dev.weir.search.log.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The topics of this node, for the search engine. Safe for any thread. */
final class BrokerTopics implements LogTopics {
  private final Controller controller;
  private final BrokerServer broker;
  private final List<Consumer<Topic>> deletionListeners = new CopyOnWriteArrayList<>();

  BrokerTopics(Controller controller, BrokerServer broker) {
    this.controller = controller;
    this.broker = broker;
    controller.addListener(
        (before, after) -> {
          if (!deletionListeners.isEmpty()) {
            ImageDiff.between(before, after).deletedTopics().forEach(this::tellDeleted);
          }
        });
  }

  private void tellDeleted(TopicImage deleted) {
    Topic topic = topic(deleted);
    deletionListeners.forEach(listener -> listener.accept(topic));
  }

  @Override
  public CompletableFuture<Creation> create(
      String name, int partitions, Map<String, String> configs) {
    NewTopic wanted = NewTopic.named(name).withPartitions(partitions).withConfigs(configs);
    return controller
        .createTopics(List.of(wanted), Mode.APPLY)
        .thenApply(
            results ->
                switch (results.getFirst()) {
                  case TopicCreation.Created created ->
                      new Creation.Created(
                          new Topic(created.name(), created.id(), created.partitions()));
                  case TopicCreation.Refused refused -> refused(refused);
                });
  }

  private Creation refused(TopicCreation.Refused refused) {
    Optional<Topic> existing =
        refused.refusal().error() == ErrorCode.TOPIC_ALREADY_EXISTS
            ? topic(refused.name())
            : Optional.empty();
    return existing
        .<Creation>map(Creation.Exists::new)
        .orElseGet(() -> new Creation.Refused(refused.refusal().message()));
  }

  @Override
  public CompletableFuture<Void> delete(String name) {
    return controller
        .deleteTopics(List.of(new TopicRef.ByName(name)))
        .thenAccept(
            results -> {
              if (results.getFirst() instanceof TopicDeletion.Refused(_, var refusal)
                  && refusal.error() != ErrorCode.UNKNOWN_TOPIC_OR_PARTITION) {
                throw new DocumentLogException(
                    "topic '" + name + "' was not deleted: " + refusal.message());
              }
            });
  }

  @Override
  public Optional<Topic> topic(String name) {
    return controller.image().topics().topic(name).map(BrokerTopics::topic);
  }

  private static Topic topic(TopicImage image) {
    return new Topic(image.name(), image.id(), image.partitionCount());
  }

  @Override
  public DocumentLog open(String topic, int partition) {
    LocalPartition local =
        broker
            .partition(topic, partition)
            .orElseThrow(
                () ->
                    new DocumentLogException(
                        "partition " + partition + " of topic '" + topic + "' is not led here"));
    return new LocalDocumentLog(local);
  }

  @Override
  public Subscription onDeleted(Consumer<Topic> listener) {
    deletionListeners.add(listener);
    return () -> deletionListeners.remove(listener);
  }
}
