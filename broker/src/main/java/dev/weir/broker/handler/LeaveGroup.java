package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.message.LeaveGroupRequest;

/** LeaveGroup: members leave their group. */
public final class LeaveGroup implements RequestHandler<LeaveGroupRequest> {
  private final GroupCoordinator groups;

  public LeaveGroup(GroupCoordinator groups) {
    this.groups = groups;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.LEAVE_GROUP;
  }

  @Override
  public Class<LeaveGroupRequest> requestType() {
    return LeaveGroupRequest.class;
  }

  @Override
  public void handle(Exchange exchange, LeaveGroupRequest request) {
    exchange.replyWith(groups.leave(request, Callers.of(exchange)));
  }
}
