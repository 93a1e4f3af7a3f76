package dev.weir.coordinator.group;

import dev.weir.coordinator.TopicNames;
import dev.weir.coordinator.group.GroupCommand.CommitOffsets;
import dev.weir.coordinator.group.GroupCommand.OffsetToCommit;
import dev.weir.coordinator.group.GroupReply.CommitReply;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.OffsetCommitRequest;
import dev.weir.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import dev.weir.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import dev.weir.protocol.message.OffsetCommitResponse;
import dev.weir.protocol.message.OffsetCommitResponse.OffsetCommitResponsePartition;
import dev.weir.protocol.message.OffsetCommitResponse.OffsetCommitResponseTopic;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * One OffsetCommit request: its topics are looked up once, so that command and response agree on
 * which of them exist. Immutable.
 */
final class OffsetCommit {
  /** From here on topics are named by id. */
  private static final short TOPIC_ID_VERSION = 10;

  /** From here on a missing group has an error of its own. */
  private static final short GROUP_NOT_FOUND_VERSION = 9;

  /** A topic of the request that exists. */
  private record Found(String name, UUID id) {}

  private final OffsetCommitRequest request;
  private final short version;

  /** What the request's topics are, in their order; empty where there is none. */
  private final List<Optional<Found>> found;

  OffsetCommit(OffsetCommitRequest request, short version, TopicNames topics) {
    this.request = request;
    this.version = version;
    this.found = request.topics().stream().map(topic -> find(topic, version, topics)).toList();
  }

  private static Optional<Found> find(
      OffsetCommitRequestTopic topic, short version, TopicNames topics) {
    return version >= TOPIC_ID_VERSION
        ? topics.nameOf(topic.topicId()).map(name -> new Found(name, topic.topicId()))
        : topics.idOf(topic.name()).map(id -> new Found(topic.name(), id));
  }

  /** Whether the request names topics, and none of them exists: there is nothing to decide. */
  boolean isEmpty() {
    return !found.isEmpty() && found.stream().allMatch(Optional::isEmpty);
  }

  CommitOffsets command(long nowMs) {
    List<OffsetToCommit> offsets = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      Found topic = found.get(i).orElse(null);
      if (topic != null) {
        for (OffsetCommitRequestPartition partition : request.topics().get(i).partitions()) {
          offsets.add(offset(topic, partition, nowMs));
        }
      }
    }
    return new CommitOffsets(
        request.groupId(),
        new MemberIdentity(request.memberId(), request.groupInstanceId()),
        request.generationIdOrMemberEpoch(),
        offsets,
        nowMs);
  }

  private OffsetToCommit offset(Found topic, OffsetCommitRequestPartition partition, long nowMs) {
    String metadata = partition.committedMetadata();
    return new OffsetToCommit(
        topic.name(),
        partition.partitionIndex(),
        new CommittedOffset(
            partition.committedOffset(),
            partition.committedLeaderEpoch(),
            metadata == null ? "" : metadata,
            nowMs,
            request.retentionTimeMs() < 0
                ? CommittedOffset.NO_EXPIRY
                : nowMs + request.retentionTimeMs(),
            topic.id()));
  }

  OffsetCommitResponse response(CommitReply reply) {
    return switch (reply) {
      case GroupReply.OffsetsCommitted(List<ErrorCode> errors) -> response(errors.iterator());
      case GroupReply.CommitRefused(ErrorCode error) -> response(error);
    };
  }

  /** The response where one error holds for the whole commit. */
  OffsetCommitResponse response(ErrorCode error) {
    ErrorCode told =
        error == ErrorCode.GROUP_ID_NOT_FOUND && version < GROUP_NOT_FOUND_VERSION
            ? ErrorCode.ILLEGAL_GENERATION
            : error;
    return response(Stream.generate(() -> told).iterator());
  }

  OffsetCommitResponse responseWithoutCommit() {
    return response(List.<ErrorCode>of().iterator());
  }

  /**
   * @param errors of the partitions of the topics that exist, in the order of the request
   */
  private OffsetCommitResponse response(Iterator<ErrorCode> errors) {
    ErrorCode unknownTopic =
        version >= TOPIC_ID_VERSION
            ? ErrorCode.UNKNOWN_TOPIC_ID
            : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
    List<OffsetCommitResponseTopic> responses = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      OffsetCommitRequestTopic topic = request.topics().get(i);
      boolean exists = found.get(i).isPresent();
      List<OffsetCommitResponsePartition> partitions = new ArrayList<>();
      for (OffsetCommitRequestPartition partition : topic.partitions()) {
        ErrorCode error = exists ? errors.next() : unknownTopic;
        partitions.add(new OffsetCommitResponsePartition(partition.partitionIndex(), error.code()));
      }
      responses.add(new OffsetCommitResponseTopic(topic.name(), topic.topicId(), partitions));
    }
    return OffsetCommitResponse.DEFAULT.withTopics(responses);
  }
}
