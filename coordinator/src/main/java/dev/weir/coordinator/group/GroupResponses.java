package dev.weir.coordinator.group;

import dev.weir.coordinator.TopicNames;
import dev.weir.coordinator.group.GroupReply.Assigning;
import dev.weir.coordinator.group.GroupReply.JoinRefused;
import dev.weir.coordinator.group.GroupReply.JoinReply;
import dev.weir.coordinator.group.GroupReply.Joined;
import dev.weir.coordinator.group.GroupReply.Left;
import dev.weir.coordinator.group.GroupReply.SyncRefused;
import dev.weir.coordinator.group.GroupReply.SyncReply;
import dev.weir.coordinator.group.GroupReply.Synced;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.DeleteGroupsResponse.DeletableGroupResult;
import dev.weir.protocol.message.DescribeGroupsResponse.DescribedGroup;
import dev.weir.protocol.message.DescribeGroupsResponse.DescribedGroupMember;
import dev.weir.protocol.message.HeartbeatResponse;
import dev.weir.protocol.message.JoinGroupResponse;
import dev.weir.protocol.message.LeaveGroupResponse;
import dev.weir.protocol.message.ListGroupsRequest;
import dev.weir.protocol.message.ListGroupsResponse;
import dev.weir.protocol.message.OffsetDeleteRequest;
import dev.weir.protocol.message.OffsetDeleteResponse;
import dev.weir.protocol.message.SyncGroupResponse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The machine's replies, and its state, as responses. */
final class GroupResponses {
  /** The one type of groups that there is so far. */
  private static final String CLASSIC = "classic";

  /** From here on a missing group is an error, and an error has a message. */
  private static final short DESCRIBE_NOT_FOUND_VERSION = 6;

  private static final short LEAVE_SEVERAL_VERSION = 3;

  private GroupResponses() {}

  static JoinGroupResponse join(JoinReply reply, short version) {
    return switch (reply) {
      case Joined joined -> joined(joined, version);
      case JoinRefused(String memberId, ErrorCode error) -> joinRefused(memberId, error);
    };
  }

  private static JoinGroupResponse joined(Joined joined, short version) {
    Generation generation = joined.generation();
    String protocol = generation.protocol();
    String leader = generation.leader();
    return JoinGroupResponse.DEFAULT
        .withGenerationId(generation.number())
        .withProtocolType(generation.protocolType())
        .withProtocolName(protocol == null && version < 7 ? "" : protocol)
        .withLeader(leader == null ? "" : leader)
        .withSkipAssignment(joined.assigning() == Assigning.SKIPPED)
        .withMemberId(joined.memberId())
        .withMembers(
            joined.members().stream()
                .map(
                    member ->
                        new JoinGroupResponse.JoinGroupResponseMember(
                            member.memberId(), member.instanceId(), member.metadata().view()))
                .toList());
  }

  static JoinGroupResponse joinRefused(String memberId, ErrorCode error) {
    return JoinGroupResponse.DEFAULT.withErrorCode(error.code()).withMemberId(memberId);
  }

  static SyncGroupResponse sync(SyncReply reply) {
    return switch (reply) {
      case Synced synced ->
          SyncGroupResponse.DEFAULT
              .withProtocolType(synced.protocolType())
              .withProtocolName(synced.protocol())
              .withAssignment(synced.assignment().view());
      case SyncRefused(ErrorCode error) -> syncRefused(error);
    };
  }

  static SyncGroupResponse syncRefused(ErrorCode error) {
    return SyncGroupResponse.DEFAULT.withErrorCode(error.code());
  }

  static HeartbeatResponse heartbeat(ErrorCode error) {
    return HeartbeatResponse.DEFAULT.withErrorCode(error.code());
  }

  static LeaveGroupResponse leave(Left reply, short version) {
    if (version < LEAVE_SEVERAL_VERSION) {
      return leaveRefused(reply.members().getFirst().error());
    }
    return LeaveGroupResponse.DEFAULT.withMembers(
        reply.members().stream()
            .map(
                left ->
                    new LeaveGroupResponse.MemberResponse(
                        left.member().memberId(), left.member().instanceId(), left.error().code()))
            .toList());
  }

