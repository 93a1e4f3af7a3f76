package dev.weir.search;

import dev.weir.search.catalog.MemoryCatalog;
import dev.weir.search.document.BulkBody;
import dev.weir.search.document.BulkOperation;
import dev.weir.search.document.Documents.AutoCreation;
import dev.weir.search.document.RefreshPolicy;
import dev.weir.search.document.WriteResult;
import dev.weir.search.execute.Hit;
import dev.weir.search.execute.SearchResponse;
import dev.weir.search.execute.TestSearches;
import dev.weir.search.index.IndexRequest;
import dev.weir.search.json.StrictJson;
import dev.weir.search.log.MemoryLog;
import dev.weir.search.log.MemoryTopics;
import dev.weir.search.model.ModelSetup;
import dev.weir.search.request.SearchRequestParser;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whole engine on disk, spoken to in JSON as over HTTP; single quotes stand for double ones.
 * Every call returns when what it asked for can be searched.
 */
public final class RunningEngine implements AutoCloseable {
  private final MemoryTopics topics;
  private final MemoryCatalog catalog;
  private final SearchEngine engine;

  private RunningEngine(
      Path directory, MemoryTopics topics, MemoryCatalog catalog, ModelSetup models) {
    this.topics = topics;
    this.catalog = catalog;
    this.engine =
        new SearchEngine(
            new SearchEngineConfig(directory, "node", 2, AutoCreation.ON, models),
            topics,
            catalog,
            InstantSource.system(),
            new Random(7));
    await(engine.start());
  }

  /** A new engine. */
  public static RunningEngine on(Path directory) {
    return on(directory, ModelSetup.NONE);
  }

  /** A new engine with models. */
  public static RunningEngine on(Path directory, ModelSetup models) {
    return new RunningEngine(
        directory, new MemoryTopics(MemoryLog.Commits.AT_ONCE), new MemoryCatalog(), models);
  }

  /** An engine over what an engine that was closed left behind. */
  public static RunningEngine on(Path directory, RunningEngine closed) {
    return on(directory, closed, ModelSetup.NONE);
  }

  /** An engine with models over what an engine that was closed left behind. */
  public static RunningEngine on(Path directory, RunningEngine closed, ModelSetup models) {
    return new RunningEngine(directory, closed.topics, closed.catalog, models);
  }

  /** The engine itself. */
  public SearchEngine engine() {
    return engine;
  }

  /** Creates an index. */
  public void create(String index, String body) {
    await(
        engine
            .indices()
            .create(index, IndexRequest.parse(JsonMapper.shared().readTree(json(body)))));
  }

  /** Changes settings. */
  public void set(String index, String settings) {
    await(engine.indices().putSettings(index, JsonMapper.shared().readTree(json(settings))));
  }

  /** Writes a document. */
  public void put(String index, String id, String source) {
    bulk(index, "{'index':{'_id':'" + id + "'}}\n" + source + "\n");
  }

  /** Writes documents, none of which is refused. */
  public void bulk(String index, String lines) {
    for (WriteResult result : write(index, lines)) {
      if (result.status() >= 300) {
        throw new AssertionError("refused: " + result);
      }
    }
  }

  /** Writes a document that is refused; gives the refusal as text. */
  public String refusal(String index, String id, String source) {
    WriteResult result =
        write(index, "{'index':{'_id':'" + id + "'}}\n" + source + "\n").getFirst();
    if (!(result instanceof WriteResult.Failed failed) || failed.status() != 400) {
      throw new AssertionError("not refused: " + result);
    }
    return TestSearches.json(failed.error()::write);
  }

  private List<WriteResult> write(String index, String lines) {
    List<BulkOperation> operations =
        BulkBody.parse(
            ByteBuffer.wrap(json(lines).getBytes(StandardCharsets.UTF_8)),
            index,
            BulkOperation.IndexCreation.AUTO);
    return await(engine.documents().bulk(operations, RefreshPolicy.WAIT_FOR));
  }

  /** The hits of a query, best first, all of them up to 10,000. */
  public List<Hit> search(String index, String query) {
    return respond(index, "{'size':10000,'query':" + query + "}").hits();
  }

  /** The answer to a search body. */
  public SearchResponse respond(String index, String body) {
    try (JsonParser in = StrictJson.parser(json(body))) {
      return engine.searches().search(index, SearchRequestParser.DEFAULT.parse(in, Map.of()));
    }
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private static <T> T await(CompletableFuture<T> future) {
    return future.orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    engine.close();
  }
}
