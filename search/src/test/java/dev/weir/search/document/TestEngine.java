package dev.weir.search.document;

import dev.weir.search.catalog.CatalogDefinitions;
import dev.weir.search.catalog.DefinitionKind;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.catalog.MemoryCatalog;
import dev.weir.search.index.IndexRequest;
import dev.weir.search.index.Indices;
import dev.weir.search.ingest.IngestPipelines;
import dev.weir.search.log.MemoryLog;
import dev.weir.search.log.MemoryTopics;
import dev.weir.search.mapping.Analyzers;
import dev.weir.search.mapping.DocumentParser;
import dev.weir.search.mapping.MetadataField;
import dev.weir.search.model.ModelSetup;
import dev.weir.search.model.Models;
import dev.weir.search.shard.IndexView;
import dev.weir.search.shard.MemoryIndexFiles;
import dev.weir.search.shard.ShardEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.lucene.document.Document;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.util.BytesRef;
import tools.jackson.databind.json.JsonMapper;

/** Indexes and documents without threads: requests run at once, records when the test says so. */
public final class TestEngine {

  final MemoryTopics topics = new MemoryTopics(MemoryLog.Commits.AT_ONCE);
  final MemoryCatalog catalog = new MemoryCatalog();
  final Queue<Runnable> tasks = new ArrayDeque<>();
  private final MemoryIndexFiles files = new MemoryIndexFiles();
  Indices indices = startIndices();
  Documents documents = documents(Documents.AutoCreation.ON);

  private Indices startIndices() {
    ShardEnvironment environment =
        new ShardEnvironment(
            topics,
            files,
            new DocumentParser(new Analyzers()),
            () -> Instant.ofEpochMilli(1_000_000),
            tasks::add,
            (_, _) -> {});
    Indices started =
        new Indices(
            catalog, environment, Path.of("search"), new Random(1), Runnable::run, Runnable::run);
    started.start().join();
    return started;
  }

  Documents documents(Documents.AutoCreation autoCreation) {
    Models models =
        new Models(new CatalogDefinitions(catalog, DefinitionKind.MODEL), ModelSetup.NONE);
    IngestPipelines pipelines =
        new IngestPipelines(
            new CatalogDefinitions(catalog, DefinitionKind.INGEST_PIPELINE),
            models,
            InstantSource.fixed(Instant.ofEpochMilli(1_000_000)));
    IngestRuns runs =
        new IngestRuns(Runnable::run, IngestRuns.Bounds.ofHeap(1L << 30), Duration.ofSeconds(1));
    return new Documents(indices, pipelines, runs, new Random(2), Runnable::run, autoCreation);
  }

  /** Stops with index commits, and starts again. */
  void restart() {
    runAll();
    indices.close();
    tasks.clear();
    indices = startIndices();
    documents = documents(Documents.AutoCreation.ON);
  }

  /** Dies as with kill -9, and starts again: from the last index commits, and the logs. */
  void killAndRestart() throws IOException {
    files.loseUncommitted();
    tasks.clear();
    indices = startIndices();
    documents = documents(Documents.AutoCreation.ON);
  }

  /** Folders of shards that have files. */
  List<Path> folders() {
    return files.folders();
  }

  void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  <T> T await(CompletableFuture<T> future) {
    runAll();
    if (!future.isDone()) {
      throw new AssertionError("nothing left to run, and not done: " + future);
    }
    return future.join();
  }

  IndexDefinition create(String name, String body) {
    return await(indices.create(name, IndexRequest.parse(JsonMapper.shared().readTree(body))));
  }

  /** Carries out a bulk request of these lines. */
  List<WriteResult> bulk(String... lines) {
    return await(documents.bulk(operations(lines), RefreshPolicy.NONE));
  }

  static List<BulkOperation> operations(String... lines) {
    return BulkBody.parse(
        bytes(String.join("\n", lines) + "\n"), null, BulkOperation.IndexCreation.AUTO);
  }

  /** Sources of all documents by id, after a refresh. */
  Map<String, String> search(String index) {
    await(indices.refresh(index));
    Map<String, String> found = new TreeMap<>();
    try (IndexView view = indices.view(indices.index(index).orElseThrow())) {
      for (IndexView.ShardView shard : view.shards()) {
        for (ScoreDoc hit : shard.searcher().search(MatchAllDocsQuery.INSTANCE, 1000).scoreDocs) {
          Document document = shard.searcher().storedFields().document(hit.doc);
          BytesRef source = document.getBinaryValue(MetadataField.SOURCE);
          found.put(document.get(MetadataField.ID), source.utf8ToString());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** One line a result: {@code action id status result-or-error version}. */
  static List<String> summary(List<WriteResult> results) {
    List<String> lines = new ArrayList<>();
    for (WriteResult result : results) {
      String what =
          switch (result) {
            case WriteResult.Done done -> done.outcome().text() + " v" + done.version();
            case WriteResult.Failed failed -> failed.error().error().type().typeName();
          };
      lines.add(result.action().text() + " " + result.id() + " " + result.status() + " " + what);
    }
    return lines;
  }
}
