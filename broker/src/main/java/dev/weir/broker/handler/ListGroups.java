package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.message.ListGroupsRequest;

/** ListGroups: the groups of this broker. */
public final class ListGroups implements RequestHandler<ListGroupsRequest> {
  private final GroupCoordinator groups;

  public ListGroups(GroupCoordinator groups) {
    this.groups = groups;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.LIST_GROUPS;
  }

  @Override
  public Class<ListGroupsRequest> requestType() {
    return ListGroupsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, ListGroupsRequest request) {
    exchange.replyWith(groups.listGroups(request));
  }
}
