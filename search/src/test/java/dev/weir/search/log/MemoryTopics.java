package dev.weir.search.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Topics in memory, for tests. Logs outlive whoever opened them, as those of a broker do. */
public final class MemoryTopics implements LogTopics {

  private final Map<String, Topic> topicByName = new HashMap<>();
  private final Map<String, List<MemoryLog>> logsByName = new HashMap<>();
  private final Map<String, Map<String, String>> configsByName = new HashMap<>();
  private final List<Consumer<Topic>> deletionListeners = new CopyOnWriteArrayList<>();
  private final MemoryLog.Commits commits;
  private long created;

  /** Topics whose appends are committed like this. */
  public MemoryTopics(MemoryLog.Commits commits) {
    this.commits = commits;
  }

  @Override
  public synchronized CompletableFuture<Creation> create(
      String name, int partitions, Map<String, String> configs) {
    Topic there = topicByName.get(name);
    if (there != null) {
      return CompletableFuture.completedFuture(new Creation.Exists(there));
    }
    if (!name.matches("[a-zA-Z0-9._-]{1,249}")) {
      return CompletableFuture.completedFuture(new Creation.Refused("illegal name " + name));
    }
    Topic topic = new Topic(name, new UUID(7, ++created), partitions);
    List<MemoryLog> logs = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      logs.add(new MemoryLog(i, commits));
    }
    topicByName.put(name, topic);
    logsByName.put(name, logs);
    configsByName.put(name, Map.copyOf(configs));
    return CompletableFuture.completedFuture(new Creation.Created(topic));
  }

  @Override
  public CompletableFuture<Void> delete(String name) {
    Topic gone;
    synchronized (this) {
      gone = topicByName.remove(name);
      logsByName.remove(name);
      configsByName.remove(name);
    }
    if (gone != null) {
      deletionListeners.forEach(listener -> listener.accept(gone));
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public synchronized Optional<Topic> topic(String name) {
    return Optional.ofNullable(topicByName.get(name));
  }

  @Override
  public DocumentLog open(String topic, int partition) {
    return log(topic, partition);
  }

  @Override
  public Subscription onDeleted(Consumer<Topic> listener) {
    deletionListeners.add(listener);
    return () -> deletionListeners.remove(listener);
  }

  /** The log itself, to produce to it and to look at it. */
  public synchronized MemoryLog log(String topic, int partition) {
    List<MemoryLog> logs = logsByName.get(topic);
    if (logs == null || partition >= logs.size()) {
      throw new DocumentLogException("no partition " + topic + "-" + partition);
    }
    return logs.get(partition);
  }

  /** The properties that a topic was created with. */
  public synchronized Map<String, String> configs(String topic) {
    return configsByName.getOrDefault(topic, Map.of());
  }
}
