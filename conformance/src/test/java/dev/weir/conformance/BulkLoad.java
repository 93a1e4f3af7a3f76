package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import tools.jackson.databind.JsonNode;

/**
 * Sends numbered documents with {@code _bulk}, one request after the other, until the node is gone:
 * each id again and again, also within a request, and each tenth write a deletion. A request that
 * got no answer is not sent again.
 */
final class BulkLoad {
  /** Fewer than the writes of a request; shares no factor with {@link #DELETE_EVERY}. */
  static final int ID_COUNT = 101;

  private static final int REQUEST_WRITES = 150;
  private static final int DELETE_EVERY = 10;

  /**
   * A write that the node has confirmed.
   *
   * @param value of its record; "null" for a tombstone
   */
  record Acknowledged(String id, String value, long offset) {}

  private final String index;
  private final List<Acknowledged> acknowledged = new CopyOnWriteArrayList<>();
  private int number; // of the running thread
  private FutureTask<String> running = new FutureTask<>(() -> "not started");

  BulkLoad(String index) {
    this.index = index;
  }

  /** Starts sending. */
  void start(NodeProcess node) {
    running = new FutureTask<>(() -> sendUntilBroken(node));
    Thread.ofPlatform().name("bulk-load").start(running);
  }

  /** Waits until so many more writes are confirmed. */
  void awaitAcknowledged(int moreCount) {
    int wanted = acknowledged.size() + moreCount;
    Eventually.holds(
        wanted + " writes with _bulk",
        () -> {
          assertThat(running.isDone()).as("the load ended").isFalse();
          return acknowledged.size() >= wanted;
        });
  }

  /** Waits until the sender has found that the node is gone. */
  void awaitBroken() {
    assertThat(JavaClients.done(running)).isNotEmpty();
  }

  /** All confirmed writes in their order. */
  List<Acknowledged> acknowledged() {
    return List.copyOf(acknowledged);
  }

  private String sendUntilBroken(NodeProcess node) {
    try (RestFace rest = new RestFace(node)) {
      while (true) {
        List<String> lines = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < REQUEST_WRITES; i++, number++) {
          addWrite(lines, values);
        }
        List<JsonNode> items = rest.bulk(index, lines);
        List<Acknowledged> confirmed = new ArrayList<>();
        for (int i = 0; i < REQUEST_WRITES; i++) {
          JsonNode item = items.get(i);
          String id = item.get("_id").asString();
          if (!item.get("result").asString().equals("not_found")) {
            confirmed.add(new Acknowledged(id, values.get(i), item.get("_seq_no").asLong()));
          }
        }
        acknowledged.addAll(confirmed);
      }
    } catch (UncheckedIOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void addWrite(List<String> lines, List<String> values) {
    String id = "bulk-" + number % ID_COUNT;
    if (number % DELETE_EVERY == DELETE_EVERY - 1) {
      lines.add("{\"delete\": {\"_id\": \"" + id + "\"}}");
      values.add("null");
    } else {
      String value = "{\"n\": " + number + "}";
      lines.add("{\"index\": {\"_id\": \"" + id + "\"}}");
      lines.add(value);
      values.add(value);
    }
  }
}
