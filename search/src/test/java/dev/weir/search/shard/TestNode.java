package dev.weir.search.shard;

import dev.weir.search.error.SearchException;
import dev.weir.search.log.LogEntry;
import dev.weir.search.log.MemoryLog;
import dev.weir.search.log.MemoryTopics;
import dev.weir.search.mapping.Analyzers;
import dev.weir.search.mapping.DocumentParser;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MappingMerge;
import dev.weir.search.mapping.MetadataField;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/** A node without threads: time, tasks, log and index files are in the hand of the test. */
final class TestNode {

  /** A document that a search sees. */
  record Hit(int shard, String source) {}

  /** A record that went to the dead letters. */
  record Dead(int shard, long offset, String reason) {}

  final MemoryTopics topics;
  final Queue<Runnable> tasks = new ArrayDeque<>();
  final Queue<Runnable> delayed = new ArrayDeque<>();
  final List<Dead> dead = new ArrayList<>();
  final int shards;
  long nowMs = 1_000_000;
  boolean takesDeadLetters = true;
  Mapping mapping = Mapping.EMPTY;
  Embeddings embeddings = Embeddings.NONE;
  WriteBuffer writeBuffer = WriteBuffer.ofHeap();
  final MemoryIndexFiles files = new MemoryIndexFiles();

  TestNode(int shards, MemoryLog.Commits commits) {
    this.shards = shards;
    this.topics = new MemoryTopics(commits);
    var _ = topics.create("books", shards, Map.of());
  }

  ShardedIndex open() {
    ShardEnvironment environment =
        new ShardEnvironment(
            topics,
            files,
            new DocumentParser(new Analyzers()),
            () -> java.time.Instant.ofEpochMilli(nowMs),
            tasks::add,
            (_, task) -> delayed.add(task),
            embeddings,
            writeBuffer);
    return ShardedIndex.open(
        new ShardedIndexSpec("books", new UUID(1, 1), "books", shards, Path.of("books")),
        environment,
        definition(),
        this::bury);
  }

  private void bury(int shard, LogEntry entry, SearchException reason) {
    if (!takesDeadLetters) {
      throw new IllegalStateException("no room for dead letters");
    }
    dead.add(new Dead(shard, entry.offset(), String.valueOf(reason.getMessage())));
  }

  LiveDefinition definition() {
    return new LiveDefinition() {
      @Override
      public Mapping mapping() {
        return mapping;
      }

      @Override
      public long refreshIntervalMs() {
        return 1000;
      }

      @Override
      public int nestedObjectsMax() {
        return 10_000;
      }

      @Override
      public GraphThreshold graphThreshold() {
        return GraphThreshold.DEFAULT;
      }

      @Override
      public CompletableFuture<Mapping> add(Mapping addition) {
        try {
          mapping = MappingMerge.merge(mapping, addition);
          return CompletableFuture.completedFuture(mapping);
        } catch (SearchException e) {
          return CompletableFuture.failedFuture(e);
        }
      }
    };
  }

  /** Deletes the index files of a shard, as an operator may while the node is stopped. */
  void loseIndex(int shard) {
    files.delete(Path.of("books", Integer.toString(shard)));
  }

  /** Makes the files of a shard look as if a version had written them that knew no order. */
  void forgetOrder(int shard) throws IOException {
    Directory kept = files.open(Path.of("books", Integer.toString(shard)));
    IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(kept, config)) {
      Map<String, String> data = new HashMap<>();
      writer.getLiveCommitData().forEach(each -> data.put(each.getKey(), each.getValue()));
      data.remove("order");
      writer.setLiveCommitData(data.entrySet());
    }
  }

  /** Lets what is due later run: index commits, mostly. */
  void runDelayed() {
    List<Runnable> due = List.copyOf(delayed);
    delayed.clear();
    due.forEach(Runnable::run);
    runAll();
  }

  MemoryLog log(int shard) {
    return topics.log("books", shard);
  }

  /** Runs tasks until none is left. */
  void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** Runs one task, if there is one. */
  void runOne() {
    Runnable task = tasks.poll();
    if (task != null) {
      task.run();
    }
  }

  void await(CompletableFuture<?> future) {
    runAll();
    if (!future.isDone()) {
      throw new AssertionError("nothing left to run, and not done: " + future);
    }
    future.join();
  }

  /** Stops an index as kill -9 does. */
  void kill(ShardedIndex index) {
    runAll();
    index.abandon();
    tasks.clear();
    delayed.clear();
  }

  WriteOutcome write(ShardedIndex index, Write write) {
    return index.write(index.route(write.id()), List.of(write)).outcomes().getFirst();
  }

  WriteOutcome put(ShardedIndex index, String id, String json) {
    return put(index, id, json, Condition.NONE);
  }

  WriteOutcome put(ShardedIndex index, String id, String json, Condition condition) {
    return write(index, new Write.Put(id, index.reader().read(id, bytes(json)), condition));
  }

  WriteOutcome delete(ShardedIndex index, String id) {
    return write(index, new Write.Delete(id, Condition.NONE));
  }

  /** What searches see after a refresh; fails if an id is seen twice. */
  Map<String, Hit> search(ShardedIndex index) {
    await(index.refresh());
    return seen(index);
  }

  /** What searches see now; fails if an id is seen twice. */
  static Map<String, Hit> seen(ShardedIndex index) {
    Map<String, Hit> hits = new TreeMap<>();
    try (IndexView view = index.view()) {
      for (IndexView.ShardView shard : view.shards()) {
        for (ScoreDoc hit : shard.searcher().search(MatchAllDocsQuery.INSTANCE, 1000).scoreDocs) {
          Document document = shard.searcher().storedFields().document(hit.doc);
          BytesRef source = document.getBinaryValue(MetadataField.SOURCE);
          Hit twice =
              hits.put(
                  document.get(MetadataField.ID), new Hit(shard.shard(), source.utf8ToString()));
          if (twice != null) {
            throw new AssertionError(
                "seen twice: "
                    + document.get(MetadataField.ID)
                    + " in "
                    + shard.shard()
                    + " and "
                    + twice.shard);
          }
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return hits;
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
