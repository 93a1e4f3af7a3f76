package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.message.OffsetFetchRequest;

/** OffsetFetch: tells how far groups have read. */
public final class OffsetFetch implements RequestHandler<OffsetFetchRequest> {
  private final GroupCoordinator groups;

  public OffsetFetch(GroupCoordinator groups) {
    this.groups = groups;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.OFFSET_FETCH;
  }

  @Override
  public Class<OffsetFetchRequest> requestType() {
    return OffsetFetchRequest.class;
  }

  @Override
  public void handle(Exchange exchange, OffsetFetchRequest request) {
    exchange.replyWith(groups.fetchOffsets(request, Callers.of(exchange)));
  }
}
