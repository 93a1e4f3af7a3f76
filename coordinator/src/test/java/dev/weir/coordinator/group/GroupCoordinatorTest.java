package dev.weir.coordinator.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.machine.BatchTooLargeException;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.DescribeGroupsRequest;
import dev.weir.protocol.message.DescribeGroupsResponse.DescribedGroup;
import dev.weir.protocol.message.HeartbeatRequest;
import dev.weir.protocol.message.JoinGroupRequest;
import dev.weir.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import dev.weir.protocol.message.JoinGroupResponse;
import dev.weir.protocol.message.ListGroupsRequest;
import dev.weir.protocol.message.OffsetCommitRequest;
import dev.weir.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import dev.weir.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import dev.weir.protocol.message.OffsetFetchRequest;
import dev.weir.protocol.message.SyncGroupRequest;
import dev.weir.protocol.message.SyncGroupRequest.SyncGroupRequestAssignment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the facade adds to the machine: routing, loading, losing, and the edges of the messages. */
class GroupCoordinatorTest {
  private final SimulatedCoordinator node = new SimulatedCoordinator(GroupSettings.DEFAULT);

  @Test
  void groupsFallToPartitionsAsInKafka() {
    assertThat(GroupPartitions.partitionFor("my-group", 50)).isEqualTo(12);
    assertThat(GroupPartitions.partitionFor("", 50)).isZero();
    // The hash code that has no absolute value.
    assertThat("polygenelubricants".hashCode()).isEqualTo(Integer.MIN_VALUE);
    assertThat(GroupPartitions.partitionFor("polygenelubricants", 50)).isZero();
  }

  @Test
  void lookingDoesNotCreateTheTopic() {
    node.answer(node.coordinator().listGroups(ListGroupsRequest.DEFAULT));
    node.answer(
        node.coordinator()
            .describeGroups(
                DescribeGroupsRequest.DEFAULT.withGroups(List.of("g")),
                SimulatedCoordinator.caller(6, "c")));
    assertThat(fetch(1)).isEqualTo(-1);
    assertThat(node.partitionCount()).isEmpty();
  }

  @Test
  void aPartitionThatIsLostIsLoadedAgainWhenNeeded() {
    node.createTopic("t");
    assertThat(commit(1, 5)).isEqualTo(ErrorCode.NONE.code());
    node.logs.forEach(log -> log.loseLeadership());
    assertThat(commit(1, 6)).isEqualTo(ErrorCode.NOT_COORDINATOR.code());
    assertThat(commit(1, 7)).isEqualTo(ErrorCode.NONE.code());
    assertThat(fetch(1)).isEqualTo(7);
  }

  @Test
  void whoWaitsWhenAPartitionIsGivenUpIsToldToLookElsewhere() {
    JoinGroupResponse first = node.answer(join("a", ""));
    CompletableFuture<JoinGroupResponse> second = join("b", "");
    node.executor.runAll();
    assertThat(first.errorCode()).isEqualTo(ErrorCode.NONE.code());
    assertThat(second).isNotDone();
    int partition = node.answer(node.coordinator().partitionFor("g"));
    node.answer(node.coordinator().resign(partition, "another node leads"));
    assertThat(node.answer(second).errorCode()).isEqualTo(ErrorCode.NOT_COORDINATOR.code());
  }

  @Test
  void aCommitTooLargeForTheLogIsRefusedAsSuchAndOnlyIt() {
    node.createTopic("t");
    assertThat(commit(1, 5)).isEqualTo(ErrorCode.NONE.code());
    node.logs.forEach(log -> log.failNextAppend(new BatchTooLargeException("too large")));
    assertThat(commit(1, 6)).isEqualTo(ErrorCode.INVALID_COMMIT_OFFSET_SIZE.code());
    assertThat(fetch(1)).isEqualTo(5);
  }

  /** Flexible requests carry longer strings than the group's records have room for. */
  @Test
  void aGroupThatNoRecordCanHoldIsRefusedAndOnlyIt() {
    node.createTopic("t");
    assertThat(commit(1, 5)).isEqualTo(ErrorCode.NONE.code());
    OffsetCommitRequest tooLong =
        OffsetCommitRequest.DEFAULT
            .withGroupId("g".repeat(40_000))
            .withTopics(
                List.of(
                    new OffsetCommitRequestTopic(
                        "t",
                        new UUID(0, 0),
                        List.of(new OffsetCommitRequestPartition(0, 5, -1, "")))));
    assertThat(
            node.answer(
                    node.coordinator().commitOffsets(tooLong, SimulatedCoordinator.caller(9, "c")))
                .topics()
                .getFirst()
                .partitions()
                .getFirst()
                .errorCode())
        .isNotEqualTo(ErrorCode.NONE.code());
    assertThat(fetch(1)).isEqualTo(5);
    assertThat(commit(1, 6)).isEqualTo(ErrorCode.NONE.code());
  }

