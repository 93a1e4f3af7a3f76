package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.controller.Controller;
import dev.weir.controller.Mode;
import dev.weir.controller.NewTopic;
import dev.weir.controller.TopicCreation;
import dev.weir.metadata.TopicNames;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.CreateTopicsRequest;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableReplicaAssignment;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopic;
import dev.weir.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import dev.weir.protocol.message.CreateTopicsResponse;
import dev.weir.protocol.message.CreateTopicsResponse.CreatableTopicConfigs;
import dev.weir.protocol.message.CreateTopicsResponse.CreatableTopicResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** CreateTopics: each topic succeeds or fails for itself, and can be used once this answers. */
public final class CreateTopics implements RequestHandler<CreateTopicsRequest> {
  private final Controller controller;
  private final ConfigView configs;

  public CreateTopics(Controller controller, ConfigView configs) {
    this.controller = controller;
    this.configs = configs;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.CREATE_TOPICS;
  }

  @Override
  public Class<CreateTopicsRequest> requestType() {
    return CreateTopicsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, CreateTopicsRequest request) {
    Map<String, CreatableTopicResult> refused = refusedHere(request);
    List<NewTopic> wanted =
        request.topics().stream()
            .filter(topic -> !refused.containsKey(topic.name()))
            .map(CreateTopics::newTopic)
            .toList();
    Mode mode = request.validateOnly() ? Mode.VALIDATE_ONLY : Mode.APPLY;
    exchange.replyWith(
        controller
            .createTopics(wanted, mode)
            .handle((created, failure) -> answer(request, refused, created, failure)));
  }

  /** What the request itself makes impossible, by name. */
  private static Map<String, CreatableTopicResult> refusedHere(CreateTopicsRequest request) {
    Map<String, CreatableTopicResult> refused = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (CreatableTopic topic : request.topics()) {
      if (!seen.add(topic.name())) {
        refused.put(
            topic.name(),
            failed(topic.name(), ErrorCode.INVALID_REQUEST, "topic is named twice in the request"));
      } else if (topic.name().equals(TopicNames.CLUSTER_METADATA)) {
        refused.put(
            topic.name(),
            failed(
                topic.name(),
                ErrorCode.INVALID_REQUEST,
                "the name " + topic.name() + " is that of the metadata log"));
      } else {
        refusalOfDetails(topic).ifPresent(result -> refused.put(topic.name(), result));
      }
    }
    return refused;
  }

  private static Optional<CreatableTopicResult> refusalOfDetails(CreatableTopic topic) {
    Set<Integer> partitions = new HashSet<>();
    for (CreatableReplicaAssignment assignment : topic.assignments()) {
      if (!partitions.add(assignment.partitionIndex())) {
        return Optional.of(
            failed(
                topic.name(),
                ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                "partition " + assignment.partitionIndex() + " is assigned twice"));
      }
    }
    for (CreatableTopicConfig config : topic.configs()) {
      if (config.value() == null) {
        return Optional.of(
            failed(
                topic.name(),
                ErrorCode.INVALID_CONFIG,
                "config " + config.name() + " has no value"));
      }
    }
    return Optional.empty();
  }

  private static NewTopic newTopic(CreatableTopic topic) {
    Map<Integer, List<Integer>> assignments = new HashMap<>();
    for (CreatableReplicaAssignment assignment : topic.assignments()) {
      assignments.put(assignment.partitionIndex(), assignment.brokerIds());
    }
    Map<String, String> configs = new HashMap<>();
    for (CreatableTopicConfig config : topic.configs()) {
      String value = config.value();
      if (value != null) {
        configs.put(config.name(), value);
      }
    }
    return new NewTopic(
        topic.name(), topic.numPartitions(), topic.replicationFactor(), assignments, configs);
  }

  private CreateTopicsResponse answer(
      CreateTopicsRequest request,
      Map<String, CreatableTopicResult> refused,
      @Nullable List<TopicCreation> created,
      @Nullable Throwable failure) {
    List<CreatableTopicResult> results = new ArrayList<>(request.topics().size());
    Iterator<TopicCreation> next = created == null ? null : created.iterator();
    Set<String> answered = new HashSet<>();
    for (CreatableTopic topic : request.topics()) {
      CreatableTopicResult known = refused.get(topic.name());
      if (known != null) {
        if (answered.add(topic.name())) {
          results.add(known); // once, also where it is named twice
        }
      } else if (next == null) {
        results.add(failed(topic.name(), Failures.codeOf(failure), Failures.messageOf(failure)));
      } else {
        results.add(result(next.next()));
      }
    }
    return CreateTopicsResponse.DEFAULT.withTopics(results);
  }

  private CreatableTopicResult result(TopicCreation creation) {
    return switch (creation) {
      case TopicCreation.Refused refused ->
          failed(refused.name(), refused.refusal().error(), refused.refusal().message());
      case TopicCreation.Created created ->
          CreatableTopicResult.DEFAULT
              .withName(created.name())
              .withTopicId(created.id())
              .withNumPartitions(created.partitions())
              .withReplicationFactor((short) created.replicationFactor())
              .withConfigs(
                  configs.ofTopic(created.configs()).stream().map(CreateTopics::told).toList());
    };
  }

  private static CreatableTopicConfigs told(ConfigView.Entry entry) {
    return new CreatableTopicConfigs(
        entry.name(),
        entry.value(),
        /* readOnly= */ false,
        entry.source().code(),
        /* isSensitive= */ false);
  }

  private static CreatableTopicResult failed(
      String name, ErrorCode error, @Nullable String message) {
    return CreatableTopicResult.DEFAULT
        .withName(name)
        .withErrorCode(error.code())
        .withErrorMessage(message)
        .withConfigs(List.of());
  }
}
