package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.metadata.ClusterImage;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.DescribeClusterRequest;
import dev.weir.protocol.message.DescribeClusterResponse;
import dev.weir.protocol.message.DescribeClusterResponse.DescribeClusterBroker;
import java.util.List;
import java.util.function.Supplier;

/** DescribeCluster: the cluster's id, its brokers, its controller. */
public final class DescribeCluster implements RequestHandler<DescribeClusterRequest> {
  private static final byte BROKERS = 1;
  private static final byte CONTROLLERS = 2;

  private final Supplier<ClusterImage> image;
  private final Addresses addresses;
  private final String clusterId;

  public DescribeCluster(Supplier<ClusterImage> image, Addresses addresses, String clusterId) {
    this.image = image;
    this.addresses = addresses;
    this.clusterId = clusterId;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.DESCRIBE_CLUSTER;
  }

  @Override
  public Class<DescribeClusterRequest> requestType() {
    return DescribeClusterRequest.class;
  }

  @Override
  public void handle(Exchange exchange, DescribeClusterRequest request) {
    if (request.endpointType() != BROKERS) {
      ErrorCode error =
          request.endpointType() == CONTROLLERS
              ? ErrorCode.MISMATCHED_ENDPOINT_TYPE
              : ErrorCode.UNSUPPORTED_ENDPOINT_TYPE;
      exchange.reply(
          DescribeClusterResponse.DEFAULT
              .withErrorCode(error.code())
              .withErrorMessage(
                  "this is a broker, asked for endpoints of type " + request.endpointType()));
      return;
    }
    ClusterImage now = image.get();
    List<DescribeClusterBroker> brokers =
        addresses.brokers(exchange, now).stream()
            .filter(node -> request.includeFencedBrokers() || !node.fenced())
            .map(
                node ->
                    new DescribeClusterBroker(
                        node.id(),
                        node.host(),
                        node.port(),
                        node.rack().orElse(null),
                        node.fenced()))
            .toList();
    exchange.reply(
        DescribeClusterResponse.DEFAULT
            .withClusterId(clusterId)
            .withControllerId(addresses.nodeId())
            .withBrokers(brokers)
            .withClusterAuthorizedOperations(
                request.includeClusterAuthorizedOperations()
                    ? Operations.ON_CLUSTER
                    : Operations.NOT_ASKED));
  }
}
