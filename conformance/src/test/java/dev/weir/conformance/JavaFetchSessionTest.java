package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java client's consumer of many partitions fetches in a session, by the node's own count. */
final class JavaFetchSessionTest {
  private static final String TOPIC = "many";
  private static final int PARTITIONS = 300;
  private static final Duration POLL = Duration.ofMillis(200);

  @TempDir private Path folder;
  private NodeProcess node;
  private RestFace rest;
  private Consumer<String, String> consumer;

  @BeforeEach
  void consumerOfAll() {
    node = NodeProcess.start(folder.resolve("data"));
    rest = new RestFace(node);
    JavaClients.createTopic(node, TOPIC, PARTITIONS);
    consumer = JavaClients.consumer(node, Map.of());
    List<TopicPartition> all =
        IntStream.range(0, PARTITIONS).mapToObj(n -> new TopicPartition(TOPIC, n)).toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    pollUntilIncremental(3);
  }

  @AfterEach
  void stop() {
    consumer.close();
    rest.close();
    node.close();
  }

  private void pollUntilIncremental(long fetches) {
    long before = counted("incremental_fetches");
    Eventually.holds(
        "incremental fetches",
        () -> {
          assertThat(consumer.poll(POLL)).isEmpty();
          return counted("incremental_fetches") - before >= fetches;
        });
  }

  private long counted(String name) {
    return rest.send("GET", "/_nodes/stats", "")
        .body()
        .at("/nodes")
        .iterator()
        .next()
        .at("/weir/fetch_sessions/" + name)
        .asLong();
  }

  @Test
  void itKeepsOneSessionAndIdleFetchesLookAtNothing() {
    assertThat(counted("current")).isOne();
    assertThat(counted("partitions")).isEqualTo(PARTITIONS);
    long looks = counted("looks");
    pollUntilIncremental(4);
    assertThat(counted("looks")).isEqualTo(looks);
    assertThat(counted("begun")).isOne();
  }

  @Test
  void recordsOfAllPartitionsComeInTheSession() {
    try (Producer<String, String> producer = JavaClients.producer(node, Map.of())) {
      for (int number = 0; number < PARTITIONS; number++) {
        RecordMetadata _ =
            JavaClients.done(
                producer.send(new ProducerRecord<>(TOPIC, number, "key", "value " + number)));
      }
    }
    assertThat(JavaClients.poll(consumer, PARTITIONS))
        .extracting(ConsumerRecord::partition)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, PARTITIONS).boxed().toList());
    assertThat(counted("current")).isOne();
    assertThat(counted("begun")).isOne();
    assertThat(counted("refused")).isZero();
  }

  @Test
  void itsSessionEndsWithIt() {
    consumer.close();
    Eventually.holds("no session is left", () -> counted("current") == 0);
    assertThat(counted("size_in_bytes")).isZero();
  }
}
