package dev.weir.coordinator.group;

import dev.weir.coordinator.Caller;
import dev.weir.coordinator.TopicNames;
import dev.weir.coordinator.group.GroupCommand.DeleteOffsets;
import dev.weir.coordinator.group.GroupCommand.Heartbeat;
import dev.weir.coordinator.group.GroupCommand.Join;
import dev.weir.coordinator.group.GroupCommand.JoinStyle;
import dev.weir.coordinator.group.GroupCommand.Leave;
import dev.weir.coordinator.group.GroupCommand.Sync;
import dev.weir.coordinator.group.GroupCommand.TopicPartition;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.HeartbeatRequest;
import dev.weir.protocol.message.JoinGroupRequest;
import dev.weir.protocol.message.LeaveGroupRequest;
import dev.weir.protocol.message.OffsetDeleteRequest;
import dev.weir.protocol.message.SyncGroupRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Requests as commands, and what of them can be refused without looking at a group. Commands don't
 * refer to the requests' buffers.
 */
final class GroupRequests {
  /** From here on a dynamic member gets its member id before it joins. */
  private static final short JOIN_MEMBER_ID_FIRST_VERSION = 4;

  private static final short JOIN_SKIP_ASSIGNMENT_VERSION = 9;

  /** From here on the sender says which protocol it takes for the group's. */
  private static final short SYNC_PROTOCOL_VERSION = 5;

  /** From here on a request takes out several members. */
  private static final short LEAVE_SEVERAL_VERSION = 3;

  private GroupRequests() {}

  static ErrorCode check(JoinGroupRequest request, GroupSettings settings) {
    if (request.groupId().isEmpty()) {
      return ErrorCode.INVALID_GROUP_ID;
    }
    return request.sessionTimeoutMs() < settings.minSessionTimeoutMs()
            || request.sessionTimeoutMs() > settings.maxSessionTimeoutMs()
        ? ErrorCode.INVALID_SESSION_TIMEOUT
        : ErrorCode.NONE;
  }

  /** What to call the sender of a join that has no member id yet; else its id. */
  static String freshMemberId(JoinGroupRequest request, Caller caller, Supplier<UUID> ids) {
    if (!request.memberId().equals(MemberIdentity.NO_MEMBER_ID)) {
      return request.memberId();
    }
    String instanceId = request.groupInstanceId();
    return (instanceId == null ? caller.clientId() : instanceId) + "-" + ids.get();
  }

  static Join join(JoinGroupRequest request, Caller caller, String freshMemberId, long nowMs) {
    // Version 0 has no rebalance timeout: the session's stands for it.
    int rebalanceTimeoutMs =
        request.rebalanceTimeoutMs() < 0
            ? request.sessionTimeoutMs()
            : request.rebalanceTimeoutMs();
    List<MemberProtocol> protocols =
        request.protocols().stream()
            .map(protocol -> new MemberProtocol(protocol.name(), Blob.copyOf(protocol.metadata())))
            .toList();
    return new Join(
        request.groupId(),
        new MemberIdentity(request.memberId(), request.groupInstanceId()),
        freshMemberId,
        new Client(caller.clientId(), caller.clientHost()),
        new JoinTerms(
            request.sessionTimeoutMs(), rebalanceTimeoutMs, request.protocolType(), protocols),
        style(caller.version()),
        nowMs);
  }

  private static JoinStyle style(short version) {
    if (version >= JOIN_SKIP_ASSIGNMENT_VERSION) {
      return JoinStyle.MAY_SKIP_ASSIGNMENT;
    }
    return version >= JOIN_MEMBER_ID_FIRST_VERSION ? JoinStyle.MEMBER_ID_FIRST : JoinStyle.ONE_STEP;
  }

  static ErrorCode check(SyncGroupRequest request, short version) {
    if (request.groupId().isEmpty()) {
      return ErrorCode.INVALID_GROUP_ID;
    }
    return version >= SYNC_PROTOCOL_VERSION
            && (request.protocolType() == null || request.protocolName() == null)
        ? ErrorCode.INCONSISTENT_GROUP_PROTOCOL
        : ErrorCode.NONE;
  }

  static Sync sync(SyncGroupRequest request, long nowMs) {
    Map<String, Blob> assignmentByMemberId = new HashMap<>();
    for (SyncGroupRequest.SyncGroupRequestAssignment assignment : request.assignments()) {
      assignmentByMemberId.put(assignment.memberId(), Blob.copyOf(assignment.assignment()));
    }
    return new Sync(
        request.groupId(),
        new MemberIdentity(request.memberId(), request.groupInstanceId()),
        request.generationId(),
        request.protocolType(),
        request.protocolName(),
        assignmentByMemberId,
        nowMs);
  }

  static Heartbeat heartbeat(HeartbeatRequest request, long nowMs) {
    return new Heartbeat(
        request.groupId(),
        new MemberIdentity(request.memberId(), request.groupInstanceId()),
        request.generationId(),
        nowMs);
  }

  static Leave leave(LeaveGroupRequest request, short version, long nowMs) {
    List<MemberIdentity> leaving =
        version < LEAVE_SEVERAL_VERSION
            ? List.of(MemberIdentity.dynamic(request.memberId()))
            : request.members().stream()
                .map(member -> new MemberIdentity(member.memberId(), member.groupInstanceId()))
                .toList();
    return new Leave(request.groupId(), leaving, nowMs);
  }

  static DeleteOffsets deleteOffsets(OffsetDeleteRequest request, TopicNames topics) {
    return new DeleteOffsets(
        request.groupId(),
        request.topics().stream()
            .filter(topic -> topics.idOf(topic.name()).isPresent())
            .flatMap(
                topic ->
                    topic.partitions().stream()
                        .map(p -> new TopicPartition(topic.name(), p.partitionIndex())))
            .toList());
  }
}
