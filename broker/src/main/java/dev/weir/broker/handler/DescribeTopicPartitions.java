package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.metadata.BrokerImage;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.PartitionImage;
import dev.weir.metadata.TopicImage;
import dev.weir.metadata.TopicNames;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.DescribeTopicPartitionsRequest;
import dev.weir.protocol.message.DescribeTopicPartitionsRequest.TopicRequest;
import dev.weir.protocol.message.DescribeTopicPartitionsResponse;
import dev.weir.protocol.message.DescribeTopicPartitionsResponse.Cursor;
import dev.weir.protocol.message.DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponsePartition;
import dev.weir.protocol.message.DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * DescribeTopicPartitions (KIP-966): topics in order of their names, a page at a time; a page that
 * is full ends with a cursor, from which the next one goes on.
 */
public final class DescribeTopicPartitions
    implements RequestHandler<DescribeTopicPartitionsRequest> {
  private final Supplier<ClusterImage> image;
  private final int partitionsMax;

  /**
   * @param partitionsMax of one page, whatever the client asks for
   */
  public DescribeTopicPartitions(Supplier<ClusterImage> image, int partitionsMax) {
    this.image = image;
    this.partitionsMax = partitionsMax;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.DESCRIBE_TOPIC_PARTITIONS;
  }

  @Override
  public Class<DescribeTopicPartitionsRequest> requestType() {
    return DescribeTopicPartitionsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, DescribeTopicPartitionsRequest request) {
    ClusterImage now = image.get();
    NavigableSet<String> names = new TreeSet<>();
    request.topics().stream().map(TopicRequest::name).forEach(names::add);
    if (names.isEmpty()) {
      now.topics().all().stream().map(TopicImage::name).forEach(names::add);
    }
    DescribeTopicPartitionsRequest.Cursor from = request.cursor();
    Iterable<String> wanted = from == null ? names : names.tailSet(from.topicName(), true);
    int left = Math.min(Math.max(1, request.responsePartitionLimit()), partitionsMax);
    List<DescribeTopicPartitionsResponseTopic> topics = new ArrayList<>();
    Cursor next = null;
    for (String name : wanted) {
      if (left == 0) {
        next = new Cursor(name, 0);
        break;
      }
      int first =
          from != null && name.equals(from.topicName()) ? Math.max(0, from.partitionIndex()) : 0;
      DescribeTopicPartitionsResponseTopic topic = describe(name, first, left, now);
      topics.add(topic);
      left -= topic.partitions().size();
      int end = first + topic.partitions().size();
      if (end < now.topics().topic(name).map(TopicImage::partitionCount).orElse(0)) {
        next = new Cursor(name, end);
        break;
      }
    }
    exchange.reply(response(topics, next));
  }

  private static DescribeTopicPartitionsResponse response(
      List<DescribeTopicPartitionsResponseTopic> topics, @Nullable Cursor next) {
    return DescribeTopicPartitionsResponse.DEFAULT.withTopics(topics).withNextCursor(next);
  }

  private static DescribeTopicPartitionsResponseTopic describe(
      String name, int first, int countMax, ClusterImage now) {
    if (now.topics().topic(name).isEmpty()) {
      ErrorCode error =
          TopicNames.refusal(name).isPresent()
              ? ErrorCode.INVALID_TOPIC_EXCEPTION
              : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
      return DescribeTopicPartitionsResponseTopic.DEFAULT
          .withErrorCode(error.code())
          .withName(name)
          .withIsInternal(TopicNames.isInternal(name));
    }
    TopicImage topic = now.topics().topic(name).orElseThrow();
    return DescribeTopicPartitionsResponseTopic.DEFAULT
        .withName(name)
        .withTopicId(topic.id())
        .withIsInternal(topic.isInternal())
        .withTopicAuthorizedOperations(Operations.ON_TOPIC)
        .withPartitions(
            topic.partitions().stream()
                .filter(partition -> partition.id() >= first)
                .limit(countMax)
                .map(partition -> describe(partition, now))
                .toList());
  }

  private static DescribeTopicPartitionsResponsePartition describe(
      PartitionImage partition, ClusterImage now) {
    return new DescribeTopicPartitionsResponsePartition(
        (partition.hasLeader() ? ErrorCode.NONE : ErrorCode.LEADER_NOT_AVAILABLE).code(),
        partition.id(),
        partition.leader(),
        partition.leaderEpoch(),
        partition.replicas(),
        partition.isr(),
        partition.elr(),
        partition.lastKnownElr(),
        partition.replicas().stream()
            .filter(id -> !now.nodes().broker(id).map(BrokerImage::isActive).orElse(false))
            .toList());
  }
}
