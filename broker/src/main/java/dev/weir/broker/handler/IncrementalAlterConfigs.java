package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.controller.ConfigChange;
import dev.weir.controller.Controller;
import dev.weir.controller.Mode;
import dev.weir.controller.Outcome;
import dev.weir.controller.ResourceChange;
import dev.weir.metadata.ConfigResource;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.IncrementalAlterConfigsRequest;
import dev.weir.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import dev.weir.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import dev.weir.protocol.message.IncrementalAlterConfigsResponse;
import dev.weir.protocol.message.IncrementalAlterConfigsResponse.AlterConfigsResourceResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** IncrementalAlterConfigs: changes single configurations of topics and brokers. */
public final class IncrementalAlterConfigs
    implements RequestHandler<IncrementalAlterConfigsRequest> {
  private final Controller controller;

  public IncrementalAlterConfigs(Controller controller) {
    this.controller = controller;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.INCREMENTAL_ALTER_CONFIGS;
  }

  @Override
  public Class<IncrementalAlterConfigsRequest> requestType() {
    return IncrementalAlterConfigsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, IncrementalAlterConfigsRequest request) {
    Map<ConfigResource, Integer> timesNamed = new HashMap<>();
    request.resources().forEach(named -> timesNamed.merge(resource(named), 1, Integer::sum));
    List<AlterConfigsResourceResponse> refused = new ArrayList<>();
    List<ResourceChange> changes = new ArrayList<>();
    for (AlterConfigsResource named : request.resources()) {
      Optional<String> refusal =
          timesNamed.getOrDefault(resource(named), 0) > 1
              ? Optional.of("the resource is named twice in the request")
              : refusalOfOperations(named);
      if (refusal.isPresent()) {
        refused.add(told(named, ErrorCode.INVALID_REQUEST, refusal.get()));
      } else {
        changes.add(new ResourceChange(resource(named), changes(named)));
      }
    }
    exchange.replyWith(
        controller
            .alterConfigs(changes, request.validateOnly() ? Mode.VALIDATE_ONLY : Mode.APPLY)
            .handle((outcomes, failure) -> results(changes, outcomes, failure))
            .thenApply(
                results -> {
                  List<AlterConfigsResourceResponse> all = new ArrayList<>(refused);
                  all.addAll(results);
                  return IncrementalAlterConfigsResponse.DEFAULT.withResponses(all);
                }));
  }

  private static ConfigResource resource(AlterConfigsResource named) {
    return new ConfigResource(
        ConfigResource.Type.ofCode(named.resourceType()), named.resourceName());
  }

  private static Optional<String> refusalOfOperations(AlterConfigsResource named) {
    return named.configs().stream()
        .filter(config -> ConfigChange.Operation.ofCode(config.configOperation()).isEmpty())
        .findFirst()
        .map(
            config ->
                "operation on "
                    + config.name()
                    + " has the unknown code "
                    + config.configOperation());
  }

  private static List<ConfigChange> changes(AlterConfigsResource named) {
    List<ConfigChange> changes = new ArrayList<>(named.configs().size());
    for (AlterableConfig config : named.configs()) {
      ConfigChange.Operation.ofCode(config.configOperation())
          .ifPresent(
              operation -> changes.add(new ConfigChange(operation, config.name(), config.value())));
    }
    return changes;
  }

  private static List<AlterConfigsResourceResponse> results(
      List<ResourceChange> changes,
      @Nullable List<Outcome<ConfigResource>> outcomes,
      @Nullable Throwable failure) {
    if (outcomes == null) {
      ErrorCode error = Failures.codeOf(failure);
      return changes.stream()
          .map(change -> told(change.resource(), error, Failures.messageOf(failure)))
          .toList();
    }
    return outcomes.stream()
        .map(outcome -> told(outcome.subject(), outcome.error(), outcome.message().orElse(null)))
        .toList();
  }

  private static AlterConfigsResourceResponse told(
      AlterConfigsResource named, ErrorCode error, @Nullable String message) {
    return new AlterConfigsResourceResponse(
        error.code(), message, named.resourceType(), named.resourceName());
  }

  private static AlterConfigsResourceResponse told(
      ConfigResource resource, ErrorCode error, @Nullable String message) {
    return new AlterConfigsResourceResponse(
        error.code(), message, resource.type().code(), resource.name());
  }
}
