package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.controller.Controller;
import dev.weir.controller.Mode;
import dev.weir.controller.Outcome;
import dev.weir.metadata.ConfigResource;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.AlterConfigsRequest;
import dev.weir.protocol.message.AlterConfigsRequest.AlterConfigsResource;
import dev.weir.protocol.message.AlterConfigsRequest.AlterableConfig;
import dev.weir.protocol.message.AlterConfigsResponse;
import dev.weir.protocol.message.AlterConfigsResponse.AlterConfigsResourceResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** AlterConfigs: replaces the whole configuration of topics and brokers. */
public final class AlterConfigs implements RequestHandler<AlterConfigsRequest> {
  private final Controller controller;

  public AlterConfigs(Controller controller) {
    this.controller = controller;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.ALTER_CONFIGS;
  }

  @Override
  public Class<AlterConfigsRequest> requestType() {
    return AlterConfigsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, AlterConfigsRequest request) {
    List<AlterConfigsResourceResponse> refused = new ArrayList<>();
    Map<ConfigResource, Map<String, String>> wanted = new LinkedHashMap<>();
    Set<ConfigResource> twice = new HashSet<>();
    for (AlterConfigsResource named : request.resources()) {
      ConfigResource resource =
          new ConfigResource(
              ConfigResource.Type.ofCode(named.resourceType()), named.resourceName());
      Map<String, String> configs = new HashMap<>();
      boolean whole = true;
      for (AlterableConfig config : named.configs()) {
        String value = config.value();
        whole &= value != null;
        if (value != null) {
          configs.put(config.name(), value);
        }
      }
      if (!whole) {
        refused.add(told(resource, ErrorCode.INVALID_REQUEST, "a configuration has no value"));
      } else if (wanted.put(resource, configs) != null) {
        twice.add(resource);
      }
    }
    wanted.keySet().removeAll(twice);
    twice.forEach(
        resource ->
            refused.add(
                told(
                    resource,
                    ErrorCode.INVALID_REQUEST,
                    "the resource is named twice in the request")));
    exchange.replyWith(
        controller
            .replaceConfigs(wanted, request.validateOnly() ? Mode.VALIDATE_ONLY : Mode.APPLY)
            .handle((outcomes, failure) -> results(wanted.keySet(), outcomes, failure))
            .thenApply(
                results -> {
                  List<AlterConfigsResourceResponse> all = new ArrayList<>(refused);
                  all.addAll(results);
                  return AlterConfigsResponse.DEFAULT.withResponses(all);
                }));
  }

  private static List<AlterConfigsResourceResponse> results(
      Set<ConfigResource> wanted,
      @Nullable List<Outcome<ConfigResource>> outcomes,
      @Nullable Throwable failure) {
    if (outcomes == null) {
      ErrorCode error = Failures.codeOf(failure);
      return wanted.stream()
          .map(resource -> told(resource, error, Failures.messageOf(failure)))
          .toList();
    }
    return outcomes.stream()
        .map(outcome -> told(outcome.subject(), outcome.error(), outcome.message().orElse(null)))
        .toList();
  }

  private static AlterConfigsResourceResponse told(
      ConfigResource resource, ErrorCode error, @Nullable String message) {
    return new AlterConfigsResourceResponse(
        error.code(), message, resource.type().code(), resource.name());
  }
}
