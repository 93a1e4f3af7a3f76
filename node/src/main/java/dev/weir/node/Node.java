package dev.weir.node;

import dev.weir.broker.BrokerServer;
import dev.weir.broker.BrokerSurroundings;
import dev.weir.broker.config.Endpoint;
import dev.weir.controller.Controller;
import dev.weir.controller.ControllerLog;
import dev.weir.controller.ControllerSettings;
import dev.weir.controller.ImageFold;
import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.machine.MachineHost;
import dev.weir.models.OnnxModels;
import dev.weir.node.cli.HostPort;
import dev.weir.protocol.Uuids;
import dev.weir.raft.MetadataLog;
import dev.weir.raft.SnapshotPolicy;
import dev.weir.rest.HttpFace;
import dev.weir.rest.NodeIdentity;
import dev.weir.rest.RestServices;
import dev.weir.search.SearchEngine;
import dev.weir.search.SearchEngineConfig;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running node: the data directory, the metadata log with its controller, the broker, and the
 * search engine over it, wired together.
 *
 * <p>Parts are started in the order of their dependence and closed in the reverse order; a start
 * that fails half-way closes what it has opened. Thread-safe once started.
 */
final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /**
   * The controller's and the coordinators' turns are short; more threads would only wake others.
   */
  private static final int MACHINE_THREADS = 2;

  /** Handlers wait for the log and for refreshes more than they compute. */
  private static final int REQUEST_THREADS_PER_PROCESSOR = 4;

  /** Folder of the indexes inside the data directory; a dot keeps it apart from partitions. */
  private static final String INDEX_FOLDER = ".weir-indexes";

  private final HostPort kafka;
  private final HostPort http;
  private final RequestMemoryPool requestMemory;
  private final Deque<Part> parts;

  /** What was started, and how it ends. */
  private record Part(String name, AutoCloseable end) {}

  private Node(HostPort kafka, HostPort http, RequestMemoryPool requestMemory, Deque<Part> parts) {
    this.kafka = kafka;
    this.http = http;
    this.requestMemory = requestMemory;
    this.parts = parts;
  }

  /**
   * Starts a node and returns when both faces answer.
   *
   * @param onFatal told, on any thread, that the node cannot go on; the process should end
   * @throws StartFailure with cause and remedy in one line
   */
  static Node start(NodeConfig config, InstantSource clock, Runnable onFatal) {
    Ports.requireFree(config);
    Deque<Part> parts = new ArrayDeque<>();
    try {
      return open(config, clock, onFatal, parts);
    } catch (RuntimeException e) {
      close(parts);
      throw e;
    }
  }

  private static Node open(
      NodeConfig config, InstantSource clock, Runnable onFatal, Deque<Part> parts) {
    Identities ids = new Identities();
    Descriptors descriptors = Descriptors.ofProcess();
    DataDirectory data = DataDirectory.open(config, clock, ids, descriptors);
    descriptors.warning().ifPresent(LOG::warn); // a start that fails says why, and nothing else
    LogDirectory directory = data.directory();
    parts.push(new Part("data directory", directory));
    PlatformTimers timers = new PlatformTimers(clock);
    parts.push(new Part("timers", timers));
    ExecutorService machineThreads =
        Executors.newFixedThreadPool(
            MACHINE_THREADS, Thread.ofPlatform().name("weir-machine-", 0).daemon().factory());
    parts.push(new Part("machine threads", machineThreads));
    MachineHost machines = new MachineHost(machineThreads, timers, clock);
    directory.load(LogConfig.KEEPING_ALL);
    MetadataLog metadataLog = openMetadataLog(directory, clock, onFatal);
    parts.push(new Part("metadata log", metadataLog));
    metadataLog.lead();
    takeSnapshots(metadataLog, config.broker().metadataSnapshotBytes(), parts);
    Controller controller =
        new Controller(
            new ControllerSettings(
                config.broker().topics().partitions(),
                config.broker().topics().replicationFactor()),
            new ControllerLog(metadataLog),
            machines,
            ids::next);
    controller.load().join();
    parts.push(new Part("controller", () -> controller.resign("the node stops").join()));
    RequestMemoryPool requestMemory = new RequestMemoryPool(config.requestMemoryBytes());
    BrokerServer broker =
        BrokerServer.start(
            config.broker(),
            new BrokerSurroundings(
                data.identity().clusterId(),
                controller,
                directory,
                data.identity().directoryId(),
                machines,
                ids::next,
                requestMemory));
    parts.push(new Part("broker", broker));
    BrokerTopics topics = new BrokerTopics(controller, broker);
    CatalogTopic catalog = CatalogTopic.open(topics, machines);
    parts.push(new Part("catalog", catalog));
    SearchEngine engine =
        new SearchEngine(searchConfig(config, data), topics, catalog, clock, ids.random());
    parts.push(new Part("search engine", engine));
    engine.start().join();
    HttpFace http = startHttp(config, data, broker, engine, clock, requestMemory);
    parts.push(new Part("HTTP face", http));
    Endpoint bound = broker.listeners().getFirst();
    return new Node(
        new HostPort(bound.host(), bound.port()),
        new HostPort(http.address().getAddress().getHostAddress(), http.address().getPort()),
        requestMemory,
        parts);
  }

  private static void takeSnapshots(MetadataLog log, long bytesBetween, Deque<Part> parts) {
    ExecutorService thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("weir-metadata-snapshot").daemon().factory());
    parts.push(new Part("metadata snapshots", thread)); // a snapshot in hand is finished
    log.takeSnapshots(new SnapshotPolicy(bytesBetween, ImageFold::new, thread));
  }

  private static SearchEngineConfig searchConfig(NodeConfig config, DataDirectory data) {
    return new SearchEngineConfig(
        config.data().resolve(INDEX_FOLDER),
        Uuids.toText(data.identity().directoryId()),
        Runtime.getRuntime().availableProcessors(),
        config.autoCreation(),
        config.models().setup(new OnnxModels()));
  }

  private static MetadataLog openMetadataLog(
      LogDirectory directory, InstantSource clock, Runnable onFatal) {
    return MetadataLog.open(
        directory,
        clock,
        reason -> {
          // Without its metadata log a node can change nothing and must not pretend to.
          LOG.error("the metadata log is lost, the node ends reason={}", reason);
          onFatal.run();
        });
  }

  private static HttpFace startHttp(
      NodeConfig config,
      DataDirectory data,
      BrokerServer broker,
      SearchEngine engine,
      InstantSource clock,
      RequestMemoryPool requestMemory) {
    NodeIdentity identity =
        new NodeIdentity(
            "weir-" + config.broker().nodeId(),
            Uuids.toText(data.identity().directoryId()),
            "weir",
            data.identity().clusterId(),
            NodeIdentity.Build.of(VersionCommand.version()));
    try {
      return HttpFace.start(
          new HttpFace.Config(
              config.http().resolve(),
              HttpFace.Config.DEFAULT_BODY_BYTES_MAX,
              REQUEST_THREADS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors()),
          broker.loops(),
          broker.serverChannel(),
          requestMemory,
          new RestServices(
              identity,
              engine,
              new BrokerCompaction(broker),
              new BrokerFetchSessions(broker),
              clock));
    } catch (IOException e) {
      throw Ports.cannotListen(config.http().toString(), "--http", e);
    }
  }

  /** What requests that are coming in or in hand have of the node's memory. */
  RequestMemoryPool requestMemory() {
    return requestMemory;
  }

  HostPort httpAddress() {
    return http;
  }

  HostPort kafkaAddress() {
    return kafka;
  }

  /** Stops accepting, finishes what is in hand, flushes, and gives the directory back. */
  @Override
  public void close() {
    LOG.info("stopping");
    close(parts);
    LOG.info("stopped");
  }

  /** Closes all parts, the last one first; a part that fails does not keep the others open. */
  private static void close(Deque<Part> parts) {
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      try {
        part.end().close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        LOG.error("interrupted while closing part={}", part.name(), e);
      } catch (Exception e) {
        LOG.error("cannot close part={}", part.name(), e);
      }
    }
  }
}
