package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.controller.Controller;
import dev.weir.controller.Mode;
import dev.weir.controller.MorePartitions;
import dev.weir.controller.Outcome;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.message.CreatePartitionsRequest;
import dev.weir.protocol.message.CreatePartitionsRequest.CreatePartitionsAssignment;
import dev.weir.protocol.message.CreatePartitionsRequest.CreatePartitionsTopic;
import dev.weir.protocol.message.CreatePartitionsResponse;
import dev.weir.protocol.message.CreatePartitionsResponse.CreatePartitionsTopicResult;
import java.util.List;

/** CreatePartitions: more partitions for topics; each succeeds or fails for itself. */
public final class CreatePartitions implements RequestHandler<CreatePartitionsRequest> {
  private final Controller controller;

  public CreatePartitions(Controller controller) {
    this.controller = controller;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.CREATE_PARTITIONS;
  }

  @Override
  public Class<CreatePartitionsRequest> requestType() {
    return CreatePartitionsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, CreatePartitionsRequest request) {
    List<MorePartitions> topics = request.topics().stream().map(CreatePartitions::wanted).toList();
    exchange.replyWith(
        controller
            .createPartitions(topics, request.validateOnly() ? Mode.VALIDATE_ONLY : Mode.APPLY)
            .handle(
                (outcomes, failure) ->
                    outcomes == null
                        ? topics.stream()
                            .map(
                                topic ->
                                    new CreatePartitionsTopicResult(
                                        topic.topic(),
                                        Failures.codeOf(failure).code(),
                                        Failures.messageOf(failure)))
                            .toList()
                        : outcomes.stream().map(CreatePartitions::result).toList())
            .thenApply(CreatePartitionsResponse.DEFAULT::withResults));
  }

  private static MorePartitions wanted(CreatePartitionsTopic topic) {
    List<CreatePartitionsAssignment> assignments = topic.assignments();
    return new MorePartitions(
        topic.name(),
        topic.count(),
        assignments == null
            ? List.of()
            : assignments.stream().map(CreatePartitionsAssignment::brokerIds).toList());
  }

  private static CreatePartitionsTopicResult result(Outcome<String> outcome) {
    return new CreatePartitionsTopicResult(
        outcome.subject(), outcome.error().code(), outcome.message().orElse(null));
  }
}
