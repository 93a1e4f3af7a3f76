package dev.weir.coordinator;

import dev.weir.machine.MachineLog;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * The internal topic of one kind of coordinator, such as {@code __consumer_offsets}: each of its
 * partitions is the log of one machine. The broker implements it. Thread-safe.
 */
public interface CoordinatorTopic {
  /** The topic's name, for logs. */
  String name();

  /** How many partitions the topic has; empty while it does not exist. */
  OptionalInt partitionCount();

  /**
   * Creates the topic unless it exists.
   *
   * @return its number of partitions, once they can be opened; fails where the topic can't be
   *     created now
   */
  CompletableFuture<Integer> create();

  /**
   * Opens the log of a partition that this node leads. The log's batches carry the partition's
   * leader epoch, and its {@code replay} passes every record of data batches, committed by then.
   *
   * @throws dev.weir.machine.NotLeaderException if this node does not lead the partition
   */
  MachineLog<KeyValue> open(int partition);
}
