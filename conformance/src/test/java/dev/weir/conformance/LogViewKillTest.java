package dev.weir.conformance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Kill -9 while documents come in through both faces at once. */
final class LogViewKillTest {
  private static final String INDEX = "written-to";
  private static final int SHARDS = 3;
  private static final int KILL_COUNT = 3;
  private static final int WRITES_BETWEEN_KILLS = 1_000;
  private static final int PRODUCED_IDS = 100;
  private static final Duration POLL = Duration.ofMillis(100);

  @TempDir private Path folder;

  private record Place(int partition, long offset) {}

  /** Records that the producer was told of, by place. */
  private final Queue<Map.Entry<Place, String>> produced = new ConcurrentLinkedQueue<>();

  private final Queue<Exception> givenUp = new ConcurrentLinkedQueue<>();
  private int sentCount;

  @Test
  void nothingAcknowledgedIsLostAndNothingIsDoubled() {
    Path data = folder.resolve("data");
    NodeProcess node = NodeProcess.start(data);
    BulkLoad bulk = new BulkLoad(INDEX);
    try (RestFace rest = new RestFace(node)) {
      rest.createIndex(INDEX, SHARDS);
    }
    try (Producer<String, String> producer = producer(node)) {
      for (int kill = 0; kill < KILL_COUNT; kill++) {
        bulk.start(node);
        send(producer, WRITES_BETWEEN_KILLS);
        producer.flush();
        bulk.awaitAcknowledged(WRITES_BETWEEN_KILLS);
        send(producer, WRITES_BETWEEN_KILLS);
        node.kill();
        bulk.awaitBroken();
        node = NodeProcess.startOn(node.kafka(), data);
      }
      producer.flush();
      assertThat(givenUp).isEmpty();
      assertThat(produced).hasSize(sentCount);

      Map<Place, ConsumerRecord<String, String>> log = readLog(node);
      assertAcknowledgedIsStored(bulk, log);
      assertNothingIsDoubled(log);
      assertIndexIsTheLog(node, log);
      node.kill();
      node = NodeProcess.startOn(node.kafka(), data);
      assertIndexIsTheLog(node, log);
    } finally {
      node.close();
    }
  }

  private static Producer<String, String> producer(NodeProcess node) {
    return JavaClients.producer(
        node,
        Map.of(
            "linger.ms", 1,
            "reconnect.backoff.max.ms", 100,
            "retry.backoff.max.ms", 100,
            "request.timeout.ms", 20_000,
            "delivery.timeout.ms", 60_000));
  }

  /** Hands records to the client, which goes on with them whatever befalls the node. */
  private void send(Producer<String, String> producer, int count) {
    for (int i = 0; i < count; i++, sentCount++) {
      String value = "{\"n\": " + sentCount + "}";
      var _ =
          producer.send(
              new ProducerRecord<>(INDEX, "produced-" + sentCount % PRODUCED_IDS, value),
              (metadata, problem) -> {
                if (problem == null) {
                  produced.add(
                      Map.entry(new Place(metadata.partition(), metadata.offset()), value));
                } else {
                  givenUp.add(problem);
                }
              });
    }
  }

  private static Map<Place, ConsumerRecord<String, String>> readLog(NodeProcess node) {
    try (Consumer<String, String> consumer = JavaClients.consumer(node, Map.of())) {
      List<TopicPartition> partitions =
          IntStream.range(0, SHARDS).mapToObj(p -> new TopicPartition(INDEX, p)).toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      Map<Place, ConsumerRecord<String, String>> log = new HashMap<>();
      Eventually.holds(
          "the log is read to its end",
          () -> {
            consumer
                .poll(POLL)
                .forEach(record -> log.put(new Place(record.partition(), record.offset()), record));
            return partitions.stream()
                .allMatch(
                    partition ->
                        consumer.position(partition) >= requireNonNull(ends.get(partition)));
          });
      return log;
    }
  }

  private void assertAcknowledgedIsStored(
      BulkLoad bulk, Map<Place, ConsumerRecord<String, String>> log) {
    for (BulkLoad.Acknowledged write : bulk.acknowledged()) {
      Place place = new Place(home(write.id()), write.offset());
      assertThat(log).as("record of %s", write).containsKey(place);
      ConsumerRecord<String, String> record = requireNonNull(log.get(place));
      assertThat(record.key()).isEqualTo(write.id());
      assertThat(String.valueOf(record.value())).isEqualTo(write.value());
    }
    produced.forEach(
        record -> {
          assertThat(log).containsKey(record.getKey());
          assertThat(requireNonNull(log.get(record.getKey())).value()).isEqualTo(record.getValue());
        });
  }

  /** Numbers are used once by each writer. */
  private static void assertNothingIsDoubled(Map<Place, ConsumerRecord<String, String>> log) {
    List<String> values = new ArrayList<>();
    for (ConsumerRecord<String, String> record : log.values()) {
      if (record.value() != null) {
        values.add(record.key() + " " + record.value());
      }
    }
    assertThat(values).doesNotHaveDuplicates();
  }

  /** Every id is the last record of its key; its version tells how many there were. */
  private static void assertIndexIsTheLog(
      NodeProcess node, Map<Place, ConsumerRecord<String, String>> log) {
    Map<String, ConsumerRecord<String, String>> lastById = new HashMap<>();
    Map<String, Integer> countById = new HashMap<>();
    for (ConsumerRecord<String, String> record : log.values()) {
      assertThat(record.partition()).isEqualTo(home(record.key()));
      lastById.merge(
          record.key(), record, (one, other) -> one.offset() > other.offset() ? one : other);
      countById.merge(record.key(), 1, Integer::sum);
    }
    List<String> live = new ArrayList<>();
    try (RestFace rest = new RestFace(node)) {
      lastById.forEach(
          (id, record) -> {
            RestFace.Answer answer = rest.send("GET", "/" + INDEX + "/_doc/" + id, "");
            if (record.value() == null) {
              assertThat(answer.status()).as("%s: %s", id, answer.body()).isEqualTo(404);
              return;
            }
            live.add(id);
            JsonNode document = answer.body();
            assertThat(answer.status()).as("%s: %s", id, document).isEqualTo(200);
            assertThat(document.get("_seq_no").asLong()).as(id).isEqualTo(record.offset());
            assertThat(document.get("_primary_term").asInt())
                .as(id)
                .isEqualTo(record.leaderEpoch().orElseThrow() + 1);
            assertThat(document.get("_version").asInt()).as(id).isEqualTo(countById.get(id));
            assertThat(document.get("_source")).isEqualTo(RestFace.JSON.readTree(record.value()));
          });
      rest.refresh(INDEX);
      assertThat(rest.ids(INDEX, "{\"match_all\": {}}")).containsExactlyInAnyOrderElementsOf(live);
    }
  }

  private static int home(String id) {
    return Utils.toPositive(Utils.murmur2(id.getBytes(StandardCharsets.UTF_8))) % SHARDS;
  }
}
