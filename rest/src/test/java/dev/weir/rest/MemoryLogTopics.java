package dev.weir.rest;

import dev.weir.search.log.AppendResult;
import dev.weir.search.log.DocumentLog;
import dev.weir.search.log.DocumentRecord;
import dev.weir.search.log.LogChunk;
import dev.weir.search.log.LogEntry;
import dev.weir.search.log.LogTopics;
import dev.weir.search.log.ReadUpTo;
import dev.weir.search.log.Subscription;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Topics in memory whose appends are committed at once, for tests. */
final class MemoryLogTopics implements LogTopics {
  private record Stored(Topic topic, List<MemoryPartition> partitions) {}

  private final Map<String, Stored> storedByName = new HashMap<>(); // guarded by this
  private final List<Consumer<Topic>> deletionListeners = new CopyOnWriteArrayList<>();
  private long created;

  @Override
  public synchronized CompletableFuture<Creation> create(
      String name, int partitions, Map<String, String> configs) {
    Stored there = storedByName.get(name);
    if (there != null) {
      return CompletableFuture.completedFuture(new Creation.Exists(there.topic()));
    }
    List<MemoryPartition> logs = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      logs.add(new MemoryPartition(i));
    }
    Topic topic = new Topic(name, new UUID(0, ++created), partitions);
    storedByName.put(name, new Stored(topic, logs));
    return CompletableFuture.completedFuture(new Creation.Created(topic));
  }

  @Override
  public CompletableFuture<Void> delete(String name) {
    Stored gone;
    synchronized (this) {
      gone = storedByName.remove(name);
    }
    if (gone != null) {
      deletionListeners.forEach(listener -> listener.accept(gone.topic()));
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public synchronized Optional<Topic> topic(String name) {
    return Optional.ofNullable(storedByName.get(name)).map(Stored::topic);
  }

  @Override
  public synchronized DocumentLog open(String topic, int partition) {
    Stored stored = storedByName.get(topic);
    if (stored == null) {
      throw new IllegalStateException("no topic " + topic);
    }
    return stored.partitions().get(partition);
  }

  @Override
  public Subscription onDeleted(Consumer<Topic> listener) {
    deletionListeners.add(listener);
    return () -> deletionListeners.remove(listener);
  }

  private static final class MemoryPartition implements DocumentLog {
    private final int partition;
    private final List<LogEntry> entries = new ArrayList<>(); // guarded by this
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    MemoryPartition(int partition) {
      this.partition = partition;
    }

    @Override
    public int partition() {
      return partition;
    }

    @Override
    public long startOffset() {
      return 0;
    }

    @Override
    public synchronized long endOffset() {
      return entries.size();
    }

    @Override
    public synchronized long appendedEndOffset() {
      return entries.size();
    }

    @Override
    public AppendResult append(List<DocumentRecord> records, long expectedEndOffset) {
      long base;
      synchronized (this) {
        base = entries.size();
        if (base != expectedEndOffset) {
          return new AppendResult.EndOffsetMoved(base);
        }
        for (DocumentRecord record : records) {
          entries.add(
              new LogEntry(
                  entries.size(),
                  0,
                  record.timestampMs(),
                  copy(record.key()),
                  copy(record.value()),
                  record.headers()));
        }
      }
      listeners.forEach(Runnable::run);
      return new AppendResult.Appended(base, 0, CompletableFuture.completedFuture(null));
    }

    @Override
    public synchronized LogChunk read(long fromOffset, int bytesMax, ReadUpTo bound) {
      int from = (int) Math.min(fromOffset, entries.size());
      return new LogChunk(List.copyOf(entries.subList(from, entries.size())), entries.size());
    }

    @Override
    public Subscription onAdvance(Runnable listener) {
      listeners.add(listener);
      return () -> listeners.remove(listener);
    }

    @Override
    public void close() {}

    private static @Nullable ByteBuffer copy(@Nullable ByteBuffer bytes) {
      if (bytes == null) {
        return null;
      }
      ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
      copy.put(bytes.duplicate()).flip();
      return copy.asReadOnlyBuffer();
    }
  }
}
