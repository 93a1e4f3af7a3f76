package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.message.OffsetDeleteRequest;

/** OffsetDelete: forgets how far a group has read. */
public final class OffsetDelete implements RequestHandler<OffsetDeleteRequest> {
  private final GroupCoordinator groups;

  public OffsetDelete(GroupCoordinator groups) {
    this.groups = groups;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.OFFSET_DELETE;
  }

  @Override
  public Class<OffsetDeleteRequest> requestType() {
    return OffsetDeleteRequest.class;
  }

  @Override
  public void handle(Exchange exchange, OffsetDeleteRequest request) {
    exchange.replyWith(groups.deleteOffsets(request));
  }
}
