package dev.weir.broker;

import dev.weir.broker.config.BrokerConfig;
import dev.weir.broker.fetch.Fetch;
import dev.weir.broker.fetch.FetchSessions;
import dev.weir.broker.handler.Addresses;
import dev.weir.broker.handler.AlterConfigs;
import dev.weir.broker.handler.ApiVersions;
import dev.weir.broker.handler.ConfigView;
import dev.weir.broker.handler.CreatePartitions;
import dev.weir.broker.handler.CreateTopics;
import dev.weir.broker.handler.DeleteGroups;
import dev.weir.broker.handler.DeleteRecords;
import dev.weir.broker.handler.DeleteTopics;
import dev.weir.broker.handler.DescribeCluster;
import dev.weir.broker.handler.DescribeConfigs;
import dev.weir.broker.handler.DescribeGroups;
import dev.weir.broker.handler.DescribeLogDirs;
import dev.weir.broker.handler.DescribeTopicPartitions;
import dev.weir.broker.handler.FindCoordinator;
import dev.weir.broker.handler.Heartbeat;
import dev.weir.broker.handler.IncrementalAlterConfigs;
import dev.weir.broker.handler.InitProducerId;
import dev.weir.broker.handler.JoinGroup;
import dev.weir.broker.handler.LeaveGroup;
import dev.weir.broker.handler.ListGroups;
import dev.weir.broker.handler.ListOffsets;
import dev.weir.broker.handler.Metadata;
import dev.weir.broker.handler.OffsetCommit;
import dev.weir.broker.handler.OffsetDelete;
import dev.weir.broker.handler.OffsetFetch;
import dev.weir.broker.handler.OffsetForLeaderEpoch;
import dev.weir.broker.handler.Produce;
import dev.weir.broker.handler.ProducerIds;
import dev.weir.broker.handler.SyncGroup;
import dev.weir.broker.handler.TopicsOnUse;
import dev.weir.broker.network.HandlerTable;
import dev.weir.broker.network.RequestHandler;
import dev.weir.broker.network.ServedVersions;
import dev.weir.broker.partition.Partitions;
import dev.weir.controller.Controller;
import dev.weir.coordinator.group.GroupCoordinator;
import dev.weir.metadata.ClusterImage;
import dev.weir.protocol.ApiKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Makes the handlers of a broker, each with what it needs and nothing else. */
final class Handlers {
  private final HandlerTable table;
  private final FetchSessions fetchSessions;

  Handlers(
      BrokerConfig config,
      BrokerSurroundings surroundings,
      Partitions partitions,
      Coordination coordination,
      CompletableFuture<Long> brokerEpoch) {
    Supplier<ClusterImage> image = surroundings.controller()::image;
    Addresses addresses = new Addresses(config.nodeId(), config.advertisedListeners());
    fetchSessions = new FetchSessions(config.fetch().sessionBytesMax());
    List<RequestHandler<?>> handlers = new ArrayList<>();
    handlers.addAll(dataPath(config, partitions, surroundings.controller(), brokerEpoch));
    handlers.add(
        new Fetch(
            partitions,
            fetchSessions,
            id -> id != config.nodeId() && image.get().nodes().broker(id).isPresent(),
            config.fetch().bytesMax()));
    handlers.addAll(groups(coordination.groups(), addresses, image));
    handlers.addAll(
        administration(config, surroundings, partitions, new ConfigView(config, image)));
    handlers.add(
        new Metadata(
            image,
            addresses,
            surroundings.clusterId(),
            new TopicsOnUse(
                config.topics().createdOnUse(),
                surroundings.controller(),
                coordination.offsets())));
    handlers.add(new DescribeCluster(image, addresses, surroundings.clusterId()));
    List<ApiKey> keys = new ArrayList<>(handlers.stream().map(RequestHandler::apiKey).toList());
    keys.add(ApiKey.API_VERSIONS);
    ServedVersions versions = ServedVersions.of(keys);
    ApiVersions apiVersions =
        new ApiVersions(versions, image, config.nodeId(), surroundings.clusterId());
    handlers.add(apiVersions);
    this.table = new HandlerTable(handlers, versions, apiVersions::tooNew);
  }

  HandlerTable table() {
    return table;
  }

  FetchSessions fetchSessions() {
    return fetchSessions;
  }

  private static List<RequestHandler<?>> dataPath(
      BrokerConfig config,
      Partitions partitions,
      Controller controller,
      CompletableFuture<Long> brokerEpoch) {
    return List.of(
        new Produce(partitions),
        new ListOffsets(partitions),
        new OffsetForLeaderEpoch(partitions),
        new DeleteRecords(partitions),
        new InitProducerId(ProducerIds.from(controller, config.nodeId(), brokerEpoch)));
  }

  private static List<RequestHandler<?>> groups(
      GroupCoordinator groups, Addresses addresses, Supplier<ClusterImage> image) {
    return List.of(
        new FindCoordinator(groups, addresses, image),
        new JoinGroup(groups),
        new SyncGroup(groups),
        new Heartbeat(groups),
        new LeaveGroup(groups),
        new OffsetCommit(groups),
        new OffsetFetch(groups),
        new OffsetDelete(groups),
        new ListGroups(groups),
        new DescribeGroups(groups),
        new DeleteGroups(groups));
  }

  private static List<RequestHandler<?>> administration(
      BrokerConfig config,
      BrokerSurroundings surroundings,
      Partitions partitions,
      ConfigView configs) {
    Controller controller = surroundings.controller();
    Supplier<ClusterImage> image = controller::image;
    return List.of(
        new CreateTopics(controller, configs),
        new DeleteTopics(controller, config.topics().deletable()),
        new CreatePartitions(controller),
        new DescribeConfigs(image, configs, config.nodeId()),
        new IncrementalAlterConfigs(controller),
        new AlterConfigs(controller),
        new DescribeTopicPartitions(image, config.topics().describedPartitionsMax()),
        new DescribeLogDirs(partitions));
  }
}
