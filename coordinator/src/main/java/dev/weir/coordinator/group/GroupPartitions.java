package dev.weir.coordinator.group;

import dev.weir.coordinator.CoordinatorTopic;
import dev.weir.machine.MachineHost;
import dev.weir.machine.MachineRunner;
import dev.weir.machine.MachineSettings;
import dev.weir.machine.NotLeaderException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * The machines of the partitions of the offsets topic. A partition is loaded when it is first
 * needed, and again after it was lost; who needs it meanwhile waits. Thread-safe.
 */
final class GroupPartitions {
  private final CoordinatorTopic topic;
  private final GroupMachine machine;
  private final MachineHost host;
  private final Consumer<Loaded> onLoaded;
  private final ConcurrentHashMap<Integer, CompletableFuture<Loaded>> byPartition =
      new ConcurrentHashMap<>();

  /** A partition's machine that has replayed its log. */
  record Loaded(
      int partition, MachineRunner<Groups, GroupCommand, GroupRecord, GroupReply> runner) {}

  /**
   * @param onLoaded told of each partition as soon as it is loaded, before it is used
   */
  GroupPartitions(
      CoordinatorTopic topic, GroupMachine machine, MachineHost host, Consumer<Loaded> onLoaded) {
    this.topic = topic;
    this.machine = machine;
    this.host = host;
    this.onLoaded = onLoaded;
  }

  /** The partition of a group; the same as in every other Kafka node. */
  static int partitionFor(String groupId, int partitionCount) {
    int hash = groupId.hashCode();
    return (hash == Integer.MIN_VALUE ? 0 : Math.abs(hash)) % partitionCount;
  }

  /** The partition of a group, once the topic exists. */
  CompletableFuture<Integer> partitionFor(String groupId) {
    OptionalInt count = topic.partitionCount();
    return count.isPresent()
        ? CompletableFuture.completedFuture(partitionFor(groupId, count.getAsInt()))
        : topic.create().thenApply(created -> partitionFor(groupId, created));
  }

  /** Has the machine of a group decide a command. */
  CompletableFuture<GroupReply> submit(
      String groupId, LongFunction<? extends GroupCommand> command) {
    return partitionFor(groupId)
        .thenCompose(this::loaded)
        .thenCompose(loaded -> submit(loaded, command));
  }

  CompletableFuture<GroupReply> submit(
      Loaded loaded, LongFunction<? extends GroupCommand> command) {
    return loaded
        .runner()
        .submit(command)
        .whenComplete(
            (_, failure) -> {
              if (failure instanceof NotLeaderException) {
                forget(loaded);
              }
            });
  }

  /** The committed state of a group's partition; the empty one while the topic does not exist. */
  CompletableFuture<Groups> state(String groupId) {
    return topic.partitionCount().isEmpty()
        ? CompletableFuture.completedFuture(Groups.EMPTY)
        : partitionFor(groupId).thenCompose(this::loaded).thenApply(l -> l.runner().state());
  }

  /** The committed states of all partitions. */
  CompletableFuture<List<Groups>> states() {
    List<CompletableFuture<Loaded>> all =
        IntStream.range(0, topic.partitionCount().orElse(0)).mapToObj(this::loaded).toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> all.stream().map(loaded -> loaded.join().runner().state()).toList());
  }

  /** The partitions that are loaded, or being loaded. */
  Collection<CompletableFuture<Loaded>> loaded() {
    return List.copyOf(byPartition.values());
  }

  private CompletableFuture<Loaded> loaded(int partition) {
    CompletableFuture<Loaded> known = byPartition.get(partition);
    if (known != null) {
      return known;
    }
    CompletableFuture<Loaded> mine = new CompletableFuture<>();
    CompletableFuture<Loaded> first = byPartition.putIfAbsent(partition, mine);
    if (first != null) {
      return first;
    }
    load(partition, mine);
    return mine;
  }

  private void load(int partition, CompletableFuture<Loaded> into) {
    Loaded loaded;
    try {
      loaded =
          new Loaded(
              partition,
              new MachineRunner<>(
                  machine,
                  new GroupLog(topic.open(partition)),
                  host,
                  MachineSettings.named(topic.name() + "-" + partition)));
    } catch (RuntimeException e) {
      byPartition.remove(partition, into);
      into.completeExceptionally(e);
      return;
    }
    var _ =
        loaded
            .runner()
            .load()
            .thenRun(() -> onLoaded.accept(loaded))
            .whenComplete(
                (_, failure) -> {
                  if (failure == null) {
                    into.complete(loaded);
                  } else {
                    byPartition.remove(partition, into);
                    into.completeExceptionally(failure);
                  }
                });
  }

  private void forget(Loaded lost) {
    CompletableFuture<Loaded> known = byPartition.get(lost.partition());
    if (known != null
        && known.isDone()
        && !known.isCompletedExceptionally()
        && known.join().equals(lost)) {
      byPartition.remove(lost.partition(), known);
    }
  }

  /** Gives a partition up: its waiters fail with {@link NotLeaderException}. */
  CompletableFuture<Void> resign(int partition, String reason) {
    CompletableFuture<Loaded> lost = byPartition.remove(partition);
    if (lost == null) {
      return CompletableFuture.completedFuture(null);
    }
    // One that could not be loaded has nothing to give up.
    return lost.thenCompose(loaded -> loaded.runner().resign(reason)).exceptionally(_ -> null);
  }

  CompletableFuture<Void> resignAll(String reason) {
    return CompletableFuture.allOf(
        byPartition.keySet().stream()
            .map(partition -> resign(partition, reason))
            .toArray(CompletableFuture<?>[]::new));
  }
}
