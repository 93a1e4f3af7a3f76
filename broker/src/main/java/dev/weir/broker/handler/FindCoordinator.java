package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.metadata.ClusterImage;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.FindCoordinatorRequest;
import dev.weir.protocol.message.FindCoordinatorResponse;
import dev.weir.protocol.message.FindCoordinatorResponse.Coordinator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * FindCoordinator: this broker, for every group. The topic that keeps the groups is created when
 * the first one is asked for, and the answer waits for it, so that the client need not ask again.
 */
public final class FindCoordinator implements RequestHandler<FindCoordinatorRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(FindCoordinator.class);

  /** The first version that asks for several keys at once. */
  private static final short SEVERAL_KEYS = 4;

  private static final byte GROUP = 0;
  private static final byte TRANSACTION = 1;

  private final GroupCoordinator groups;
  private final Addresses addresses;
  private final Supplier<ClusterImage> image;

  public FindCoordinator(
      GroupCoordinator groups, Addresses addresses, Supplier<ClusterImage> image) {
    this.groups = groups;
    this.addresses = addresses;
    this.image = image;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.FIND_COORDINATOR;
  }

  @Override
  public Class<FindCoordinatorRequest> requestType() {
    return FindCoordinatorRequest.class;
  }

  @Override
  public void handle(Exchange exchange, FindCoordinatorRequest request) {
    List<String> keys =
        exchange.apiVersion() >= SEVERAL_KEYS ? request.coordinatorKeys() : List.of(request.key());
    List<CompletableFuture<Coordinator>> found = new ArrayList<>(keys.size());
    for (String key : keys) {
      found.add(find(exchange, key, request.keyType()));
    }
    exchange.replyWith(
        CompletableFuture.allOf(found.toArray(CompletableFuture<?>[]::new))
            .thenApply(
                _ ->
                    response(
                        found.stream().map(CompletableFuture::join).toList(),
                        exchange.apiVersion())));
  }

  private CompletableFuture<Coordinator> find(Exchange exchange, String key, byte keyType) {
    return switch (keyType) {
      case GROUP ->
          groups
              .partitionFor(key)
              .handle(
                  (partition, failure) -> {
                    if (partition == null) {
                      LOG.warn("the topic of groups is not available", failure);
                      return failed(key, ErrorCode.COORDINATOR_NOT_AVAILABLE, null);
                    }
                    Addresses.Node self = addresses.self(exchange, image.get());
                    return new Coordinator(
                        key, self.id(), self.host(), self.port(), ErrorCode.NONE.code(), null);
                  });
      case TRANSACTION ->
          CompletableFuture.completedFuture(
              failed(
                  key,
                  ErrorCode.INVALID_REQUEST,
                  "transactions are not served by this broker version"));
      default ->
          CompletableFuture.completedFuture(
              failed(
                  key,
                  ErrorCode.INVALID_REQUEST,
                  "coordinators of type " + keyType + " are not served"));
    };
  }

  private static FindCoordinatorResponse response(List<Coordinator> found, short version) {
    if (version >= SEVERAL_KEYS) {
      return FindCoordinatorResponse.DEFAULT.withCoordinators(found);
    }
    Coordinator only = found.getFirst();
    return FindCoordinatorResponse.DEFAULT
        .withErrorCode(only.errorCode())
        .withErrorMessage(only.errorMessage())
        .withNodeId(only.nodeId())
        .withHost(only.host())
        .withPort(only.port());
  }

  private static Coordinator failed(String key, ErrorCode error, @Nullable String message) {
    return new Coordinator(key, -1, "", -1, error.code(), message);
  }
}
