package dev.weir.rest;

import dev.weir.rest.IncomingRequest.Reception;
import dev.weir.search.SearchEngine;
import dev.weir.search.SearchEngineConfig;
import dev.weir.search.document.Documents.AutoCreation;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerMemory;
import dev.weir.search.model.ModelSetup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** All routes over a real engine over a log in memory, without a socket between. */
final class TestFace implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-11-30T12:34:56Z");
  static final NodeIdentity NODE =
      new NodeIdentity(
          "node-1",
          "abc",
          "weir",
          "cluster-uuid",
          new NodeIdentity.Build("0.1.0", "0f1e2d", Instant.parse("2026-11-01T00:00:00Z")));

  private static final int BODY_BYTES_MAX = 1_000_000;

  /** What came back. */
  record Answer(int status, String contentType, String body) {
    JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }

    /** A value by its JSON pointer, as text; "absent" where there is none. */
    String at(String pointer) {
      JsonNode node = json().at(pointer);
      return node.isMissingNode() ? "absent" : node.asString(node.toString());
    }
  }

  private final SearchEngine engine;
  private volatile CompactionView.Overview compaction =
      new CompactionView.Overview(
          List.of(),
          new CompactionView.Totals(0, 0, 0, 0, 0, 0, 0, 0, 0),
          OptionalLong.empty(),
          300_000);
  private final AtomicInteger compactionReads = new AtomicInteger();
  private final HttpCounters counters = new HttpCounters();
  private final Dispatcher dispatcher;

  TestFace(Path directory) {
    this(directory, ModelSetup.NONE);
  }

  TestFace(Path directory, ModelSetup models) {
    this(new SearchEngineConfig(directory, "abc", 2, AutoCreation.ON, models));
  }

  /** One whose answers have so much memory together. */
  TestFace(Path directory, AnswerMemory answers) {
    this(new SearchEngineConfig(directory, "abc", 2, AutoCreation.ON, ModelSetup.NONE, answers));
  }

  private TestFace(SearchEngineConfig config) {
    this.engine =
        new SearchEngine(
            config,
            new MemoryLogTopics(),
            new MemoryCatalogLog(),
            InstantSource.fixed(NOW),
            new Random(7));
    engine.start().join();
    this.dispatcher =
        new Dispatcher(
            Routes.of(services(), BODY_BYTES_MAX, counters),
            Runnable::run,
            BODY_BYTES_MAX,
            counters,
            engine.answerMemory());
  }

  /** JSON that is written with single quotes. */
  static String json(String text) {
    return text.replace('\'', '"');
  }

  /** Writes documents under the ids from 1 on, and lets searches see them. */
  void fill(String index, String... documents) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < documents.length; i++) {
      lines.append("{\"index\":{\"_id\":\"").append(i + 1).append("\"}}\n");
      lines.append(json(documents[i])).append('\n');
    }
    Answer written = post("/" + index + "/_bulk?refresh=true", lines.toString());
    if (!written.at("/errors").equals("false")) {
      throw new AssertionError(written.body());
    }
  }

  /** Creates the index [shop]: the nearest document is out of stock. */
  void openShop() {
    put(
        "/shop",
        json(
            "{'mappings':{'properties':{'stock':{'type':'boolean'},'t':{'type':'text'},"
                + "'parts':{'type':'nested','properties':{'w':"
                + "{'type':'knn_vector','dimension':2,'space_type':'l2'}}},"
                + "'v':{'type':'knn_vector','dimension':2,'space_type':'l2'}}}}"));
    putInShop("near", "{'stock':false,'t':'red','v':[0,0],'parts':[{'w':[0,0]},{'w':[1,1]}]}");
    putInShop("far", "{'stock':true,'t':'red','v':[5,5],'parts':[{'w':[5,5]}]}");
    putInShop("farther", "{'stock':true,'t':'blue','v':[9,9]}");
    post("/shop/_refresh", "");
  }

  private void putInShop(String id, String document) {
    Answer written = put("/shop/_doc/" + id, json(document));
    if (written.status() != 201) {
      throw new AssertionError(written.body());
    }
  }

  /** What the node tells of compaction from now on. */
  void compactionIs(CompactionView.Overview overview) {
    compaction = overview;
  }

  /** How often the node was asked for it. */
  int compactionReads() {
    return compactionReads.get();
  }

  RestServices services() {
    CompactionView counted =
        _ -> {
          compactionReads.incrementAndGet();
          return compaction;
        };
    return new RestServices(
        NODE,
        engine,
        counted,
        () -> new FetchSessionCounts(0, 0, 0, 0, 0, 0, 0, 0, 0),
        InstantSource.fixed(NOW));
  }

  Answer get(String uri) {
    return send("GET", uri, "");
  }

  Answer post(String uri, String body) {
    return send("POST", uri, body);
  }

  Answer put(String uri, String body) {
    return send("PUT", uri, body);
  }

  Answer delete(String uri) {
    return send("DELETE", uri, "");
  }

  Answer send(String method, String uri, String body) {
    return begin(method, uri, body).join();
  }

  /** Sends a request whose answer may have to wait. */
  CompletableFuture<Answer> begin(String method, String uri, String body) {
    IncomingRequest request =
        new IncomingRequest(
            method,
            uri,
            List.of("application/json"),
            body.getBytes(StandardCharsets.UTF_8),
            Reception.WHOLE,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 9200));
    AnswerBudget budget = engine.answerMemory().open();
    return dispatcher
        .handle(request, budget)
        .orTimeout(30, TimeUnit.SECONDS)
        .thenApply(
            response ->
                new Answer(
                    response.status(),
                    response.contentType(),
                    new String(response.body().bytes(), StandardCharsets.UTF_8)))
        .whenComplete((_, _) -> budget.close());
  }

  @Override
  public void close() {
    engine.close();
  }
}
