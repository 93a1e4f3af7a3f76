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
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.MetadataRequest;
import dev.weir.protocol.message.MetadataRequest.MetadataRequestTopic;
import dev.weir.protocol.message.MetadataResponse;
import dev.weir.protocol.message.MetadataResponse.MetadataResponseBroker;
import dev.weir.protocol.message.MetadataResponse.MetadataResponsePartition;
import dev.weir.protocol.message.MetadataResponse.MetadataResponseTopic;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Metadata: the brokers and topics. A topic that does not exist is created where configuration and
 * client allow it, and the answer waits for that: what it tells of can be used.
 */
public final class Metadata implements RequestHandler<MetadataRequest> {
  /** From this version on no list of topics means all; before, an empty one did. */
  private static final short NULL_MEANS_ALL = 1;

  /** From this version on topics can be asked for by id, and an unknown one has no name. */
  private static final short TOPICS_BY_ID = 12;

  private static final short AUTO_CREATION_ASKED = 4;

  private final Supplier<ClusterImage> image;
  private final Addresses addresses;
  private final String clusterId;
  private final TopicsOnUse topicsOnUse;

  public Metadata(
      Supplier<ClusterImage> image,
      Addresses addresses,
      String clusterId,
      TopicsOnUse topicsOnUse) {
    this.image = image;
    this.addresses = addresses;
    this.clusterId = clusterId;
    this.topicsOnUse = topicsOnUse;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.METADATA;
  }

  @Override
  public Class<MetadataRequest> requestType() {
    return MetadataRequest.class;
  }

  @Override
  public void handle(Exchange exchange, MetadataRequest request) {
    List<MetadataRequestTopic> asked = request.topics();
    if (asked == null || (asked.isEmpty() && exchange.apiVersion() < NULL_MEANS_ALL)) {
      ClusterImage now = image.get();
      List<MetadataResponseTopic> topics =
          now.topics().all().stream().map(topic -> told(topic, request, now)).toList();
      exchange.reply(response(exchange, request, topics, now));
      return;
    }
    Set<String> missing = missing(asked, image.get());
    if (missing.isEmpty()
        || (exchange.apiVersion() >= AUTO_CREATION_ASKED && !request.allowAutoTopicCreation())) {
      exchange.reply(answer(exchange, request, asked, Map.of()));
      return;
    }
    exchange.replyWith(
        topicsOnUse
            .create(missing)
            .thenApply(refusals -> answer(exchange, request, asked, refusals)));
  }

  private MetadataResponse answer(
      Exchange exchange,
      MetadataRequest request,
      List<MetadataRequestTopic> asked,
      Map<String, ErrorCode> refusals) {
    ClusterImage now = image.get();
    List<MetadataResponseTopic> topics = new ArrayList<>(asked.size());
    for (MetadataRequestTopic topic : asked) {
      topics.add(answer(topic, request, refusals, now, exchange.apiVersion()));
    }
    return response(exchange, request, topics, now);
  }

  private static MetadataResponseTopic answer(
      MetadataRequestTopic asked,
      MetadataRequest request,
      Map<String, ErrorCode> refusals,
      ClusterImage now,
      short version) {
    String name = asked.name();
    boolean byId = !asked.topicId().equals(Uuids.ZERO);
    if (version < TOPICS_BY_ID && (name == null || byId)) {
      return failed(name == null ? "" : name, asked.topicId(), ErrorCode.INVALID_REQUEST, request);
    }
    if (byId) {
      return now.topics()
          .topic(asked.topicId())
          .map(topic -> told(topic, request, now))
          .orElseGet(() -> failed(null, asked.topicId(), ErrorCode.UNKNOWN_TOPIC_ID, request));
    }
    if (name == null) {
      return failed(null, asked.topicId(), ErrorCode.INVALID_REQUEST, request);
    }
    Optional<TopicImage> topic = now.topics().topic(name);
    if (topic.isPresent()) {
      return told(topic.get(), request, now);
    }
    ErrorCode error =
        TopicNames.refusal(name).isPresent()
            ? ErrorCode.INVALID_TOPIC_EXCEPTION
            : refusals.getOrDefault(name, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    return failed(name, Uuids.ZERO, error, request);
  }

  /** The topics that were asked for by a legal name that none has. */
  private static Set<String> missing(List<MetadataRequestTopic> asked, ClusterImage now) {
    Set<String> missing = new LinkedHashSet<>();
    for (MetadataRequestTopic topic : asked) {
      String name = topic.name();
      if (name != null
          && topic.topicId().equals(Uuids.ZERO)
          && now.topics().topic(name).isEmpty()
          && TopicNames.refusal(name).isEmpty()) {
        missing.add(name);
      }
    }
    return missing;
  }

  private MetadataResponse response(
      Exchange exchange,
      MetadataRequest request,
      List<MetadataResponseTopic> topics,
      ClusterImage now) {
    List<MetadataResponseBroker> brokers =
        addresses.active(exchange, now).stream()
            .map(
                node ->
                    new MetadataResponseBroker(
                        node.id(), node.host(), node.port(), node.rack().orElse(null)))
            .toList();
    MetadataResponse response =
        MetadataResponse.DEFAULT
            .withBrokers(brokers)
            .withClusterId(clusterId)
            .withControllerId(addresses.nodeId())
            .withTopics(topics);
    return request.includeClusterAuthorizedOperations()
        ? response.withClusterAuthorizedOperations(Operations.ON_CLUSTER)
        : response;
  }

  private static MetadataResponseTopic told(
      TopicImage topic, MetadataRequest request, ClusterImage now) {
    List<MetadataResponsePartition> partitions = new ArrayList<>(topic.partitionCount());
    for (PartitionImage partition : topic.partitions()) {
      partitions.add(told(partition, now));
    }
    return new MetadataResponseTopic(
        ErrorCode.NONE.code(),
        topic.name(),
        topic.id(),
        topic.isInternal(),
        partitions,
        operations(request));
  }

  private static MetadataResponsePartition told(PartitionImage partition, ClusterImage now) {
    List<Integer> offline =
        partition.replicas().stream()
            .filter(id -> !now.nodes().broker(id).map(BrokerImage::isActive).orElse(false))
            .toList();
    return new MetadataResponsePartition(
        (partition.hasLeader() ? ErrorCode.NONE : ErrorCode.LEADER_NOT_AVAILABLE).code(),
        partition.id(),
        partition.leader(),
        partition.leaderEpoch(),
        partition.replicas(),
        partition.isr(),
        offline);
  }

  private static MetadataResponseTopic failed(
      @Nullable String name, UUID id, ErrorCode error, MetadataRequest request) {
    return new MetadataResponseTopic(
        error.code(),
        name,
        id,
        name != null && TopicNames.isInternal(name),
        List.of(),
        operations(request));
  }

  private static int operations(MetadataRequest request) {
    return request.includeTopicAuthorizedOperations() ? Operations.ON_TOPIC : Operations.NOT_ASKED;
  }
}
