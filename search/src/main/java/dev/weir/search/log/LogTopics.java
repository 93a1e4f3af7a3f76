package dev.weir.search.log;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The topics behind the indexes. Safe for use by any thread; nothing here waits, and futures are
 * completed by threads of the log.
 */
public interface LogTopics {

  /** A topic as it is now. */
  record Topic(String name, UUID id, int partitions) {}

  /** What creating a topic came to. */
  sealed interface Creation {
    /** The topic is there, led, and ready for appends. */
    record Created(Topic topic) implements Creation {}

    /** A topic of this name was there before; it was left alone. */
    record Exists(Topic topic) implements Creation {}

    /** The cluster refused, for this reason. */
    record Refused(String message) implements Creation {}
  }

  /**
   * Creates a topic with the node's default replication.
   *
   * @param configs topic properties under Kafka's names
   */
  CompletableFuture<Creation> create(String name, int partitions, Map<String, String> configs);

  /** Deletes a topic; completes when no open of this name can reach it. Missing is as good. */
  CompletableFuture<Void> delete(String name);

  /** The topic of this name, if there is one. */
  Optional<Topic> topic(String name);

  /**
   * Opens one partition for following and appending.
   *
   * @throws DocumentLogException if there is no such partition here
   */
  DocumentLog open(String topic, int partition);

  /** Calls {@code listener} after a topic was deleted, whoever deleted it; it must not wait. */
  Subscription onDeleted(Consumer<Topic> listener);
}
