package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.controller.Controller;
import dev.weir.controller.TopicDeletion;
import dev.weir.controller.TopicRef;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.DeleteTopicsRequest;
import dev.weir.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import dev.weir.protocol.message.DeleteTopicsResponse;
import dev.weir.protocol.message.DeleteTopicsResponse.DeletableTopicResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DeleteTopics: by name or id; each topic succeeds or fails for itself. */
public final class DeleteTopics implements RequestHandler<DeleteTopicsRequest> {
  /** The first version that names topics one by one, by name or id. */
  private static final short TOPICS_BY_ID = 6;

  /** The first version that knows the error for "deletion is switched off". */
  private static final short DELETION_DISABLED_KNOWN = 3;

  private final Controller controller;
  private final boolean enabled;

  /**
   * @param enabled {@code delete.topic.enable}
   */
  public DeleteTopics(Controller controller, boolean enabled) {
    this.controller = controller;
    this.enabled = enabled;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.DELETE_TOPICS;
  }

  @Override
  public Class<DeleteTopicsRequest> requestType() {
    return DeleteTopicsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, DeleteTopicsRequest request) {
    List<TopicRef> topics = topics(request, exchange.apiVersion());
    if (!enabled) {
      ErrorCode error =
          exchange.apiVersion() >= DELETION_DISABLED_KNOWN
              ? ErrorCode.TOPIC_DELETION_DISABLED
              : ErrorCode.INVALID_REQUEST;
      exchange.reply(
          DeleteTopicsResponse.DEFAULT.withResponses(
              topics.stream().map(topic -> failed(topic, error, null)).toList()));
      return;
    }
    exchange.replyWith(
        controller
            .deleteTopics(topics)
            .handle(
                (deleted, failure) ->
                    deleted == null
                        ? topics.stream()
                            .map(
                                topic ->
                                    failed(
                                        topic,
                                        Failures.codeOf(failure),
                                        Failures.messageOf(failure)))
                            .toList()
                        : deleted.stream().map(DeleteTopics::result).toList())
            .thenApply(DeleteTopicsResponse.DEFAULT::withResponses));
  }

  private static List<TopicRef> topics(DeleteTopicsRequest request, short version) {
    List<TopicRef> topics = new ArrayList<>();
    if (version < TOPICS_BY_ID) {
      request.topicNames().forEach(name -> topics.add(new TopicRef.ByName(name)));
    } else {
      for (DeleteTopicState topic : request.topics()) {
        String name = topic.name();
        topics.add(name == null ? new TopicRef.ById(topic.topicId()) : new TopicRef.ByName(name));
      }
    }
    return topics;
  }

  private static DeletableTopicResult result(TopicDeletion deletion) {
    return switch (deletion) {
      case TopicDeletion.Deleted deleted ->
          new DeletableTopicResult(deleted.name(), deleted.id(), ErrorCode.NONE.code(), null);
      case TopicDeletion.Refused refused ->
          failed(refused.topic(), refused.refusal().error(), refused.refusal().message());
    };
  }

  private static DeletableTopicResult failed(
      TopicRef topic, ErrorCode error, @Nullable String message) {
    return switch (topic) {
      case TopicRef.ByName(var name) ->
          new DeletableTopicResult(name, Uuids.ZERO, error.code(), message);
      case TopicRef.ById(var id) -> new DeletableTopicResult(null, id, error.code(), message);
    };
  }
}
