package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.message.SyncGroupRequest;

/** SyncGroup: a member asks for its assignment; the answer waits for the leader's. */
public final class SyncGroup implements RequestHandler<SyncGroupRequest> {
  private final GroupCoordinator groups;

  public SyncGroup(GroupCoordinator groups) {
    this.groups = groups;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.SYNC_GROUP;
  }

  @Override
  public Class<SyncGroupRequest> requestType() {
    return SyncGroupRequest.class;
  }

  @Override
  public void handle(Exchange exchange, SyncGroupRequest request) {
    exchange.replyWith(groups.sync(request, Callers.of(exchange)));
  }
}
