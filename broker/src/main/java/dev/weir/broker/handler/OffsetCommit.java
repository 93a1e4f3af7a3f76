package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.message.OffsetCommitRequest;

/** OffsetCommit: stores how far a group has read. */
public final class OffsetCommit implements RequestHandler<OffsetCommitRequest> {
  private final GroupCoordinator groups;

  public OffsetCommit(GroupCoordinator groups) {
    this.groups = groups;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.OFFSET_COMMIT;
  }

  @Override
  public Class<OffsetCommitRequest> requestType() {
    return OffsetCommitRequest.class;
  }

  @Override
  public void handle(Exchange exchange, OffsetCommitRequest request) {
    exchange.replyWith(groups.commitOffsets(request, Callers.of(exchange)));
  }
}
