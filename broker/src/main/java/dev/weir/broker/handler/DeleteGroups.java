package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.message.DeleteGroupsRequest;

/** DeleteGroups: deletes groups without members. */
public final class DeleteGroups implements RequestHandler<DeleteGroupsRequest> {
  private final GroupCoordinator groups;

  public DeleteGroups(GroupCoordinator groups) {
    this.groups = groups;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.DELETE_GROUPS;
  }

  @Override
  public Class<DeleteGroupsRequest> requestType() {
    return DeleteGroupsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, DeleteGroupsRequest request) {
    exchange.replyWith(groups.deleteGroups(request));
  }
}
