package dev.weir.coordinator.group;

import dev.weir.coordinator.Caller;
import dev.weir.coordinator.CoordinatorTopic;
import dev.weir.coordinator.KeyValue;
import dev.weir.coordinator.TopicNames;
import dev.weir.machine.MachineHost;
import dev.weir.machine.MachineLog;
import dev.weir.machine.simulated.SimulatedExecutor;
import dev.weir.machine.simulated.SimulatedLog;
import dev.weir.machine.simulated.SimulatedTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A group coordinator and its surroundings, in which nothing happens until the test says so. */
final class SimulatedCoordinator implements TopicNames, CoordinatorTopic {
  private static final int PARTITIONS = 3;

  final SimulatedExecutor executor = new SimulatedExecutor();
  final SimulatedTime time = new SimulatedTime(1_000_000);
  final Map<String, UUID> topicIds = new HashMap<>();
  final List<SimulatedLog<KeyValue>> logs = new ArrayList<>();
  private final GroupSettings settings;
  private OptionalInt partitionCount = OptionalInt.empty();
  private long lastId;
  private long lastTopicId;
  private GroupCoordinator coordinator;

  SimulatedCoordinator(GroupSettings settings) {
    this.settings = settings;
    for (int i = 0; i < PARTITIONS; i++) {
      logs.add(new SimulatedLog<>(SimulatedLog.Commit.AT_ONCE));
    }
    coordinator = start();
  }

  private GroupCoordinator start() {
    return new GroupCoordinator(
        settings, this, this, new MachineHost(executor, time, time), () -> new UUID(0, ++lastId));
  }

  GroupCoordinator coordinator() {
    return coordinator;
  }

  /** As after a crash of the node: the log is all that is left. */
  void restart() {
    var _ = coordinator.stop();
    executor.runAll();
    coordinator = start();
  }

  void createTopic(String topic) {
    topicIds.put(topic, new UUID(1, ++lastTopicId));
  }

  /** Lets run what can, and gives the answer, which must be there then. */
  <T> T answer(CompletableFuture<T> future) {
    executor.runAll();
    if (!future.isDone()) {
      throw new AssertionError("no answer yet");
    }
    return future.join();
  }

  void advanceBy(long millis) {
    long endMs = time.millis() + millis;
    // In small steps, so that what a timer starts is timed from then.
    long stepMs = Math.max(100, millis / 10_000);
    while (time.millis() < endMs) {
      time.advanceTo(Math.min(endMs, time.millis() + stepMs));
      executor.runAll();
    }
  }

  static Caller caller(int version, String clientId) {
    return new Caller((short) version, clientId, "/127.0.0.1");
  }

  /** Every record in a partition of the offsets topic. */
  List<StoredRecord> stored(int partition) {
    return logs.get(partition).committedRecords().stream()
        .map(record -> (StoredRecord) GroupRecordCodec.decode(record).orElseThrow())
        .toList();
  }

  @Override
  public Optional<UUID> idOf(String name) {
    return Optional.ofNullable(topicIds.get(name));
  }

  @Override
  public Optional<String> nameOf(UUID id) {
    return topicIds.entrySet().stream()
        .filter(topic -> topic.getValue().equals(id))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  @Override
  public String name() {
    return "__consumer_offsets";
  }

  @Override
  public OptionalInt partitionCount() {
    return partitionCount;
  }

  @Override
  public CompletableFuture<Integer> create() {
    partitionCount = OptionalInt.of(PARTITIONS);
    return CompletableFuture.completedFuture(PARTITIONS);
  }

  @Override
  public MachineLog<KeyValue> open(int partition) {
    return logs.get(partition);
  }
}
