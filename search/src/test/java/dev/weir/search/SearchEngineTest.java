package dev.weir.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.catalog.MemoryCatalog;
import dev.weir.search.document.BulkBody;
import dev.weir.search.document.BulkOperation;
import dev.weir.search.document.Documents.AutoCreation;
import dev.weir.search.document.GetResult;
import dev.weir.search.document.RefreshPolicy;
import dev.weir.search.document.WriteResult;
import dev.weir.search.execute.Hit;
import dev.weir.search.index.IndexRequest;
import dev.weir.search.log.MemoryLog;
import dev.weir.search.log.MemoryTopics;
import dev.weir.search.model.ModelSetup;
import dev.weir.search.request.SearchRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The whole engine with its threads, on disk. */
final class SearchEngineTest {

  private static final int WRITERS = 4;
  private static final int DOCUMENTS = 50;

  private final MemoryTopics topics = new MemoryTopics(MemoryLog.Commits.AT_ONCE);
  private final MemoryCatalog catalog = new MemoryCatalog();
  private @TempDir Path directory;

  @Test
  void documentsOfManyWritersAreFoundAtOnceAndAfterARestart() {
    try (SearchEngine engine = start()) {
      await(engine.indices().create("books", request("{\"settings\":{\"number_of_shards\":3}}")));
      List<CompletableFuture<List<WriteResult>>> writes = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        writes.add(engine.documents().bulk(bulk(writer), RefreshPolicy.WAIT_FOR));
      }
      for (int i = 0; i < DOCUMENTS; i++) {
        topics.log("books", i % 3).produce(i, "produced-" + i, "{\"n\":" + i + "}");
      }
      writes.forEach(
          write ->
              assertThat(await(write))
                  .allSatisfy(result -> assertThat(result.status()).isEqualTo(201)));
      await(engine.indices().refresh("books"));
      assertThat(total(engine)).isEqualTo((WRITERS + 1) * DOCUMENTS);
      assertThat(await(engine.documents().get("books", "produced-7")))
          .isInstanceOf(GetResult.Found.class);
    }
    topics.log("books", 0).produce(1, "later", "{}");
    try (SearchEngine engine = start()) {
      assertThat(total(engine)).isEqualTo((WRITERS + 1) * DOCUMENTS + 1);
      await(engine.indices().delete("books"));
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aWriteThatWaitedIsInTheNextSearch() {
    try (SearchEngine engine = start()) {
      for (int i = 0; i < 5; i++) {
        await(
            engine
                .documents()
                .write(
                    BulkBody.parse(
                            bytes("{\"index\":{\"_index\":\"books\"}}\n{\"n\":" + i + "}\n"),
                            null,
                            BulkOperation.IndexCreation.AUTO)
                        .getFirst(),
                    RefreshPolicy.WAIT_FOR));
        assertThat(total(engine)).isEqualTo(i + 1);
      }
    }
  }

  private SearchEngine start() {
    SearchEngine engine =
        new SearchEngine(
            new SearchEngineConfig(directory, "node", 2, AutoCreation.ON, ModelSetup.NONE),
            topics,
            catalog,
            InstantSource.system(),
            new Random(7));
    await(engine.start());
    return engine;
  }

  private static List<BulkOperation> bulk(int writer) {
    StringBuilder body = new StringBuilder();
    IntStream.range(0, DOCUMENTS)
        .forEach(
            i ->
                body.append("{\"index\":{\"_id\":\"" + writer + "-" + i + "\"}}\n")
                    .append("{\"writer\":" + writer + ",\"text\":\"number " + i + "\"}\n"));
    return BulkBody.parse(bytes(body.toString()), "books", BulkOperation.IndexCreation.AUTO);
  }

  private static long total(SearchEngine engine) {
    var response = engine.searches().search("books", SearchRequest.DEFAULT);
    Set<String> ids = new HashSet<>();
    for (Hit hit : response.hits()) {
      assertThat(ids.add(hit.id())).isTrue();
    }
    return Objects.requireNonNull(response.total()).value();
  }

  private static <T> T await(CompletableFuture<T> future) {
    return future.orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static IndexRequest request(String json) {
    return IndexRequest.parse(JsonMapper.shared().readTree(json));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
