package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.conformance.Packages.Document;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Real input, whole, through both faces: an index written with {@code _bulk} and one written by a
 * Kafka producer answer alike.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PackagesTest {
  private static final String BULK = "packages-bulk";
  private static final String PRODUCED = "packages-produced";
  private static final int REQUEST_DOCUMENTS = 1_000;

  @SuppressWarnings("UnnecessaryLambda")
  private static final Predicate<JsonNode> IS_ZOPE =
      source -> source.get("section").asString().equals("zope");

  private Packages packages = new Packages(List.of());
  private NodeProcess node;
  private RestFace rest;

  @BeforeAll
  void load(@TempDir Path folder) {
    ForeignProcess.assumeWanted("real input");
    packages = Packages.load();
    node = NodeProcess.start(folder.resolve("data"));
    rest = new RestFace(node);
    measure("_bulk", this::writeWithBulk);
    measure("a producer", this::writeWithProducer);
  }

  @AfterAll
  void stop() {
    if (node != null) {
      rest.close();
      node.close();
    }
  }

  private void measure(String by, Runnable load) {
    int documents = packages.documents().size();
    double cpuBefore = seconds(cpuTime());
    long startNs = System.nanoTime();
    load.run();
    double elapsed = seconds(Duration.ofNanos(System.nanoTime() - startNs));
    double cpu = seconds(cpuTime()) - cpuBefore;
    System.out.printf(
        "%,d packages searchable through %s in %.1f s: %,.0f a second, %,.0f a CPU second of the"
            + " node%n",
        documents, by, elapsed, documents / elapsed, documents / cpu);
  }

  /** Of the node since its start. */
  private Duration cpuTime() {
    return ProcessHandle.of(node.pid())
        .flatMap(process -> process.info().totalCpuDuration())
        .orElseThrow();
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / (double) TimeUnit.SECONDS.toNanos(1);
  }

  private void writeWithBulk() {
    JsonNode _ = rest.done("PUT", "/" + BULK, Packages.MAPPING);
    List<Document> documents = packages.documents();
    for (int from = 0; from < documents.size(); from += REQUEST_DOCUMENTS) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      for (Document document :
          documents.subList(from, Math.min(documents.size(), from + REQUEST_DOCUMENTS))) {
        body.writeBytes(
            ("{\"index\": {\"_id\": \"" + document.id() + "\"}}\n" + document.text() + "\n")
                .getBytes(StandardCharsets.UTF_8));
      }
      RestFace.Answer answer =
          rest.send("POST", "/" + BULK + "/_bulk?filter_path=errors", body.toByteArray());
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body().get("errors").asBoolean()).isFalse();
    }
    rest.refresh(BULK);
  }

  private void writeWithProducer() {
    JsonNode _ = rest.done("PUT", "/" + PRODUCED, Packages.MAPPING);
    Queue<Exception> problems = new ConcurrentLinkedQueue<>();
    try (Producer<String, String> producer = JavaClients.producer(node, Map.of("linger.ms", 5))) {
      for (Document document : packages.documents()) {
        var _ =
            producer.send(
                new ProducerRecord<>(PRODUCED, document.id(), document.text()),
                (_, problem) -> {
                  if (problem != null) {
                    problems.add(problem);
                  }
                });
      }
      producer.flush();
    }
    assertThat(problems).isEmpty();
    rest.refresh(PRODUCED);
  }

  @Test
  void everyDocumentIsThere() {
    for (String index : List.of(BULK, PRODUCED)) {
      assertThat(rest.get("/" + index + "/_count").get("count").asInt())
          .isEqualTo(packages.documents().size());
    }
  }

  @Test
  void bothIndexesAnswerAlike() {
    Map<String, String> bodies = PackageQueries.all(packages);
    assertThat(bodies).hasSize(20);
    bodies.forEach(
        (name, body) -> {
          Hits bulk = search(BULK, body);
          assertThat(bulk.hits()).as(name).isNotEmpty();
          assertThat(search(PRODUCED, body).settled()).as(name).isEqualTo(bulk.settled());
        });
  }

  @Test
  void hybridUnderZopeGivesExactlyTheFilteredDocuments() {
    List<String> zope = packages.nearest(Packages.vector(""), IS_ZOPE);
    assertThat(zope).hasSize(15);
    for (String index : List.of(BULK, PRODUCED)) {
      Hits hits = search(index, PackageQueries.zope(zope.size()));
      assertThat(hits.ids()).containsExactlyInAnyOrderElementsOf(zope);
      assertThat(hits.total()).isEqualTo(zope.size());
      assertThat(hits.hits()).extracting(hit -> -Double.parseDouble(hit.score())).isSorted();
    }
  }

  @Test
  void knnUnderZopeGivesTheNearestOfThem() {
    String text = "spam filter for mail";
    List<String> nearest = packages.nearest(Packages.vector(text), IS_ZOPE);
    for (String index : List.of(BULK, PRODUCED)) {
      for (int k = 1; k <= nearest.size(); k++) {
        assertThat(search(index, PackageQueries.knn(text, k, PackageQueries.ZOPE)).ids())
            .as("k=%d", k)
            .hasSize(k)
            .containsExactlyInAnyOrderElementsOf(nearest.subList(0, k));
      }
    }
  }

  private record Hit(String id, String score) {}

  /**
   * An answer.
   *
   * @param isCut whether there are more hits than were asked for
   */
  private record Hits(long total, List<Hit> hits, boolean isCut) {
    List<String> ids() {
      return hits.stream().map(Hit::id).toList();
    }

    /**
     * What does not hang on where documents lie in an index: those of equal score in the order of
     * their ids; without ids where a cut goes through them.
     */
    Hits settled() {
      List<Hit> settled = new ArrayList<>();
      String last = hits.isEmpty() ? "" : hits.getLast().score();
      for (Hit hit : hits) {
        settled.add(isCut && hit.score().equals(last) ? new Hit("", last) : hit);
      }
      settled.sort(Comparator.comparing(Hit::score).thenComparing(Hit::id));
      return new Hits(total, settled, isCut);
    }
  }

  private Hits search(String index, String body) {
    JsonNode answer = rest.done("POST", "/" + index + "/_search", body);
    assertThat(answer.at("/_shards/failed").asInt()).isZero();
    List<Hit> hits = new ArrayList<>();
    for (JsonNode hit : answer.at("/hits/hits")) {
      JsonNode order = hit.path("sort");
      hits.add(
          new Hit(
              hit.get("_id").asString(),
              order.isMissingNode() ? hit.get("_score").toString() : order.toString()));
    }
    long total = answer.at("/hits/total/value").asLong();
    return new Hits(total, hits, total > hits.size());
  }
}