  @Test
  void metadataThatIsTooLongIsRefusedPartitionByPartition() {
    node.createTopic("t");
    OffsetCommitRequest request =
        OffsetCommitRequest.DEFAULT
            .withGroupId("g")
            .withTopics(
                List.of(
                    new OffsetCommitRequestTopic(
                        "t",
                        new UUID(0, 0),
                        List.of(
                            new OffsetCommitRequestPartition(0, 5, -1, "x".repeat(4096)),
                            new OffsetCommitRequestPartition(1, 6, -1, "x".repeat(4097))))));
    assertThat(
            node
                .answer(
                    node.coordinator().commitOffsets(request, SimulatedCoordinator.caller(9, "c")))
                .topics()
                .getFirst()
                .partitions()
                .stream()
                .map(p -> p.errorCode()))
        .containsExactly(ErrorCode.NONE.code(), ErrorCode.OFFSET_METADATA_TOO_LARGE.code());
  }

  @Test
  void aDeletedTopicIsForgottenHoweverManyOffsetsItHas() {
    node.createTopic("t");
    int partitions = 2 * GroupMachine.REMOVALS_MAX + 1;
    for (int i = 0; i < partitions; i++) {
      commit(i, i);
    }
    node.topicIds.remove("t");
    node.answer(node.coordinator().topicDeleted("t"));
    List<StoredRecord> stored =
        IntStream.range(0, node.logs.size()).mapToObj(node::stored).flatMap(List::stream).toList();
    assertThat(stored.stream().filter(r -> r instanceof StoredRecord.OffsetRemoved))
        .hasSize(partitions);
  }

  @Test
  void whatAMemberSaidOutlivesItsRequest() {
    byte[] metadata = "mine".getBytes(StandardCharsets.UTF_8);
    byte[] assignment = "yours".getBytes(StandardCharsets.UTF_8);
    JoinGroupRequest join =
        JoinGroupRequest.DEFAULT
            .withGroupId("g")
            .withProtocolType("consumer")
            .withSessionTimeoutMs(10_000)
            .withProtocols(
                List.of(new JoinGroupRequestProtocol("range", ByteBuffer.wrap(metadata))));
    JoinGroupResponse joined =
        node.answer(node.coordinator().join(join, SimulatedCoordinator.caller(3, "c")));
    SyncGroupRequest sync =
        SyncGroupRequest.DEFAULT
            .withGroupId("g")
            .withGenerationId(1)
            .withMemberId(joined.memberId())
            .withAssignments(
                List.of(
                    new SyncGroupRequestAssignment(
                        joined.memberId(), ByteBuffer.wrap(assignment))));
    node.answer(node.coordinator().sync(sync, SimulatedCoordinator.caller(3, "c")));
    metadata[0] = 'x';
    assignment[0] = 'x';
    DescribedGroup described =
        node.answer(
                node.coordinator()
                    .describeGroups(
                        DescribeGroupsRequest.DEFAULT.withGroups(List.of("g")),
                        SimulatedCoordinator.caller(6, "c")))
            .groups()
            .getFirst();
    assertThat(text(described.members().getFirst().memberMetadata())).isEqualTo("mine");
    assertThat(text(described.members().getFirst().memberAssignment())).isEqualTo("yours");
  }

  @Test
  void loadingBeginsTheSessionsOfAllGroups() {
    JoinGroupResponse joined = node.answer(join("a", ""));
    SyncGroupRequest sync =
        SyncGroupRequest.DEFAULT
            .withGroupId("g")
            .withGenerationId(1)
            .withMemberId(joined.memberId());
    node.answer(node.coordinator().sync(sync, SimulatedCoordinator.caller(3, "a")));
    node.restart();
    node.answer(node.coordinator().load());
    node.advanceBy(10_100);
    HeartbeatRequest beat =
        HeartbeatRequest.DEFAULT
            .withGroupId("g")
            .withGenerationId(1)
            .withMemberId(joined.memberId());
    assertThat(node.answer(node.coordinator().heartbeat(beat)).errorCode())
        .isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID.code());
  }

  private CompletableFuture<JoinGroupResponse> join(String client, String memberId) {
    return node.coordinator()
        .join(
            JoinGroupRequest.DEFAULT
                .withGroupId("g")
                .withMemberId(memberId)
                .withProtocolType("consumer")
                .withSessionTimeoutMs(10_000)
                .withProtocols(
                    List.of(new JoinGroupRequestProtocol("range", ByteBuffer.allocate(0)))),
            SimulatedCoordinator.caller(3, client));
  }

  private short commit(int partition, long offset) {
    OffsetCommitRequest request =
        OffsetCommitRequest.DEFAULT
            .withGroupId("g")
            .withTopics(
                List.of(
                    new OffsetCommitRequestTopic(
                        "t",
                        new UUID(0, 0),
                        List.of(new OffsetCommitRequestPartition(partition, offset, -1, null)))));
    return node.answer(
            node.coordinator().commitOffsets(request, SimulatedCoordinator.caller(9, "c")))
        .topics()
        .getFirst()
        .partitions()
        .getFirst()
        .errorCode();
  }

  private long fetch(int partition) {
    OffsetFetchRequest request =
        OffsetFetchRequest.DEFAULT
            .withGroupId("g")
            .withTopics(
                List.of(new OffsetFetchRequest.OffsetFetchRequestTopic("t", List.of(partition))));
    return node.answer(
            node.coordinator().fetchOffsets(request, SimulatedCoordinator.caller(7, "c")))
        .topics()
        .getFirst()
        .partitions()
        .getFirst()
        .committedOffset();
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
