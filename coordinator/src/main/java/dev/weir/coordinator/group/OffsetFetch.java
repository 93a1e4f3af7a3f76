package dev.weir.coordinator.group;

import dev.weir.coordinator.TopicNames;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.OffsetFetchRequest;
import dev.weir.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import dev.weir.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopic;
import dev.weir.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import dev.weir.protocol.message.OffsetFetchResponse;
import dev.weir.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import dev.weir.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartition;
import dev.weir.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import dev.weir.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopic;
import dev.weir.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Answers OffsetFetch, whose older versions ask for one group only: within, all have the shape of
 * the newer ones. An offset that was committed for a deleted topic is none, though a topic of that
 * name may exist again.
 */
final class OffsetFetch {
  private static final long NO_OFFSET = -1;

  /** From here on an error of the whole has a field of its own. */
  private static final short ERROR_VERSION = 2;

  /** From here on a request asks for several groups. */
  private static final short SEVERAL_GROUPS_VERSION = 8;

  /** From here on topics are named by id. */
  private static final short TOPIC_ID_VERSION = 10;

  private final TopicNames topics;
  private final short version;

  OffsetFetch(TopicNames topics, short version) {
    this.topics = topics;
    this.version = version;
  }

  /** What is asked for, group by group. */
  static List<OffsetFetchRequestGroup> groups(OffsetFetchRequest request, short version) {
    if (version >= SEVERAL_GROUPS_VERSION) {
      return request.groups();
    }
    List<OffsetFetchRequestTopic> named = request.topics();
    return List.of(
        OffsetFetchRequestGroup.DEFAULT
            .withGroupId(request.groupId())
            .withTopics(
                named == null
                    ? null
                    : named.stream()
                        .map(
                            topic ->
                                OffsetFetchRequestTopics.DEFAULT
                                    .withName(topic.name())
                                    .withPartitionIndexes(topic.partitionIndexes()))
                        .toList()));
  }

  OffsetFetchResponseGroup response(OffsetFetchRequestGroup group, OffsetTable offsets) {
    List<OffsetFetchRequestTopics> asked = group.topics();
    return OffsetFetchResponseGroup.DEFAULT
        .withGroupId(group.groupId())
        .withTopics(
            asked == null
                ? offsets.byTopic().entrySet().stream()
                    .flatMap(topic -> all(topic.getKey(), topic.getValue()).stream())
                    .toList()
                : asked.stream().map(topic -> named(topic, offsets)).toList());
  }

  /** All offsets of a topic; empty where the topic is gone. */
  private Optional<OffsetFetchResponseTopics> all(
      String name, Map<Integer, CommittedOffset> offsets) {
    Optional<UUID> id = topics.idOf(name);
    List<OffsetFetchResponsePartitions> partitions =
        offsets.entrySet().stream()
            .filter(offset -> Offsets.isFor(id, offset.getValue()))
            .map(offset -> partition(offset.getKey(), offset.getValue(), ErrorCode.NONE))
            .toList();
    return partitions.isEmpty()
        ? Optional.empty()
        : id.map(topicId -> new OffsetFetchResponseTopics(name, topicId, partitions));
  }

  private OffsetFetchResponseTopics named(OffsetFetchRequestTopics asked, OffsetTable offsets) {
    Optional<String> name =
        version >= TOPIC_ID_VERSION ? topics.nameOf(asked.topicId()) : Optional.of(asked.name());
    Optional<UUID> id = name.flatMap(topics::idOf);
    ErrorCode error = name.isPresent() ? ErrorCode.NONE : ErrorCode.UNKNOWN_TOPIC_ID;
    return new OffsetFetchResponseTopics(
        asked.name(),
        asked.topicId(),
        asked.partitionIndexes().stream()
            .map(
                index ->
                    partition(
                        index,
                        name.flatMap(topic -> offsets.offset(topic, index))
                            .filter(offset -> Offsets.isFor(id, offset))
                            .orElse(null),
                        error))
            .toList());
  }

  private static OffsetFetchResponsePartitions partition(
      int index, @Nullable CommittedOffset offset, ErrorCode error) {
    return offset == null
        ? new OffsetFetchResponsePartitions(
            index, NO_OFFSET, CommittedOffset.NO_LEADER_EPOCH, "", error.code())
        : new OffsetFetchResponsePartitions(
            index, offset.offset(), offset.leaderEpoch(), offset.metadata(), error.code());
  }

  /** What a group's reader gets whose coordinator failed. */
  OffsetFetchResponseGroup refused(OffsetFetchRequestGroup group, ErrorCode error) {
    OffsetFetchResponseGroup refused =
        OffsetFetchResponseGroup.DEFAULT.withGroupId(group.groupId()).withErrorCode(error.code());
    List<OffsetFetchRequestTopics> asked = group.topics();
    return version >= ERROR_VERSION || asked == null
        ? refused
        : refused.withTopics(
            asked.stream()
                .map(
                    topic ->
                        new OffsetFetchResponseTopics(
                            topic.name(),
                            topic.topicId(),
                            topic.partitionIndexes().stream()
                                .map(index -> partition(index, null, error))
                                .toList()))
                .toList());
  }

  /** Puts the groups' answers into the shape of the version. */
  static OffsetFetchResponse response(List<OffsetFetchResponseGroup> groups, short version) {
    if (version >= SEVERAL_GROUPS_VERSION) {
      return OffsetFetchResponse.DEFAULT.withGroups(groups);
    }
    OffsetFetchResponseGroup group = groups.getFirst();
    return OffsetFetchResponse.DEFAULT
        .withErrorCode(group.errorCode())
        .withTopics(
            group.topics().stream()
                .map(
                    topic ->
                        new OffsetFetchResponseTopic(
                            topic.name(),
                            topic.partitions().stream()
                                .map(
                                    p ->
                                        new OffsetFetchResponsePartition(
                                            p.partitionIndex(),
                                            p.committedOffset(),
                                            p.committedLeaderEpoch(),
                                            p.metadata(),
                                            p.errorCode()))
                                .toList()))
                .toList());
  }
}
