package dev.weir.conformance;

import dev.weir.protocol.message.JoinGroupRequest;
import dev.weir.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.requests.JoinGroupResponse;

/**
 * A member of a consumer group that joins and then is never heard of again, as one whose process
 * has died: its connection stays open, so that only its session's end can tell.
 */
final class SilentMember {
  private static final int JOIN_VERSION = 9;
  private static final int SESSION_MS = 6_000;
  private static final String ASSIGNOR = "range";

  private final FutureTask<JoinGroupResponse> joined;

  private SilentMember(FutureTask<JoinGroupResponse> joined) {
    this.joined = joined;
  }

  /** Asks to join; the answer comes when the others have joined again. */
  static SilentMember joining(RawConnection connection, String group, String topic) {
    ByteBuffer subscription =
        ConsumerProtocol.serializeSubscription(new Subscription(List.of(topic)));
    JoinGroupRequest request =
        JoinGroupRequest.DEFAULT
            .withGroupId(group)
            .withSessionTimeoutMs(SESSION_MS)
            .withRebalanceTimeoutMs(SESSION_MS)
            .withProtocolType(ConsumerProtocol.PROTOCOL_TYPE)
            .withProtocols(List.of(new JoinGroupRequestProtocol(ASSIGNOR, subscription)));
    String memberId =
        connection.ask(request, JOIN_VERSION, JoinGroupResponse.class).data().memberId();
    FutureTask<JoinGroupResponse> joined =
        new FutureTask<>(
            () ->
                connection.ask(
                    request.withMemberId(memberId), JOIN_VERSION, JoinGroupResponse.class));
    Thread.ofVirtual().start(joined);
    return new SilentMember(joined);
  }

  /** Whether it has become a member. */
  boolean isIn() {
    return joined.isDone() && JavaClients.done(joined).data().errorCode() == 0;
  }
}
