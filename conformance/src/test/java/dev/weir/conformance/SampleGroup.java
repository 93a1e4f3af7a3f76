package dev.weir.conformance;

import dev.weir.protocol.ApiKey;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.DeleteGroupsRequest;
import dev.weir.protocol.message.DescribeGroupsRequest;
import dev.weir.protocol.message.FindCoordinatorRequest;
import dev.weir.protocol.message.HeartbeatRequest;
import dev.weir.protocol.message.JoinGroupRequest;
import dev.weir.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import dev.weir.protocol.message.LeaveGroupRequest;
import dev.weir.protocol.message.LeaveGroupRequest.MemberIdentity;
import dev.weir.protocol.message.ListGroupsRequest;
import dev.weir.protocol.message.OffsetCommitRequest;
import dev.weir.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import dev.weir.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import dev.weir.protocol.message.OffsetDeleteRequest;
import dev.weir.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestPartition;
import dev.weir.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestTopic;
import dev.weir.protocol.message.OffsetFetchRequest;
import dev.weir.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import dev.weir.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopic;
import dev.weir.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import dev.weir.protocol.message.SyncGroupRequest;
import dev.weir.protocol.message.SyncGroupRequest.SyncGroupRequestAssignment;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.SyncGroupResponse;

/**
 * A group with one member, which it joined through the requests that it is asked for later.
 *
 * @param topic a topic whose offsets the group commits
 */
record SampleGroup(String id, String memberId, int generation, String topic, UUID topicId) {
  private static final String PROTOCOL_TYPE = "consumer";
  private static final String PROTOCOL = "range";
  private static final int TIMEOUT_MS = 30_000;
  private static final int JOIN_VERSION = 9;
  private static final int SYNC_VERSION = 5;
  private static final int FIRST_MEMBER_ID_REQUIRED = 4;

  /** Has a member join a new group, up to the version of JoinGroup that is asked for. */
  static SampleGroup join(
      RawConnection connection, String id, String topic, UUID topicId, int version) {
    JoinGroupResponse first = connection.ask(joinRequest(id, ""), version, JoinGroupResponse.class);
    JoinGroupResponse joined =
        version < FIRST_MEMBER_ID_REQUIRED
            ? first
            : connection.ask(
                joinRequest(id, first.data().memberId()), version, JoinGroupResponse.class);
    if (joined.data().errorCode() != 0) {
      throw new AssertionError("JoinGroup version " + version + ": " + joined.error());
    }
    return new SampleGroup(
        id, joined.data().memberId(), joined.data().generationId(), topic, topicId);
  }

  /** A group whose member has joined and got its part. */
  static SampleGroup stable(RawConnection connection, String id, String topic, UUID topicId) {
    SampleGroup group = join(connection, id, topic, topicId, JOIN_VERSION);
    SyncGroupResponse synced =
        connection.ask(group.sync(SYNC_VERSION), SYNC_VERSION, SyncGroupResponse.class);
    if (synced.data().errorCode() != 0) {
      throw new AssertionError("SyncGroup: " + synced.error());
    }
    return group;
  }

  /** A request about this group; empty for an API that is not about groups. */
  Optional<RequestMessage> of(ApiKey key, int version) {
    return switch (key) {
      case FIND_COORDINATOR -> Optional.of(findCoordinator(version));
      case HEARTBEAT -> Optional.of(new HeartbeatRequest(id, generation, memberId, null));
      case LEAVE_GROUP -> Optional.of(leave(version));
      case SYNC_GROUP -> Optional.of(sync(version));
      case OFFSET_COMMIT -> Optional.of(commit(version));
      case OFFSET_FETCH -> Optional.of(fetchOffsets(version));
      case OFFSET_DELETE -> Optional.of(deleteOffset());
      case LIST_GROUPS -> Optional.of(ListGroupsRequest.DEFAULT);
      case DESCRIBE_GROUPS -> Optional.of(DescribeGroupsRequest.DEFAULT.withGroups(List.of(id)));
      case DELETE_GROUPS -> Optional.of(new DeleteGroupsRequest(List.of(id)));
      default -> Optional.empty();
    };
  }

  /** The member joins once more, which for the only member is a rebalance of its own. */
  RequestMessage joinAgain() {
    return joinRequest(id, memberId);
  }

  private static RequestMessage joinRequest(String group, String memberId) {
    return JoinGroupRequest.DEFAULT
        .withGroupId(group)
        .withMemberId(memberId)
        .withSessionTimeoutMs(TIMEOUT_MS)
        .withRebalanceTimeoutMs(TIMEOUT_MS)
        .withProtocolType(PROTOCOL_TYPE)
        .withProtocols(List.of(new JoinGroupRequestProtocol(PROTOCOL, SampleRequests.noBytes())));
  }

  private RequestMessage findCoordinator(int version) {
    return version >= 4
        ? FindCoordinatorRequest.DEFAULT.withCoordinatorKeys(List.of(id))
        : FindCoordinatorRequest.DEFAULT.withKey(id);
  }

  private RequestMessage sync(int version) {
    SyncGroupRequest request =
        SyncGroupRequest.DEFAULT
            .withGroupId(id)
            .withGenerationId(generation)
            .withMemberId(memberId)
            .withAssignments(
                List.of(new SyncGroupRequestAssignment(memberId, SampleRequests.noBytes())));
    return version >= 5
        ? request.withProtocolType(PROTOCOL_TYPE).withProtocolName(PROTOCOL)
        : request;
  }

  private RequestMessage leave(int version) {
    LeaveGroupRequest request = LeaveGroupRequest.DEFAULT.withGroupId(id);
    return version >= 3
        ? request.withMembers(List.of(MemberIdentity.DEFAULT.withMemberId(memberId)))
        : request.withMemberId(memberId);
  }

  RequestMessage commit(int version) {
    boolean byId = version >= 10;
    return OffsetCommitRequest.DEFAULT
        .withGroupId(id)
        .withMemberId(memberId)
        .withGenerationIdOrMemberEpoch(generation)
        .withTopics(
            List.of(
                new OffsetCommitRequestTopic(
                    byId ? "" : topic,
                    byId ? topicId : Uuids.ZERO,
                    List.of(
                        OffsetCommitRequestPartition.DEFAULT
                            .withCommittedOffset(1)
                            .withCommittedMetadata("a note")))));
  }

  private RequestMessage fetchOffsets(int version) {
    if (version < 8) {
      return OffsetFetchRequest.DEFAULT
          .withGroupId(id)
          .withTopics(List.of(new OffsetFetchRequestTopic(topic, List.of(0))));
    }
    boolean byId = version >= 10;
    OffsetFetchRequestTopics topics =
        new OffsetFetchRequestTopics(byId ? "" : topic, byId ? topicId : Uuids.ZERO, List.of(0));
    return OffsetFetchRequest.DEFAULT.withGroups(
        List.of(OffsetFetchRequestGroup.DEFAULT.withGroupId(id).withTopics(List.of(topics))));
  }

  private RequestMessage deleteOffset() {
    return new OffsetDeleteRequest(
        id,
        List.of(new OffsetDeleteRequestTopic(topic, List.of(new OffsetDeleteRequestPartition(0)))));
  }
}
