package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java client's producer: what it sends comes back from a consumer as it was. */
@ExtendWith(SharedNode.class)
final class JavaProducerTest {
  private static final int RECORD_COUNT = 500;

  private final NodeProcess node;

  JavaProducerTest(NodeProcess node) {
    this.node = node;
  }

  /** With the client's defaults the producer is idempotent and waits for all replicas. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
  void compressedRecordsComeBack(String compression) {
    String topic = "compressed-" + compression;
    JavaClients.createTopic(node, topic, 1);
    List<String> values =
        IntStream.range(0, RECORD_COUNT).mapToObj(i -> "value " + i + " " + "x".repeat(i)).toList();
    List<RecordMetadata> stored = produce(topic, values, Map.of("compression.type", compression));
    assertThat(stored).extracting(RecordMetadata::offset).isEqualTo(offsetsTo(RECORD_COUNT));
    assertThat(consume(topic, RECORD_COUNT)).extracting(ConsumerRecord::value).isEqualTo(values);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "all"})
  void recordsOfEachAcknowledgementComeBackOnce(String acks) {
    String topic = "acks-" + acks;
    JavaClients.createTopic(node, topic, 1);
    List<String> values = IntStream.range(0, 50).mapToObj(i -> "value " + i).toList();
    Map<String, Object> settings = Map.of("acks", acks, "enable.idempotence", acks.equals("all"));
    List<RecordMetadata> stored = produce(topic, values, settings);
    assertThat(stored).allMatch(metadata -> metadata.hasOffset() != acks.equals("0"));
    assertThat(consume(topic, values.size())).extracting(ConsumerRecord::value).isEqualTo(values);
  }

  @Test
  void largeRecordComesBack() {
    String topic = "large";
    JavaClients.createTopic(node, topic, 1);
    String value = "0123456789".repeat(100_000);
    List<RecordMetadata> stored = produce(topic, List.of(value), Map.of());
    assertThat(stored).hasSize(1);
    assertThat(consume(topic, 1)).extracting(ConsumerRecord::value).containsExactly(value);
  }

  @Test
  void recordAboveTheTopicsLimitIsRefusedAndTheProducerGoesOn() {
    String topic = "too-large";
    JavaClients.createTopic(node, topic, 1);
    try (Producer<String, String> producer =
        JavaClients.producer(node, Map.of("max.request.size", 8 << 20))) {
      assertThatThrownBy(() -> send(producer, topic, "x".repeat(2 << 20)))
          .cause()
          .isInstanceOf(RecordTooLargeException.class);
      assertThat(send(producer, topic, "small").offset()).isZero();
    }
  }

  @Test
  void headersAndAbsentKeysAndValuesComeBack() {
    String topic = "headers";
    JavaClients.createTopic(node, topic, 1);
    try (Producer<String, String> producer = JavaClients.producer(node, Map.of())) {
      RecordMetadata _ =
          JavaClients.done(
              producer.send(
                  new ProducerRecord<>(
                      topic,
                      0,
                      Batches.TIMESTAMP_MS,
                      null,
                      null,
                      List.of(
                          new RecordHeader("colour", "blue".getBytes(StandardCharsets.UTF_8)),
                          new RecordHeader("colour", new byte[0]),
                          new RecordHeader("nothing", (byte[]) null)))));
    }
    ConsumerRecord<String, String> record = consume(topic, 1).getFirst();
    assertThat(record.key()).isNull();
    assertThat(record.value()).isNull();
    assertThat(record.timestamp()).isEqualTo(Batches.TIMESTAMP_MS);
    assertThat(record.headers().headers("colour")).hasSize(2);
    assertThat(record.headers().lastHeader("colour").value()).isEmpty();
    assertThat(record.headers().lastHeader("nothing").value()).isNull();
  }

  @Test
  void recordsAreSpreadByTheirKeysOverPartitions() {
    String topic = "spread";
    JavaClients.createTopic(node, topic, 3);
    try (Producer<String, String> producer = JavaClients.producer(node, Map.of())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        sent.add(producer.send(new ProducerRecord<>(topic, "key " + i % 20, "value " + i)));
      }
      assertThat(sent).extracting(future -> JavaClients.done(future).partition()).contains(0, 1, 2);
    }
    try (Consumer<String, String> consumer = JavaClients.consumer(node, Map.of())) {
      consumer.assign(
          IntStream.range(0, 3).mapToObj(index -> new TopicPartition(topic, index)).toList());
      assertThat(JavaClients.poll(consumer, 60))
          .extracting(ConsumerRecord::value)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void topicIsMadeOnFirstUse() {
    String topic = "made-on-first-use";
    List<RecordMetadata> stored = produce(topic, List.of("first"), Map.of());
    assertThat(stored).extracting(RecordMetadata::offset).containsExactly(0L);
  }

  @Test
  void unknownPartitionIsNotStored() {
    String topic = "one-partition";
    JavaClients.createTopic(node, topic, 1);
    Map<String, Object> settings = Map.of("max.block.ms", 1_000, "enable.idempotence", false);
    try (Producer<String, String> producer = JavaClients.producer(node, settings)) {
      Future<RecordMetadata> sent = producer.send(new ProducerRecord<>(topic, 5, "key", "value"));
      assertThatThrownBy(() -> JavaClients.done(sent))
          .cause()
          .isInstanceOfAny(
              UnknownTopicOrPartitionException.class,
              org.apache.kafka.common.errors.TimeoutException.class);
    }
  }

  private List<RecordMetadata> produce(
      String topic, List<String> values, Map<String, Object> settings) {
    try (Producer<String, String> producer = JavaClients.producer(node, settings)) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (String value : values) {
        sent.add(producer.send(new ProducerRecord<>(topic, "key", value)));
      }
      return sent.stream().map(JavaClients::done).toList();
    }
  }

  private static RecordMetadata send(
      Producer<String, String> producer, String topic, String value) {
    return JavaClients.done(producer.send(new ProducerRecord<>(topic, value)));
  }

  private List<ConsumerRecord<String, String>> consume(String topic, int recordCount) {
    try (Consumer<String, String> consumer = JavaClients.consumer(node, Map.of())) {
      consumer.assign(List.of(new TopicPartition(topic, 0)));
      return JavaClients.poll(consumer, recordCount);
    }
  }

  private static List<Long> offsetsTo(int endOffset) {
    return IntStream.range(0, endOffset).mapToObj(Long::valueOf).toList();
  }
}
