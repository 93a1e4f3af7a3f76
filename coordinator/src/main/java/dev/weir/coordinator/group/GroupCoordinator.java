package dev.weir.coordinator.group;

import dev.weir.coordinator.Caller;
import dev.weir.coordinator.CoordinatorTopic;
import dev.weir.coordinator.TopicNames;
import dev.weir.coordinator.group.GroupCommand.DeleteGroup;
import dev.weir.coordinator.group.GroupCommand.DeleteOffsets;
import dev.weir.coordinator.group.GroupCommand.ForgetTopic;
import dev.weir.coordinator.group.GroupPartitions.Loaded;
import dev.weir.coordinator.group.GroupReply.CommitReply;
import dev.weir.coordinator.group.GroupReply.JoinReply;
import dev.weir.coordinator.group.GroupReply.Left;
import dev.weir.coordinator.group.GroupReply.Outcome;
import dev.weir.coordinator.group.GroupReply.SyncReply;
import dev.weir.coordinator.group.GroupReply.TopicForgotten;
import dev.weir.machine.BatchTooLargeException;
import dev.weir.machine.MachineHost;
import dev.weir.machine.MailboxFullException;
import dev.weir.machine.NotLeaderException;
import dev.weir.machine.UnwritableRecordException;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.DeleteGroupsRequest;
import dev.weir.protocol.message.DeleteGroupsResponse;
import dev.weir.protocol.message.DescribeGroupsRequest;
import dev.weir.protocol.message.DescribeGroupsResponse;
import dev.weir.protocol.message.HeartbeatRequest;
import dev.weir.protocol.message.HeartbeatResponse;
import dev.weir.protocol.message.JoinGroupRequest;
import dev.weir.protocol.message.JoinGroupResponse;
import dev.weir.protocol.message.LeaveGroupRequest;
import dev.weir.protocol.message.LeaveGroupResponse;
import dev.weir.protocol.message.ListGroupsRequest;
import dev.weir.protocol.message.ListGroupsResponse;
import dev.weir.protocol.message.OffsetCommitRequest;
import dev.weir.protocol.message.OffsetCommitResponse;
import dev.weir.protocol.message.OffsetDeleteRequest;
import dev.weir.protocol.message.OffsetDeleteResponse;
import dev.weir.protocol.message.OffsetFetchRequest;
import dev.weir.protocol.message.OffsetFetchResponse;
import dev.weir.protocol.message.SyncGroupRequest;
import dev.weir.protocol.message.SyncGroupResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordinates the groups that this node leads: takes the protocol's requests and gives its
 * responses. Authorisation and quotas are the caller's.
 *
 * <p>Thread-safe; nothing blocks. A future completes on the executor of the group's machine, or
 * within the call where the answer is at hand. It never fails: what goes wrong is an error code in
 * the response. A JoinGroup and a SyncGroup may wait for as long as other members take.
 */