  static LeaveGroupResponse leaveRefused(ErrorCode error) {
    return LeaveGroupResponse.DEFAULT.withErrorCode(error.code());
  }

  static DeletableGroupResult deleted(String groupId, ErrorCode error) {
    return DeletableGroupResult.DEFAULT.withGroupId(groupId).withErrorCode(error.code());
  }

  static OffsetDeleteResponse offsetsDeleted(
      OffsetDeleteRequest request, ErrorCode error, TopicNames topics) {
    if (error != ErrorCode.NONE) {
      return OffsetDeleteResponse.DEFAULT.withErrorCode(error.code());
    }
    return OffsetDeleteResponse.DEFAULT.withTopics(
        request.topics().stream()
            .map(
                topic ->
                    new OffsetDeleteResponse.OffsetDeleteResponseTopic(
                        topic.name(),
                        topic.partitions().stream()
                            .map(
                                p ->
                                    new OffsetDeleteResponse.OffsetDeleteResponsePartition(
                                        p.partitionIndex(),
                                        deletedOffset(topic.name(), topics).code()))
                            .toList()))
            .toList());
  }

  private static ErrorCode deletedOffset(String topic, TopicNames topics) {
    return topics.idOf(topic).isPresent() ? ErrorCode.NONE : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
  }

  static ListGroupsResponse list(List<Groups> states, ListGroupsRequest request) {
    Set<String> wantedStates = lowerCase(request.statesFilter());
    Set<String> wantedTypes = lowerCase(request.typesFilter());
    boolean wanted = wantedTypes.isEmpty() || wantedTypes.contains(CLASSIC);
    return ListGroupsResponse.DEFAULT.withGroups(
        states.stream()
            .flatMap(state -> state.byId().values().stream())
            .filter(
                group ->
                    wanted
                        && (wantedStates.isEmpty()
                            || wantedStates.contains(lowerCase(group.phase().displayName()))))
            .map(
                group ->
                    new ListGroupsResponse.ListedGroup(
                        group.id(),
                        orEmpty(group.generation().protocolType()),
                        group.phase().displayName(),
                        CLASSIC))
            .toList());
  }

  private static Set<String> lowerCase(List<String> names) {
    return names.stream().map(name -> lowerCase(name.strip())).collect(Collectors.toSet());
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  static DescribedGroup describe(String groupId, Optional<ClassicGroup> found, short version) {
    if (found.isEmpty()) {
      DescribedGroup dead =
          DescribedGroup.DEFAULT.withGroupId(groupId).withGroupState(GroupPhase.DEAD);
      return version < DESCRIBE_NOT_FOUND_VERSION
          ? dead
          : dead.withErrorCode(ErrorCode.GROUP_ID_NOT_FOUND.code())
              .withErrorMessage("no group has the id " + groupId);
    }
    ClassicGroup group = found.get();
    boolean stable = group.phase() instanceof GroupPhase.Stable;
    return DescribedGroup.DEFAULT
        .withGroupId(groupId)
        .withGroupState(group.phase().displayName())
        .withProtocolType(orEmpty(group.generation().protocolType()))
        .withProtocolData(stable ? orEmpty(group.generation().protocol()) : "")
        .withMembers(
            group.members().values().stream()
                .map(member -> describe(member, stable ? group.generation().protocol() : null))
                .toList());
  }

  /** A member; what it said and got shows only where the group's protocol stands. */
  private static DescribedGroupMember describe(Member member, @Nullable String protocol) {
    DescribedGroupMember described =
        DescribedGroupMember.DEFAULT
            .withMemberId(member.id())
            .withGroupInstanceId(member.instanceId())
            .withClientId(member.client().id())
            .withClientHost(member.client().host());
    return protocol == null
        ? described
        : described
            .withMemberMetadata(member.metadata(protocol).view())
            .withMemberAssignment(member.assignment().view());
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
