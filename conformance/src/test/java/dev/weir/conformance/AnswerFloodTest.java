package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Far more answers than the node has memory for: it gives those for which it has, refuses the
 * others, and lives. A third of the heap is for answers, so here 85 MiB.
 */
final class AnswerFloodTest {
  private static final int HEAP_MB = 256;
  private static final int CLIENTS = 16;
  private static final int ROUNDS = 2;
  private static final int DOCUMENTS = 600;
  private static final int DOCUMENT_BYTES = 48 << 10;
  private static final int DOCUMENTS_OF_BULK = 100;
  private static final int SMALL_OBJECTS = 1_200_000;

  @TempDir Path folder;
  private NodeProcess node;
  private RestFace face;

  @BeforeEach
  void start() {
    node = NodeProcess.startWithHeap(HEAP_MB, folder.resolve("data"));
    face = new RestFace(node);
    face.createIndex("books", 2);
    String text = "sea ".repeat(DOCUMENT_BYTES / 4);
    for (int i = 0; i < DOCUMENTS; i += DOCUMENTS_OF_BULK) {
      List<String> lines = new ArrayList<>();
      for (int n = i; n < i + DOCUMENTS_OF_BULK; n++) {
        lines.add("{\"index\":{\"_id\":\"" + n + "\"}}");
        lines.add("{\"n\":" + n + ",\"text\":\"" + text + "\"}");
      }
      assertThat(face.bulk("books", lines)).hasSize(DOCUMENTS_OF_BULK);
    }
    face.refresh("books");
  }

  @AfterEach
  void stop() {
    face.close();
    assertThat(node.log()).doesNotContain("OutOfMemory");
    assertThat(node.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
  }

  @Test
  void pagesOfLargeDocumentsAreAnsweredOrRefused() throws Exception {
    // Each for itself fits, so the first that finds no memory waits for it, and gets it.
    assertThat(flooded("/books/_search", "{\"size\":600}")).contains(200);
    assertThat(face.send("POST", "/books/_search", "{\"size\":600}").status()).isEqualTo(200);
  }

  @Test
  void otherLargeAnswersAreAnsweredOrRefused() throws Exception {
    String ids =
        IntStream.range(0, DOCUMENTS)
            .mapToObj(n -> "\"" + n + "\"")
            .collect(Collectors.joining(","));
    var _ = flooded("/books/_mget", "{\"ids\":[" + ids + "]}");
    var _ = flooded("/books/_msearch", "{}\n{\"size\":100}\n".repeat(10));
    var _ =
        flooded(
            "/books/_search",
            "{\"size\":200,\"_source\":false,\"query\":{\"match\":{\"text\":\"sea\"}},"
                + "\"highlight\":{\"number_of_fragments\":0,\"fields\":{\"text\":{}}}}");
    String named =
        IntStream.range(0, 500)
            .mapToObj(
                i -> "{\"range\":{\"n\":{\"gte\":-1,\"_name\":\"" + i + "x".repeat(1_000) + "\"}}}")
            .collect(Collectors.joining(","));
    var _ =
        flooded(
            "/books/_search", "{\"size\":600,\"query\":{\"bool\":{\"should\":[" + named + "]}}}");
  }

  /** A document of small objects, which are by far larger as objects than they are as text. */
  @Test
  void answersOfSmallObjectsAreFilteredOrRefused() throws Exception {
    String objects = "{\"a\":1},".repeat(SMALL_OBJECTS - 1) + "{\"a\":1}";
    String mapping =
        "{\"mappings\":{\"properties\":{\"o\":{\"type\":\"object\",\"enabled\":false}}}}";
    assertThat(face.send("PUT", "/small", mapping).status()).isEqualTo(200);
    String document = "{\"o\":[" + objects + "]}";
    assertThat(face.send("PUT", "/small/_doc/1?refresh=true", document).status()).isEqualTo(201);
    var _ = flooded("/small/_search?filter_path=**.a", "{}");
    assertThat(face.send("POST", "/small/_search?filter_path=**.a", "{}").status()).isEqualTo(200);
    var _ = flooded("/small/_search?pretty", "{}"); // with its spaces it is some 70 MB
  }

  /** Every client asks again and again; nothing may come back but an answer or a refusal. */
  private List<Integer> flooded(String path, String body) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
      List<Future<List<Integer>>> asked = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        asked.add(clients.submit(() -> rounds(path, body)));
      }
      for (Future<List<Integer>> each : asked) {
        statuses.addAll(each.get());
      }
    }
    assertThat(statuses).as(path).hasSize(CLIENTS * ROUNDS).isSubsetOf(200, 429);
    assertThat(face.get("/books/_search?size=1").at("/hits/hits/0/_id").isMissingNode()).isFalse();
    var breaker = face.get("/_nodes/stats/breaker").get("nodes").iterator().next();
    assertThat(breaker.at("/breakers/request/estimated_size_in_bytes").asLong()).isZero();
    return statuses;
  }

  private List<Integer> rounds(String path, String body) {
    List<Integer> statuses = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      statuses.add(face.send("POST", path, body).status());
    }
    return statuses;
  }
}
