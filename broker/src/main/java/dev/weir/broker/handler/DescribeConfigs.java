package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ConfigResource;
import dev.weir.metadata.TopicNames;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.DescribeConfigsRequest;
import dev.weir.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import dev.weir.protocol.message.DescribeConfigsResponse;
import dev.weir.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import dev.weir.protocol.message.DescribeConfigsResponse.DescribeConfigsResult;
import dev.weir.protocol.message.DescribeConfigsResponse.DescribeConfigsSynonym;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** DescribeConfigs: what holds for a topic or a broker, and where it comes from. */
public final class DescribeConfigs implements RequestHandler<DescribeConfigsRequest> {
  private final Supplier<ClusterImage> image;
  private final ConfigView configs;
  private final int nodeId;

  public DescribeConfigs(Supplier<ClusterImage> image, ConfigView configs, int nodeId) {
    this.image = image;
    this.configs = configs;
    this.nodeId = nodeId;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.DESCRIBE_CONFIGS;
  }

  @Override
  public Class<DescribeConfigsRequest> requestType() {
    return DescribeConfigsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, DescribeConfigsRequest request) {
    exchange.reply(
        DescribeConfigsResponse.DEFAULT.withResults(
            request.resources().stream().map(resource -> describe(resource, request)).toList()));
  }

  private DescribeConfigsResult describe(
      DescribeConfigsResource resource, DescribeConfigsRequest request) {
    String name = resource.resourceName();
    return switch (ConfigResource.Type.ofCode(resource.resourceType())) {
      case TOPIC -> {
        if (TopicNames.refusal(name).isPresent()) {
          yield failed(resource, ErrorCode.INVALID_TOPIC_EXCEPTION, "no legal name of a topic");
        }
        ClusterImage now = image.get();
        yield now.topics().topic(name).isEmpty()
            ? failed(resource, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, null)
            : told(
                resource, request, configs.ofTopic(now.configs().of(ConfigResource.topic(name))));
      }
      case BROKER -> {
        if (name.isEmpty()) {
          yield told(resource, request, configs.ofAllBrokers());
        }
        yield name.equals(Integer.toString(nodeId))
            ? told(resource, request, configs.ofBroker())
            : failed(
                resource,
                ErrorCode.INVALID_REQUEST,
                "broker id is \"" + name + "\", expected " + nodeId + " or nothing");
      }
      case CLIENT_METRICS, GROUP -> told(resource, request, List.of());
      case BROKER_LOGGER, UNKNOWN ->
          failed(
              resource,
              ErrorCode.INVALID_REQUEST,
              "resources of type " + resource.resourceType() + " are not described here");
    };
  }

  private static DescribeConfigsResult told(
      DescribeConfigsResource resource,
      DescribeConfigsRequest request,
      List<ConfigView.Entry> entries) {
    List<String> keys = resource.configurationKeys();
    return new DescribeConfigsResult(
        ErrorCode.NONE.code(),
        null,
        resource.resourceType(),
        resource.resourceName(),
        entries.stream()
            .filter(entry -> keys == null || keys.contains(entry.name()))
            .map(entry -> told(entry, request))
            .toList());
  }

  private static DescribeConfigsResourceResult told(
      ConfigView.Entry entry, DescribeConfigsRequest request) {
    return new DescribeConfigsResourceResult(
        entry.name(),
        entry.value(),
        entry.readOnly(),
        entry.source().code(),
        entry.secrecy() == ConfigView.Secrecy.SECRET,
        request.includeSynonyms()
            ? entry.synonyms().stream()
                .map(
                    synonym ->
                        new DescribeConfigsSynonym(
                            synonym.name(), synonym.value(), synonym.source().code()))
                .toList()
            : List.of(),
        entry.typeCode(),
        request.includeDocumentation() ? entry.documentation() : null);
  }

  private static DescribeConfigsResult failed(
      DescribeConfigsResource resource, ErrorCode error, @Nullable String message) {
    return new DescribeConfigsResult(
        error.code(), message, resource.resourceType(), resource.resourceName(), List.of());
  }
}
