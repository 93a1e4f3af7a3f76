package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a dying process left unfinished at the end of a log is cut off by the next start. */
final class TornTailTest {
  private static final String TOPIC = "torn";
  private static final int RECORD_COUNT = 5;
  private static final String SEGMENT = "00000000000000000000.log";

  @TempDir private Path folder;

  @Test
  void unfinishedTailIsCutOff() throws IOException {
    Path data = folder.resolve("data");
    List<byte[]> tails =
        List.of(garbage(100), half(nextBatch()), damaged(nextBatch()), new byte[4_096]);
    try (NodeProcess node = NodeProcess.start(data)) {
      JavaClients.createTopic(node, TOPIC, tails.size());
      for (int partition = 0; partition < tails.size(); partition++) {
        for (int i = 0; i < RECORD_COUNT; i++) {
          assertThat(produce(node, partition, "value " + i)).isEqualTo(i);
        }
      }
      node.kill();
    }
    for (int partition = 0; partition < tails.size(); partition++) {
      append(data.resolve(TOPIC + "-" + partition), tails.get(partition));
    }
    append(data.resolve("__cluster_metadata-0"), garbage(33));

    try (NodeProcess node = NodeProcess.start(data)) {
      for (int partition = 0; partition < tails.size(); partition++) {
        assertThat(produce(node, partition, "after")).isEqualTo(RECORD_COUNT);
        assertThat(values(node, partition))
            .containsExactly("value 0", "value 1", "value 2", "value 3", "value 4", "after");
      }
      JavaClients.createTopic(node, "after", 1);
    }
  }

  private static long produce(NodeProcess node, int partition, String value) {
    try (Producer<String, String> producer = JavaClients.producer(node, Map.of())) {
      return JavaClients.done(producer.send(new ProducerRecord<>(TOPIC, partition, "key", value)))
          .offset();
    }
  }

  private static List<String> values(NodeProcess node, int partition) {
    try (Consumer<String, String> consumer = JavaClients.consumer(node, Map.of())) {
      consumer.assign(List.of(new TopicPartition(TOPIC, partition)));
      return JavaClients.poll(consumer, RECORD_COUNT + 1).stream()
          .map(ConsumerRecord::value)
          .toList();
    }
  }

  private static void append(Path partition, byte[] tail) throws IOException {
    Path _ = Files.write(partition.resolve(SEGMENT), tail, StandardOpenOption.APPEND);
  }

  /** The batch that would have been appended next. */
  private static byte[] nextBatch() {
    ByteBuffer batch = Batches.bytesOf("never finished");
    batch.putLong(0, RECORD_COUNT);
    byte[] bytes = new byte[batch.remaining()];
    batch.get(bytes);
    return bytes;
  }

  private static byte[] half(byte[] batch) {
    return java.util.Arrays.copyOf(batch, batch.length / 2);
  }

  private static byte[] damaged(byte[] batch) {
    batch[batch.length - 1] ^= 1;
    return batch;
  }

  private static byte[] garbage(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
