package dev.weir.controller;

import dev.weir.machine.MachineHost;
import dev.weir.machine.simulated.SimulatedExecutor;
import dev.weir.machine.simulated.SimulatedLog;
import dev.weir.machine.simulated.SimulatedTime;
import dev.weir.metadata.BrokerImage;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.TopicImage;
import dev.weir.protocol.metadata.MetadataRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A controller over a log in memory that commits at once, on the test's thread. */
final class ControllerHarness {
  final SimulatedLog<MetadataRecord> log = new SimulatedLog<>(SimulatedLog.Commit.AT_ONCE);
  final SimulatedExecutor executor = new SimulatedExecutor();
  final SimulatedTime time = new SimulatedTime(1_000);
  final Controller controller;
  private long nextTopicId = 100;

  ControllerHarness(ControllerSettings settings) {
    controller =
        new Controller(
            settings, log, new MachineHost(executor, time, time), () -> new UUID(0, nextTopicId++));
    await(controller.load());
  }

  static ControllerHarness withBrokers(int... ids) {
    ControllerHarness harness = new ControllerHarness(ControllerSettings.DEFAULT);
    for (int id : ids) {
      harness.register(id, new UUID(id, 1));
    }
    return harness;
  }

  long register(int id, UUID incarnation) {
    return await(controller.registerBroker(registration(id, incarnation)));
  }

  static BrokerRegistration registration(int id, UUID incarnation) {
    return registration(id, incarnation, BrokerRegistration.LastStop.UNCLEAN);
  }

  static BrokerRegistration registration(
      int id, UUID incarnation, BrokerRegistration.LastStop lastStop) {
    return new BrokerRegistration(
        id,
        incarnation,
        List.of(new BrokerImage.Listener("PLAINTEXT", "127.0.0.1", 9092, (short) 0)),
        Features.served(),
        Optional.empty(),
        List.of(directory(id)),
        lastStop);
  }

  static UUID directory(int broker) {
    return new UUID(50, broker);
  }

  <T> T await(CompletableFuture<T> future) {
    executor.runAll();
    return future.join();
  }

  TopicCreation create(NewTopic topic) {
    return await(controller.createTopics(List.of(topic), Mode.APPLY)).getFirst();
  }

  TopicImage created(NewTopic topic) {
    TopicCreation creation = create(topic);
    if (!(creation instanceof TopicCreation.Created created)) {
      throw new AssertionError("not created: " + creation);
    }
    return topic(created.name());
  }

  TopicImage topic(String name) {
    return image().topics().topic(name).orElseThrow();
  }

  ClusterImage image() {
    return controller.image();
  }

  /** What a controller that starts now would know. */
  ClusterImage replayed() {
    List<MetadataRecord> records = new ArrayList<>();
    log.replay(records::add);
    ClusterImage image = ClusterImage.EMPTY;
    for (MetadataRecord record : records) {
      image = image.apply(record);
    }
    return image;
  }
}
