package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kcat, the command line over librdkafka, as people use it. */
@ExtendWith(SharedNode.class)
final class KcatTest {
  private static final int RECORD_COUNT = 30;

  private final NodeProcess node;
  private final String topic;

  KcatTest(NodeProcess node, TestInfo test) {
    this.node = node;
    this.topic = "kcat-" + test.getTestMethod().orElseThrow().getName();
  }

  @BeforeEach
  void needsKcat() {
    ForeignProcess.assumeWanted("kcat");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
  void producedRecordsComeBackWithTheirKeys(String codec) {
    String compressed = topic + "-" + codec;
    JavaClients.createTopic(node, compressed, 1);
    List<String> records =
        IntStream.range(0, RECORD_COUNT).mapToObj(i -> "key " + i + ":value " + i).toList();
    List<String> _ = kcat(records, "-P", "-t", compressed, "-K:", "-z", codec);
    assertThat(consume(compressed, "-o", "beginning", "-f", "%k:%s\n")).isEqualTo(records);
    try (Consumer<String, String> consumer = JavaClients.consumer(node, Map.of())) {
      consumer.assign(List.of(new TopicPartition(compressed, 0)));
      assertThat(JavaClients.poll(consumer, RECORD_COUNT))
          .extracting(ConsumerRecord::key)
          .startsWith("key 0", "key 1");
    }
  }

  @Test
  void idempotentProducerStoresOnce() {
    JavaClients.createTopic(node, topic, 1);
    List<String> values = IntStream.range(0, RECORD_COUNT).mapToObj(i -> "value " + i).toList();
    List<String> _ = kcat(values, "-P", "-t", topic, "-X", "enable.idempotence=true");
    assertThat(consume(topic, "-o", "beginning", "-f", "%s\n")).isEqualTo(values);
  }

  @Test
  void tombstoneIsARecordWithoutAValue() {
    JavaClients.createTopic(node, topic, 1);
    List<String> _ = kcat(List.of("gone:"), "-P", "-t", topic, "-K:", "-Z");
    try (Consumer<String, String> consumer = JavaClients.consumer(node, Map.of())) {
      consumer.assign(List.of(new TopicPartition(topic, 0)));
      ConsumerRecord<String, String> record = JavaClients.poll(consumer, 1).getFirst();
      assertThat(record.key()).isEqualTo("gone");
      assertThat(record.value()).isNull();
    }
  }

  @Test
  void consumesFromNearTheEnd() {
    produceSecondBySecond();
    assertThat(consume(topic, "-o", "-10", "-f", "%o\n"))
        .isEqualTo(offsets(RECORD_COUNT - 10, RECORD_COUNT));
    assertThat(consume(topic, "-o", "27", "-f", "%o\n")).isEqualTo(offsets(27, RECORD_COUNT));
    assertThat(consume(topic, "-o", "end")).isEmpty();
  }

  @Test
  void consumesFromATimeUntilATime() {
    produceSecondBySecond();
    String fromTime = "s@" + (Batches.TIMESTAMP_MS + 20_000);
    assertThat(consume(topic, "-o", fromTime, "-f", "%o\n")).isEqualTo(offsets(20, RECORD_COUNT));
    String untilTime = "e@" + (Batches.TIMESTAMP_MS + 25_000);
    assertThat(consume(topic, "-o", fromTime, "-o", untilTime, "-f", "%o\n"))
        .isEqualTo(offsets(20, 25));
  }

  @Test
  void offsetOfATimeIsTold() {
    produceSecondBySecond();
    String query = topic + ":0:" + (Batches.TIMESTAMP_MS + 7_000);
    assertThat(kcat(List.of(), "-Q", "-t", query)).containsExactly(topic + " [0] offset 7");
  }

  @Test
  void consumerAtTheEndGetsOnlyWhatComesLater() {
    JavaClients.createTopic(node, topic, 1);
    produce("early");
    try (ForeignProcess kcat =
        ForeignProcess.start(command("-C", "-t", topic, "-o", "end", "-u", "-f", "%s\n"))) {
      Eventually.holds(
          "a record that came after kcat",
          () -> {
            produce("late"); // again and again, since only kcat knows when it is there
            return !kcat.lines().isEmpty();
          });
      assertThat(kcat.lines()).containsOnly("late");
    }
  }

  @Test
  void membersOfAGroupShareTheRecords() {
    JavaClients.createTopic(node, topic, 2);
    String[] member = command("-G", topic, "-u", "-f", "%p %s\n", topic);
    try (ForeignProcess first = ForeignProcess.start(member);
        ForeignProcess second = ForeignProcess.start(member)) {
      List<String> sent = new ArrayList<>();
      Eventually.holds(
          "each of two members gets a record",
          () -> {
            String value = "value " + sent.size();
            sent.add(value);
            List<String> _ = kcat(List.of(value), "-P", "-t", topic, "-p", "0");
            List<String> _ = kcat(List.of(value), "-P", "-t", topic, "-p", "1");
            return !first.lines().isEmpty() && !second.lines().isEmpty();
          });
    }
  }

  @Test
  void metadataNamesTheNodeAndTheTopic() {
    JavaClients.createTopic(node, topic, 3);
    List<String> listed = kcat(List.of(), "-L", "-t", topic);
    assertThat(listed)
        .anyMatch(line -> line.contains("broker 1 at " + node.kafka()))
        .anyMatch(line -> line.contains("topic \"" + topic + "\" with 3 partitions"));
  }

  private void produceSecondBySecond() {
    JavaClients.createTopic(node, topic, 1);
    try (Producer<String, String> producer = JavaClients.producer(node, Map.of())) {
      for (int i = 0; i < RECORD_COUNT; i++) {
        RecordMetadata stored =
            JavaClients.done(
                producer.send(
                    new ProducerRecord<>(
                        topic, 0, Batches.TIMESTAMP_MS + i * 1_000L, "key", "value " + i)));
        assertThat(stored.offset()).isEqualTo(i);
      }
    }
  }

  private void produce(String value) {
    List<String> _ = kcat(List.of(value), "-P", "-t", topic, "-p", "0");
  }

  private List<String> consume(String from, String... options) {
    return kcat(
        List.of(),
        Stream.concat(Stream.of("-C", "-q", "-e", "-t", from), Stream.of(options))
            .toArray(String[]::new));
  }

  private List<String> kcat(List<String> input, String... options) {
    return ForeignProcess.run(input, command(options));
  }

  private String[] command(String... options) {
    return Stream.concat(Stream.of("kcat", "-b", node.kafka()), Stream.of(options))
        .toArray(String[]::new);
  }

  private static List<String> offsets(int first, int end) {
    return IntStream.range(first, end).mapToObj(Integer::toString).toList();
  }
}
