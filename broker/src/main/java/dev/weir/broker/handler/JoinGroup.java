package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.message.JoinGroupRequest;

/** JoinGroup: a member joins its group; the answer waits for the others. */
public final class JoinGroup implements RequestHandler<JoinGroupRequest> {
  private final GroupCoordinator groups;

  public JoinGroup(GroupCoordinator groups) {
    this.groups = groups;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.JOIN_GROUP;
  }

  @Override
  public Class<JoinGroupRequest> requestType() {
    return JoinGroupRequest.class;
  }

  @Override
  public void handle(Exchange exchange, JoinGroupRequest request) {
    exchange.replyWith(groups.join(request, Callers.of(exchange)));
  }
}
