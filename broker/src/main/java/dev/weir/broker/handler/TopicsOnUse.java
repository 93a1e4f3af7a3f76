package dev.weir.broker.handler;

import dev.weir.controller.Controller;
import dev.weir.controller.Mode;
import dev.weir.controller.NewTopic;
import dev.weir.controller.TopicCreation;
import dev.weir.coordinator.CoordinatorTopic;
import dev.weir.metadata.TopicNames;
import dev.weir.protocol.ErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates topics because somebody asked for their metadata ({@code auto.create.topics.enable}). The
 * broker's own topics get the shape that they must have. Thread-safe.
 */
public final class TopicsOnUse {
  private static final Logger LOG = LoggerFactory.getLogger(TopicsOnUse.class);

  private final boolean enabled;
  private final Controller controller;
  private final CoordinatorTopic offsets;

  /**
   * @param enabled as configured; the offsets topic is created in either case
   */
  public TopicsOnUse(boolean enabled, Controller controller, CoordinatorTopic offsets) {
    this.enabled = enabled;
    this.controller = controller;
    this.offsets = offsets;
  }

  /**
   * Creates those that may be created.
   *
   * @return why others were not, by name; never fails
   */
  CompletableFuture<Map<String, ErrorCode>> create(Set<String> names) {
    CompletableFuture<?> own =
        names.contains(TopicNames.CONSUMER_OFFSETS)
            ? offsets.create().exceptionally(TopicsOnUse::logged)
            : CompletableFuture.completedFuture(null);
    List<NewTopic> wanted =
        names.stream()
            .filter(name -> enabled && !TopicNames.isInternal(name))
            .filter(name -> !name.equals(TopicNames.CLUSTER_METADATA))
            .map(NewTopic::named)
            .toList();
    if (wanted.isEmpty()) {
      return own.thenApply(_ -> Map.of());
    }
    return controller
        .createTopics(wanted, Mode.APPLY)
        .handle((created, failure) -> refusals(wanted, created, failure))
        .thenCombine(own, (refusals, _) -> refusals);
  }

  private static Map<String, ErrorCode> refusals(
      List<NewTopic> wanted, @Nullable List<TopicCreation> created, @Nullable Throwable failure) {
    Map<String, ErrorCode> refusals = new HashMap<>();
    if (created == null) {
      LOG.warn("topics could not be created on use: {}", wanted, failure);
      wanted.forEach(topic -> refusals.put(topic.name(), Failures.codeOf(failure)));
      return refusals;
    }
    for (TopicCreation topic : created) {
      // That somebody else was faster is as good as having created it.
      if (topic instanceof TopicCreation.Refused refused
          && refused.refusal().error() != ErrorCode.TOPIC_ALREADY_EXISTS) {
        refusals.put(refused.name(), refused.refusal().error());
      }
    }
    return refusals;
  }

  private static Integer logged(Throwable failure) {
    LOG.warn("the offsets topic could not be created", failure);
    return 0;
  }
}
