package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.MissingNode;

/** The HTTP face of a node, as bare requests and their JSON. Safe for use by any thread. */
final class RestFace implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();

  private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

  /** What came back; a missing node for a body that is empty. */
  record Answer(int status, JsonNode body) {}

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String address;

  RestFace(NodeProcess node) {
    this.address = "http://" + node.http();
  }

  /**
   * Sends a request and waits for the answer, whatever its status.
   *
   * @throws UncheckedIOException if the connection breaks
   */
  Answer send(String method, String path, String body) {
    return send(method, path, body.getBytes(StandardCharsets.UTF_8));
  }

  /** The same, of bytes. */
  Answer send(String method, String path, byte[] body) {
    String contentType = path.contains("_bulk") ? "application/x-ndjson" : "application/json";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + path))
            .timeout(ANSWER_MAX)
            .header("Content-Type", contentType)
            .method(method, BodyPublishers.ofByteArray(body))
            .build();
    try {
      HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
      byte[] answer = response.body();
      return new Answer(
          response.statusCode(),
          answer.length == 0 ? MissingNode.getInstance() : JSON.readTree(answer));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** The body of an answer that must be a good one. */
  JsonNode done(String method, String path, String body) {
    Answer answer = send(method, path, body);
    assertThat(answer.status()).as("%s %s: %s", method, path, answer.body()).isBetween(200, 299);
    return answer.body();
  }

  JsonNode get(String path) {
    return done("GET", path, "");
  }

  /** Makes an index that has {@code n}, a long, and {@code text}. */
  void createIndex(String index, int shards) {
    var _ =
        done(
            "PUT",
            "/" + index,
            """
            {"settings": {"number_of_shards": %d, "number_of_replicas": 0},
             "mappings": {"properties": {"n": {"type": "long"}, "text": {"type": "text"}}}}
            """
                .formatted(shards));
  }

  void refresh(String index) {
    var _ = done("POST", "/" + index + "/_refresh", "");
  }

  /** Sends bulk lines; every item must succeed, but for a deletion of what is not there. */
  List<JsonNode> bulk(String index, List<String> lines) {
    JsonNode answer = done("POST", "/" + index + "/_bulk", String.join("\n", lines) + "\n");
    assertThat(answer.get("errors").asBoolean()).as("%s", answer).isFalse();
    List<JsonNode> items = new ArrayList<>();
    answer.get("items").forEach(item -> items.add(item.iterator().next()));
    return items;
  }

  /** Ids of the hits of a query, in their order. */
  List<String> ids(String index, String query) {
    JsonNode answer =
        done("POST", "/" + index + "/_search", "{\"size\": 1000, \"query\": " + query + "}");
    List<String> ids = new ArrayList<>();
    answer.get("hits").get("hits").forEach(hit -> ids.add(hit.get("_id").asString()));
    assertThat(answer.get("hits").get("total").get("value").asInt()).isEqualTo(ids.size());
    return ids;
  }

  @Override
  public void close() {
    client.close();
  }
}
