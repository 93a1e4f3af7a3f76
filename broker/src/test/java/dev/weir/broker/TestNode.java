package dev.weir.broker;

import dev.weir.broker.config.BrokerConfig;
import dev.weir.broker.memory.FakeRequestMemory;
import dev.weir.controller.Controller;
import dev.weir.controller.ControllerLog;
import dev.weir.controller.ControllerSettings;
import dev.weir.controller.Formatter;
import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.log.MetaProperties;
import dev.weir.machine.MachineHost;
import dev.weir.machine.Timers;
import dev.weir.raft.MetadataLog;
import dev.weir.raft.Voter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A whole broker with a controller of its own, over a real directory, on a free port. */
final class TestNode implements AutoCloseable {
  private static final UUID DIRECTORY_ID = new UUID(7, 7);

  private final ScheduledExecutorService executor;
  private final LogDirectory directory;
  private final MetadataLog metadata;
  private final Controller controller;
  private final BrokerServer broker;

  private TestNode(Path path, Map<String, String> properties) {
    InstantSource clock = InstantSource.system();
    executor = Executors.newScheduledThreadPool(2);
    directory = LogDirectory.open(path, clock);
    if (directory.metaProperties().isEmpty()) {
      Formatter.format(
          directory,
          new MetaProperties("dGVzdC1jbHVzdGVyLWlkIQ", 1, DIRECTORY_ID),
          new Voter.Endpoint("CONTROLLER", "127.0.0.1", 9093),
          clock.millis());
    }
    directory.load(LogConfig.DEFAULT);
    metadata = MetadataLog.open(directory, clock, _ -> {});
    metadata.lead();
    AtomicLong ids = new AtomicLong(clock.millis());
    MachineHost host = new MachineHost(executor, timers(clock), clock);
    controller =
        new Controller(
            ControllerSettings.DEFAULT,
            new ControllerLog(metadata),
            host,
            () -> new UUID(1, ids.incrementAndGet()));
    controller.load().join();
    broker =
        BrokerServer.start(
            BrokerConfig.parse(withListener(properties)),
            new BrokerSurroundings(
                "dGVzdC1jbHVzdGVyLWlkIQ",
                controller,
                directory,
                DIRECTORY_ID,
                host,
                () -> new UUID(2, ids.incrementAndGet()),
                new FakeRequestMemory(256 << 20)));
  }

  /** Starts on a directory; a second start finds what the first has left. */
  static TestNode start(Path path, Map<String, String> properties) {
    return new TestNode(path, properties);
  }

  BrokerServer broker() {
    return broker;
  }

  int port() {
    return broker.listeners().getFirst().port();
  }

  String bootstrap() {
    return "127.0.0.1:" + port();
  }

  @Override
  public void close() {
    broker.close();
    controller.resign("the test is over").join();
    metadata.close();
    directory.close();
    executor.shutdownNow();
  }

  private static Map<String, String> withListener(Map<String, String> properties) {
    Map<String, String> all = new HashMap<>(properties);
    all.putIfAbsent("listeners", "PLAINTEXT://127.0.0.1:0");
    all.putIfAbsent("offsets.topic.num.partitions", "2"); // each costs syncs
    return all;
  }

  private Timers timers(InstantSource clock) {
    return (deadlineMs, task) -> {
      long delayMs = Math.max(0, deadlineMs - clock.millis());
      Future<?> scheduled = executor.schedule(task, delayMs, TimeUnit.MILLISECONDS);
      return () -> scheduled.cancel(false);
    };
  }
}
