package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.message.DescribeGroupsRequest;
import dev.weir.protocol.message.DescribeGroupsResponse;

/** DescribeGroups: members and state of groups. */
public final class DescribeGroups implements RequestHandler<DescribeGroupsRequest> {
  private final GroupCoordinator groups;

  public DescribeGroups(GroupCoordinator groups) {
    this.groups = groups;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.DESCRIBE_GROUPS;
  }

  @Override
  public Class<DescribeGroupsRequest> requestType() {
    return DescribeGroupsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, DescribeGroupsRequest request) {
    exchange.replyWith(
        groups
            .describeGroups(request, Callers.of(exchange))
            .thenApply(
                response ->
                    request.includeAuthorizedOperations() ? withOperations(response) : response));
  }

  private static DescribeGroupsResponse withOperations(DescribeGroupsResponse response) {
    return response.withGroups(
        response.groups().stream()
            .map(group -> group.withAuthorizedOperations(Operations.ON_GROUP))
            .toList());
  }
}
