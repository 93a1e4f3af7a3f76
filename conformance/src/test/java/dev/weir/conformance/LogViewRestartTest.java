package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What an index is after its node went and came back, in either way of going. */
final class LogViewRestartTest {
  private static final String INDEX = "birds";
  private static final int SHARDS = 3;
  private static final String MATCH_ALL = "{\"match_all\": {}}";

  /** How a node goes. */
  enum Going {
    TERMINATED {
      @Override
      void end(NodeProcess node) {
        assertThat(node.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
      }
    },
    KILLED {
      @Override
      void end(NodeProcess node) {
        node.kill();
      }
    };

    abstract void end(NodeProcess node);
  }

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void definitionsDocumentsAndTheirVersionsAreThereAgain(Going going) {
    Path data = folder.resolve("data");
    JsonNode mapping;
    JsonNode settings;
    JsonNode pipeline;
    try (NodeProcess node = NodeProcess.start(data);
        RestFace rest = new RestFace(node)) {
      rest.createIndex(INDEX, SHARDS);
      JsonNode _ =
          rest.done(
              "PUT",
              "/_search/pipeline/mixed",
              """
              {"phase_results_processors": [{"normalization-processor": {
                "normalization": {"technique": "l2"},
                "combination": {"technique": "arithmetic_mean",
                                "parameters": {"weights": [0.3, 0.7]}}}}]}
              """);
      JsonNode _ = rest.done("PUT", "/" + INDEX + "/_doc/heron?refresh=true", "{\"n\": 1}");
      // Makes the mapping grow by a field of a type that was guessed.
      JsonNode _ = rest.done("PUT", "/" + INDEX + "/_doc/heron", "{\"n\": 2, \"wings\": 2}");
      JsonNode _ = rest.done("PUT", "/" + INDEX + "/_doc/trout", "{\"n\": 3}");
      JsonNode _ = rest.done("DELETE", "/" + INDEX + "/_doc/trout", "");
      mapping = rest.get("/" + INDEX + "/_mapping");
      settings = rest.get("/" + INDEX + "/_settings");
      pipeline = rest.get("/_search/pipeline/mixed");
      going.end(node);
    }
    assertThat(mapping.at("/birds/mappings/properties/wings/type").asString()).isEqualTo("long");
    try (NodeProcess node = NodeProcess.start(data);
        RestFace rest = new RestFace(node)) {
      assertThat(rest.get("/" + INDEX + "/_mapping")).isEqualTo(mapping);
      assertThat(rest.get("/" + INDEX + "/_settings")).isEqualTo(settings);
      assertThat(rest.get("/_search/pipeline/mixed")).isEqualTo(pipeline);
      rest.refresh(INDEX);
      assertThat(rest.ids(INDEX, MATCH_ALL)).containsExactly("heron");
      JsonNode document = rest.get("/" + INDEX + "/_doc/heron");
      assertThat(document.get("_version").asInt()).isEqualTo(2);
      assertThat(document.at("/_source/n").asInt()).isEqualTo(2);
      assertThat(
              rest.done("PUT", "/" + INDEX + "/_doc/trout", "{\"n\": 4}").get("_version").asInt())
          .as("a deletion is a version too")
          .isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void primaryTermIsTheLeaderEpochPlusOneWhichRisesWhenRecordsMayBeLost(Going going) {
    Path data = folder.resolve("data");
    JsonNode first;
    try (NodeProcess node = NodeProcess.start(data);
        RestFace rest = new RestFace(node)) {
      rest.createIndex(INDEX, 1);
      first = rest.done("PUT", "/" + INDEX + "/_doc/heron", "{\"n\": 1}");
      going.end(node);
    }
    try (NodeProcess node = NodeProcess.start(data);
        RestFace rest = new RestFace(node)) {
      JsonNode second = rest.done("PUT", "/" + INDEX + "/_doc/trout", "{\"n\": 2}");

      int rise = second.get("_primary_term").asInt() - first.get("_primary_term").asInt();
      switch (going) {
        case TERMINATED -> assertThat(rise).isZero();
        case KILLED -> assertThat(rise).isPositive();
      }
      List<ConsumerRecord<String, String>> records = consume(node, 1, 2);
      assertPlaced(first, records.get(0));
      assertPlaced(second, records.get(1));
      assertPlaced(rest.get("/" + INDEX + "/_doc/heron"), records.get(0));
      assertPlaced(rest.get("/" + INDEX + "/_doc/trout"), records.get(1));
    }
  }

  private static void assertPlaced(JsonNode document, ConsumerRecord<String, String> record) {
    assertThat(document.get("_id").asString()).isEqualTo(record.key());
    assertThat(document.get("_seq_no").asLong()).isEqualTo(record.offset());
    assertThat(document.get("_primary_term").asInt())
        .isEqualTo(record.leaderEpoch().orElseThrow() + 1);
  }

  @ParameterizedTest
  @EnumSource
  void documentsAwayFromHomeStaySingle(Going going) {
    Path data = folder.resolve("data");
    int documents = 60;
    long laterMs = System.currentTimeMillis() + 1000;
    try (NodeProcess node = NodeProcess.start(data);
        RestFace rest = new RestFace(node);
        Producer<String, String> producer = JavaClients.producer(node, Map.of())) {
      rest.createIndex(INDEX, SHARDS);
      // Each id in all partitions; the newest record in the one of its number.
      for (int n = 0; n < documents; n++) {
        for (int round = 1; round <= SHARDS; round++) {
          var _ =
              producer.send(
                  new ProducerRecord<>(
                      INDEX,
                      (n + round) % SHARDS,
                      laterMs + round,
                      "" + n,
                      "{\"n\": " + round + "}"));
        }
      }
      producer.flush();
      rest.refresh(INDEX);
      assertNewestOnly(rest, documents);
      going.end(node);
    }
    try (NodeProcess node = NodeProcess.start(data);
        RestFace rest = new RestFace(node)) {
      rest.refresh(INDEX);
      assertNewestOnly(rest, documents);
      for (int n = 0; n < documents; n++) {
        JsonNode before = rest.get("/" + INDEX + "/_doc/" + n);
        JsonNode _ =
            rest.done("POST", "/" + INDEX + "/_update/" + n, "{\"doc\": {\"seen\": true}}");
        JsonNode after = rest.get("/" + INDEX + "/_doc/" + n);
        assertThat(after.at("/_source/n").asInt()).isEqualTo(SHARDS);
        assertThat(after.at("/_source/seen").asBoolean()).isTrue();
        assertThat(after.get("_seq_no").asLong()).isGreaterThan(before.get("_seq_no").asLong());
      }
      rest.refresh(INDEX);
      assertNewestOnly(rest, documents);
      going.end(node);
    }
    try (NodeProcess node = NodeProcess.start(data);
        RestFace rest = new RestFace(node)) {
      rest.refresh(INDEX);
      assertNewestOnly(rest, documents);
      assertThat(rest.ids(INDEX, "{\"term\": {\"seen\": true}}")).hasSize(documents);
    }
  }

  private static void assertNewestOnly(RestFace rest, int documents) {
    assertThat(rest.ids(INDEX, MATCH_ALL)).hasSize(documents).doesNotHaveDuplicates();
    assertThat(rest.ids(INDEX, "{\"term\": {\"n\": " + SHARDS + "}}")).hasSize(documents);
    assertThat(rest.get("/" + INDEX + "/_count").get("count").asInt()).isEqualTo(documents);
  }

  private static List<ConsumerRecord<String, String>> consume(
      NodeProcess node, int partitions, int count) {
    try (Consumer<String, String> consumer = JavaClients.consumer(node, Map.of())) {
      List<TopicPartition> all =
          IntStream.range(0, partitions)
              .mapToObj(partition -> new TopicPartition(INDEX, partition))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      return JavaClients.poll(consumer, count);
    }
  }
}
