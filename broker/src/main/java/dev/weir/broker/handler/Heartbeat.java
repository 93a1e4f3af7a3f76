package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.message.HeartbeatRequest;

/** Heartbeat: a member is alive, and hears of rebalances. */
public final class Heartbeat implements RequestHandler<HeartbeatRequest> {
  private final GroupCoordinator groups;

  public Heartbeat(GroupCoordinator groups) {
    this.groups = groups;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.HEARTBEAT;
  }

  @Override
  public Class<HeartbeatRequest> requestType() {
    return HeartbeatRequest.class;
  }

  @Override
  public void handle(Exchange exchange, HeartbeatRequest request) {
    exchange.replyWith(groups.heartbeat(request));
  }
}
