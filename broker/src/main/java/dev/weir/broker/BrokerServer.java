package dev.weir.broker;

import dev.weir.broker.config.BrokerConfig;
import dev.weir.broker.config.Endpoint;
import dev.weir.broker.config.NodeProperties;
import dev.weir.broker.fetch.FetchSessions;
import dev.weir.broker.network.SocketServer;
import dev.weir.broker.network.Transport;
import dev.weir.broker.partition.Housekeeping;
import dev.weir.broker.partition.Lookup;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.partition.Partitions;
import dev.weir.controller.BrokerRegistration;
import dev.weir.controller.BrokerRegistration.LastStop;
import dev.weir.controller.Controller;
import dev.weir.controller.Features;
import dev.weir.log.DirectoryUpkeep;
import dev.weir.metadata.BrokerImage;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ImageDiff;
import dev.weir.metadata.TopicImage;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A Kafka broker: listening sockets, request handlers, the partitions that it leads and the group
 * coordinator. Thread-safe.
 */
public final class BrokerServer implements AutoCloseable {
  /** Code of the security protocol without encryption and authentication. */
  private static final short PLAINTEXT = 0;

  private final Partitions partitions;
  private final Coordination coordination;
  private final FetchSessions fetchSessions;
  private final SocketServer sockets;
  private final Housekeeping housekeeping;
  private final long upkeepEveryMs;

  private BrokerServer(
      Partitions partitions,
      Coordination coordination,
      FetchSessions fetchSessions,
      SocketServer sockets,
      Housekeeping housekeeping,
      long upkeepEveryMs) {
    this.partitions = partitions;
    this.coordination = coordination;
    this.fetchSessions = fetchSessions;
    this.sockets = sockets;
    this.housekeeping = housekeeping;
    this.upkeepEveryMs = upkeepEveryMs;
  }

  /**
   * Starts a broker: opens the partitions of the metadata, binds the listeners, registers with the
   * controller and serves clients. Blocks until it does.
   *
   * @throws dev.weir.broker.network.ListenException if a listener cannot be opened
   * @throws java.util.concurrent.CompletionException if the controller refuses the registration
   */
  public static BrokerServer start(BrokerConfig config, BrokerSurroundings surroundings) {
    Controller controller = surroundings.controller();
    Partitions partitions =
        new Partitions(
            config.nodeId(),
            surroundings.directory(),
            new NodeProperties(config.nodeId(), config.given()));
    CompletableFuture<Long> brokerEpoch = new CompletableFuture<>();
    Coordination coordination = new Coordination(config, surroundings, partitions);
    Handlers handlers = new Handlers(config, surroundings, partitions, coordination, brokerEpoch);
    SocketServer sockets;
    try {
      sockets =
          SocketServer.open(
              config.listeners(), config.network(), surroundings.requestMemory(), handlers.table());
    } catch (RuntimeException e) {
      partitions.close();
      throw e;
    }
    ClusterImage image = controller.image();
    partitions.removeStrays(image);
    partitions.apply(ClusterImage.EMPTY, image);
    controller.addListener(
        (before, after) -> {
          partitions.apply(before, after);
          ImageDiff.between(before, after).deletedTopics().stream()
              .map(TopicImage::name)
              .forEach(coordination::topicDeleted);
        });
    long epoch = controller.registerBroker(registration(config, surroundings, sockets)).join();
    partitions.directory().registeredUnder(epoch);
    brokerEpoch.complete(epoch);
    sockets.accept();
    coordination.begin();
    Housekeeping housekeeping =
        Housekeeping.begin(partitions, config.housekeeping(), surroundings.machines());
    return new BrokerServer(
        partitions,
        coordination,
        handlers.fetchSessions(),
        sockets,
        housekeeping,
        config.housekeeping().retentionCheckMs());
  }

  /** The listeners with the ports that they got, in the order of the configuration. */
  public List<Endpoint> listeners() {
    return sockets.bound().stream().map(BrokerServer::endpoint).toList();
  }

  /** The event loops, which another face of the node may share; they end with this server. */
  public EventLoopGroup loops() {
    return sockets.loops();
  }

  /** The kind of listening socket that goes with {@link #loops}. */
  public Class<? extends ServerSocketChannel> serverChannel() {
    return Transport.best().serverChannel();
  }

  /** A partition for use within the process; empty where this broker does not lead it. */
  public Optional<LocalPartition> partition(String topic, int number) {
    return switch (partitions.find(topic, number)) {
      case Lookup.Found(Partition partition) -> Optional.of(new LocalPartition(partition));
      case Lookup.Missing _ -> Optional.empty();
    };
  }

  /** How compaction of this broker's logs stands. */
  public CompactionOverview compaction(long nowMs) {
    DirectoryUpkeep upkeep = partitions.directory().upkeep();
    return new CompactionOverview(
        partitions.compaction(nowMs), upkeep.totals(), upkeep.lastRoundMs(), upkeepEveryMs);
  }

  /** Fetch sessions of this broker's clients. */
  public FetchSessionFigures fetchSessions() {
    return new FetchSessionFigures(
        fetchSessions.sessions(),
        fetchSessions.partitions(),
        fetchSessions.bytes(),
        fetchSessions.bytesMax(),
        fetchSessions.begun(),
        fetchSessions.incremental(),
        fetchSessions.looks(),
        fetchSessions.evicted(),
        fetchSessions.refused());
  }

  /**
   * Stops accepting, finishes what is in hand, ends all waits and flushes what was acknowledged.
   * Blocks until it is done; the logs are left to whoever owns the directory.
   */
  @Override
  public void close() {
    housekeeping.close();
    sockets.close();
    coordination.stop();
    partitions.close();
  }

  private static BrokerRegistration registration(
      BrokerConfig config, BrokerSurroundings surroundings, SocketServer sockets) {
    List<Endpoint> told =
        config.advertisedListeners().isEmpty()
            ? sockets.bound().stream().map(BrokerServer::endpoint).toList()
            : config.advertisedListeners();
    return new BrokerRegistration(
        config.nodeId(),
        surroundings.ids().get(),
        told.stream()
            .map(
                endpoint ->
                    new BrokerImage.Listener(
                        endpoint.listener(), endpoint.host(), endpoint.port(), PLAINTEXT))
            .toList(),
        Features.served(),
        config.value("broker.rack"),
        List.of(surroundings.directoryId()),
        surroundings.directory().wasStoppedCleanly() ? LastStop.CLEAN : LastStop.UNCLEAN);
  }

  private static Endpoint endpoint(SocketServer.Bound bound) {
    InetSocketAddress address = bound.address();
    return new Endpoint(bound.listener(), address.getAddress().getHostAddress(), address.getPort());
  }
}
