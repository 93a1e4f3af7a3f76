package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Java client's consumer on a partition with ten records, a second apart. */
@ExtendWith(SharedNode.class)
final class JavaConsumerTest {
  private static final int RECORD_COUNT = 10;

  private final NodeProcess node;
  private final TopicPartition partition;
  private final Consumer<String, String> consumer;

  JavaConsumerTest(NodeProcess node, TestInfo test) {
    this.node = node;
    this.partition =
        new TopicPartition("consumer-" + test.getTestMethod().orElseThrow().getName(), 0);
    this.consumer = JavaClients.consumer(node, Map.of("auto.offset.reset", "none"));
  }

  @BeforeEach
  void tenRecords() {
    JavaClients.createTopic(node, partition.topic(), 1);
    try (Producer<String, String> producer = JavaClients.producer(node, Map.of())) {
      for (int i = 0; i < RECORD_COUNT; i++) {
        RecordMetadata _ =
            JavaClients.done(
                producer.send(
                    new ProducerRecord<>(
                        partition.topic(), 0, timestampMs(i), "key", "value " + i)));
      }
    }
    consumer.assign(List.of(partition));
  }

  @AfterEach
  void closeConsumer() {
    consumer.close();
  }

  @Test
  void beginningIsTheFirstRecord() {
    consumer.seekToBeginning(List.of(partition));
    assertThat(consumer.position(partition)).isZero();
    assertThat(JavaClients.poll(consumer, RECORD_COUNT))
        .extracting(ConsumerRecord::offset)
        .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void endIsAfterTheLastRecord() {
    consumer.seekToEnd(List.of(partition));
    assertThat(consumer.position(partition)).isEqualTo(RECORD_COUNT);
    assertThat(consumer.beginningOffsets(List.of(partition))).containsEntry(partition, 0L);
    assertThat(consumer.endOffsets(List.of(partition))).containsEntry(partition, 10L);
  }

  @Test
  void seekGoesToAnOffset() {
    consumer.seek(partition, 7);
    assertThat(JavaClients.poll(consumer, 3))
        .extracting(ConsumerRecord::value)
        .containsExactly("value 7", "value 8", "value 9");
  }

  @Test
  void timeIsFoundAsTheFirstRecordNotBeforeIt() {
    assertThat(offsetAt(timestampMs(4))).isEqualTo(4);
    assertThat(offsetAt(timestampMs(4) + 1)).isEqualTo(5);
    assertThat(consumer.offsetsForTimes(Map.of(partition, timestampMs(RECORD_COUNT))))
        .containsEntry(partition, null);
  }

  @Test
  void offsetOutOfRangeIsTold() {
    consumer.seek(partition, 1_000);
    assertThatThrownBy(() -> JavaClients.poll(consumer, 1))
        .isInstanceOf(OffsetOutOfRangeException.class);
  }

  @Test
  void partitionsOfATopicAreTold() {
    assertThat(consumer.partitionsFor(partition.topic()))
        .extracting(PartitionInfo::partition)
        .containsExactly(0);
  }

  private long offsetAt(long timestampMs) {
    return JavaClients.value(consumer.offsetsForTimes(Map.of(partition, timestampMs)), partition)
        .offset();
  }

  private static long timestampMs(int index) {
    return Batches.TIMESTAMP_MS + index * 1_000L;
  }
}