public final class GroupCoordinator {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCoordinator.class);

  private final GroupSettings settings;
  private final TopicNames topics;
  private final Supplier<UUID> ids;
  private final GroupPartitions partitions;

  /**
   * @param topic {@code __consumer_offsets}, created when a group first needs it
   * @param topics the topics that offsets may be committed for
   * @param host runs the machines
   * @param ids random ids, which become part of member ids
   */
  public GroupCoordinator(
      GroupSettings settings,
      CoordinatorTopic topic,
      TopicNames topics,
      MachineHost host,
      Supplier<UUID> ids) {
    this.settings = settings;
    this.topics = topics;
    this.ids = ids;
    this.partitions =
        new GroupPartitions(topic, new GroupMachine(settings), host, this::forgetGoneTopics);
  }

  /**
   * Loads all partitions, if the topic exists, so that the sessions of their members and the expiry
   * of their offsets begin to run. A group that is asked for loads its partition anyway.
   */
  public CompletableFuture<Void> load() {
    return partitions.states().thenApply(_ -> null);
  }

  /** The partition of the offsets topic that a group belongs to, once the topic exists. */
  public CompletableFuture<Integer> partitionFor(String groupId) {
    return partitions.partitionFor(groupId);
  }

  public CompletableFuture<JoinGroupResponse> join(JoinGroupRequest request, Caller caller) {
    ErrorCode error = GroupRequests.check(request, settings);
    if (error != ErrorCode.NONE) {
      return answer(GroupResponses.joinRefused(request.memberId(), error));
    }
    String freshMemberId = GroupRequests.freshMemberId(request, caller, ids);
    return ask(
        request.groupId(),
        nowMs -> GroupRequests.join(request, caller, freshMemberId, nowMs),
        JoinReply.class,
        reply -> GroupResponses.join(reply, caller.version()),
        failure -> GroupResponses.joinRefused(request.memberId(), failure));
  }

  public CompletableFuture<SyncGroupResponse> sync(SyncGroupRequest request, Caller caller) {
    ErrorCode error = GroupRequests.check(request, caller.version());
    if (error != ErrorCode.NONE) {
      return answer(GroupResponses.syncRefused(error));
    }
    return ask(
        request.groupId(),
        nowMs -> GroupRequests.sync(request, nowMs),
        SyncReply.class,
        GroupResponses::sync,
        GroupResponses::syncRefused);
  }

  public CompletableFuture<HeartbeatResponse> heartbeat(HeartbeatRequest request) {
    if (request.groupId().isEmpty()) {
      return answer(GroupResponses.heartbeat(ErrorCode.INVALID_GROUP_ID));
    }
    return ask(
        request.groupId(),
        nowMs -> GroupRequests.heartbeat(request, nowMs),
        Outcome.class,
        reply -> GroupResponses.heartbeat(reply.error()),
        GroupResponses::heartbeat);
  }

  public CompletableFuture<LeaveGroupResponse> leave(LeaveGroupRequest request, Caller caller) {
    if (request.groupId().isEmpty()) {
      return answer(GroupResponses.leaveRefused(ErrorCode.INVALID_GROUP_ID));
    }
    return ask(
        request.groupId(),
        nowMs -> GroupRequests.leave(request, caller.version(), nowMs),
        Left.class,
        reply -> GroupResponses.leave(reply, caller.version()),
        GroupResponses::leaveRefused);
  }

  /** Commits offsets of topics that exist; the others are refused one by one. */
  public CompletableFuture<OffsetCommitResponse> commitOffsets(
      OffsetCommitRequest request, Caller caller) {
    OffsetCommit commit = new OffsetCommit(request, caller.version(), topics);
    if (commit.isEmpty()) {
      return answer(commit.responseWithoutCommit());
    }
    return ask(
        request.groupId(),
        commit::command,
        CommitReply.class,
        commit::response,
        failure ->
            commit.response(
                failure == ErrorCode.RECORD_LIST_TOO_LARGE
                    ? ErrorCode.INVALID_COMMIT_OFFSET_SIZE
                    : failure));
  }

  /** Reads the committed offsets of one or several groups. */
  public CompletableFuture<OffsetFetchResponse> fetchOffsets(
      OffsetFetchRequest request, Caller caller) {
    OffsetFetch fetch = new OffsetFetch(topics, caller.version());
    List<CompletableFuture<OffsetFetchResponse.OffsetFetchResponseGroup>> groups =
        OffsetFetch.groups(request, caller.version()).stream()
            .map(
                group ->
                    read(
                        partitions.state(group.groupId()),
                        state -> fetch.response(group, state.offsets(group.groupId())),
                        failure -> fetch.refused(group, failure)))
            .toList();
    return all(groups).thenApply(responses -> OffsetFetch.response(responses, caller.version()));
  }

  /** Lists the groups of all partitions that this node leads. */
  public CompletableFuture<ListGroupsResponse> listGroups(ListGroupsRequest request) {
    return read(
        partitions.states(),
        states -> GroupResponses.list(states, request),
        failure -> ListGroupsResponse.DEFAULT.withErrorCode(failure.code()));
  }

  /** Describes groups. The authorised operations of each are left for the caller to fill in. */
  public CompletableFuture<DescribeGroupsResponse> describeGroups(
      DescribeGroupsRequest request, Caller caller) {
    List<CompletableFuture<DescribeGroupsResponse.DescribedGroup>> groups =
        request.groups().stream()
            .map(
                groupId ->
                    read(
                        partitions.state(groupId),
                        state ->
                            GroupResponses.describe(
                                groupId, state.group(groupId), caller.version()),
                        failure ->
                            DescribeGroupsResponse.DescribedGroup.DEFAULT
                                .withGroupId(groupId)
                                .withErrorCode(failure.code())))
            .toList();
    return all(groups).thenApply(DescribeGroupsResponse.DEFAULT::withGroups);
  }

  /** Deletes groups without members, with their offsets. */
  public CompletableFuture<DeleteGroupsResponse> deleteGroups(DeleteGroupsRequest request) {
    List<CompletableFuture<DeleteGroupsResponse.DeletableGroupResult>> results =
        request.groupsNames().stream()
            .distinct()
            .map(
                groupId ->
                    ask(
                        groupId,
                        _ -> new DeleteGroup(groupId),
                        Outcome.class,
                        reply -> GroupResponses.deleted(groupId, reply.error()),
                        failure -> GroupResponses.deleted(groupId, failure)))
            .toList();
    return all(results).thenApply(DeleteGroupsResponse.DEFAULT::withResults);
  }

  /** Deletes committed offsets of a group without members. */
  public CompletableFuture<OffsetDeleteResponse> deleteOffsets(OffsetDeleteRequest request) {
    DeleteOffsets command = GroupRequests.deleteOffsets(request, topics);
    return ask(
        request.groupId(),
        _ -> command,
        Outcome.class,
        reply -> GroupResponses.offsetsDeleted(request, reply.error(), topics),
        failure -> GroupResponses.offsetsDeleted(request, failure, topics));
  }

  /**
   * Removes what was committed for a deleted topic. To be called once the metadata no longer holds
   * it. Partitions that are not loaded look for such topics when they are.
   *
   * @return completes when it is done, or given up and logged
   */
  public CompletableFuture<Void> topicDeleted(String topic) {
    return CompletableFuture.allOf(
        partitions.loaded().stream()
            .map(
                future ->
                    future
                        .thenCompose(loaded -> forget(loaded, topic))
                        // A partition that failed to load looks when it is loaded again.
                        .exceptionally(_ -> null))
            .toArray(CompletableFuture<?>[]::new));
  }

  /** Gives up a partition of the offsets topic that this node no longer leads. */
  public CompletableFuture<Void> resign(int partition, String reason) {
    return partitions.resign(partition, reason);
  }

  /** Gives up all partitions: who waits is answered NOT_COORDINATOR. */
  public CompletableFuture<Void> stop() {
    return partitions.resignAll("the node stops");
  }

  /** Topics may have gone, or gone and come again, while nobody listened. */
  private void forgetGoneTopics(Loaded loaded) {
    loaded.runner().state().offsetsById().values().stream()
        .flatMap(table -> table.byTopic().keySet().stream())
        .distinct()
        .forEach(
            topic -> {
              var _ = forget(loaded, topic);
            });
  }

  private CompletableFuture<Void> forget(Loaded loaded, String topic) {
    boolean concerned =
        loaded.runner().state().offsetsById().values().stream()
            .flatMap(table -> table.partitions(topic).values().stream())
            .anyMatch(offset -> !Offsets.isFor(topics.idOf(topic), offset));
    if (!concerned) {
      return CompletableFuture.completedFuture(null);
    }
    return partitions
        .submit(loaded, _ -> new ForgetTopic(topic, topics.idOf(topic)))
        .thenCompose(
            reply ->
                reply instanceof TopicForgotten(int removed) && removed == GroupMachine.REMOVALS_MAX
                    ? forget(loaded, topic)
                    : CompletableFuture.completedFuture(null))
        .exceptionally(
            failure -> {
              // Nobody is misled: an offset of another topic of the name is never served.
              LOG.warn(
                  "offsets of a deleted topic stay until the partition is loaded again:"
                      + " topic={} partition={}",
                  topic,
                  loaded.partition(),
                  failure);
              return null;
            });
  }

  // Futures.

  private <P extends GroupReply, T> CompletableFuture<T> ask(
      String groupId,
      LongFunction<? extends GroupCommand> command,
      Class<P> replyType,
      Function<P, T> onReply,
      Function<ErrorCode, T> onFailure) {
    return read(
        partitions.submit(groupId, command),
        reply -> onReply.apply(replyType.cast(reply)),
        onFailure);
  }

  private static <V, T> CompletableFuture<T> read(
      CompletableFuture<V> value, Function<V, T> onValue, Function<ErrorCode, T> onFailure) {
    return value.thenApply(onValue).exceptionally(failure -> onFailure.apply(errorOf(failure)));
  }

  private static <T> CompletableFuture<T> answer(T response) {
    return CompletableFuture.completedFuture(response);
  }

  private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> futures.stream().map(CompletableFuture::join).toList());
  }

  /** How a failure that is no refusal is told to a client. */
  private static ErrorCode errorOf(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return switch (cause) {
      case NotLeaderException _ -> ErrorCode.NOT_COORDINATOR;
      case MailboxFullException _ -> ErrorCode.COORDINATOR_NOT_AVAILABLE;
      case BatchTooLargeException _ -> ErrorCode.RECORD_LIST_TOO_LARGE;
      case UnwritableRecordException _ -> ErrorCode.INVALID_REQUEST;
      default -> {
        LOG.error("group request failed", cause);
        yield ErrorCode.UNKNOWN_SERVER_ERROR;
      }
    };
  }
}
