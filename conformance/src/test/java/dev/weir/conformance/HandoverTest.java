package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.checkpoint.OffsetCheckpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data directory changes hands between a node and a broker of Apache Kafka, each after a clean
 * stop of the other, and nobody who uses it can tell but by the address: not by what is read, not
 * by how producers go on, not by what is compacted.
 */
final class HandoverTest {
  private static final String CODECS = "codecs";
  private static final String COMPACTED = "compacted";
  private static final String TRANSACTIONS = "transactions";
  private static final String SEQUENCES = "sequences";
  private static final String GOING_ON = "going-on";
  private static final String GROUP = "group";
  private static final String TRANSACTIONAL_ID = "payments";

  /** How many batches the producer of chosen sequences sends first. */
  private static final int BATCH_COUNT = 5;

  @TempDir private Path folder;
  private Path data;
  private Path config;

  @BeforeEach
  void configure() throws IOException {
    data = folder.resolve("data");
    config = folder.resolve("node.properties");
    Files.writeString(
        config, "log.retention.check.interval.ms=100\noffsets.topic.num.partitions=1\n");
  }

  private NodeProcess node(String address) {
    return NodeProcess.startOn(address, data, "--config", config.toString());
  }

  @Test
  void directoryOfANodeIsServedByKafkaAndComesBack() {
    try (KafkaServer weir = node("127.0.0.1:0");
        Producer<String, String> goingOn = goingOn(weir)) {
      write(weir);
      RawProducer sequences = sequences(weir);
      send(goingOn, 0);
      Map<String, PartitionContents> before =
          contents(weir, CODECS, COMPACTED, SEQUENCES, GOING_ON);
      assertThat(weir.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
      Map<TopicPartition, Long> cleaned = cleaned();

      try (KafkaServer kafka = KafkaBroker.startOn(weir.kafka(), data)) {
        assertSame(contents(kafka, before), before);
        assertSequencesGoOn(kafka, sequences, BATCH_COUNT);
        send(goingOn, 1);
        assertThat(committedOffset(kafka)).isEqualTo(17);
        LogSamples.overwriteUntilCompacted(kafka, COMPACTED);
        before = contents(kafka, before);
        assertThat(kafka.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
        assertNotBehind(cleaned(), cleaned);
        cleaned = cleaned();
      }
      try (KafkaServer again = node(weir.kafka())) {
        assertSame(contents(again, before), before);
        assertSequencesGoOn(again, sequences, BATCH_COUNT + 1);
        send(goingOn, 2);
        assertThat(committedOffset(again)).isEqualTo(17);
        assertThat(again.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
        assertNotBehind(cleaned(), cleaned);
      }
      assertSoundFiles();
    }
  }

  @Test
  void directoryOfKafkaIsServedByANodeAndComesBack() {
    try (KafkaServer kafka = KafkaBroker.start(data);
        Producer<String, String> goingOn = goingOn(kafka)) {
      write(kafka);
      JavaClients.createTopic(kafka, TRANSACTIONS, 1, LogSamples.SMALL_SEGMENTS);
      Producer<String, String> open = transactions(kafka);
      RawProducer sequences = sequences(kafka);
      send(goingOn, 0);
      Map<String, PartitionContents> before =
          contents(kafka, CODECS, COMPACTED, SEQUENCES, GOING_ON, TRANSACTIONS);
      PartitionContents transactions = JavaClients.value(before, TRANSACTIONS);
      assertThat(transactions.committed()).hasSizeLessThan(transactions.all().size());
      assertThat(transactions.lastStableOffset()).isLessThan(transactions.endOffset());
      assertThat(kafka.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
      open.close(Duration.ZERO);
      Map<TopicPartition, Long> cleaned = cleaned();

      try (KafkaServer weir = node(kafka.kafka())) {
        assertSame(contents(weir, before), before);
        assertSequencesGoOn(weir, sequences, BATCH_COUNT);
        send(goingOn, 1);
        assertThat(committedOffset(weir)).isEqualTo(17);
        LogSamples.overwriteUntilCompacted(weir, COMPACTED);
        LogSamples.everyCodec(weir, TRANSACTIONS);
        before = contents(weir, before);
        assertThat(JavaClients.value(before, TRANSACTIONS).lastStableOffset())
            .isEqualTo(transactions.lastStableOffset());
        assertThat(weir.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
        assertNotBehind(cleaned(), cleaned);
        cleaned = cleaned();
        assertSoundFiles();
      }
      try (KafkaServer again = KafkaBroker.startOn(kafka.kafka(), data)) {
        assertSame(contents(again, before), before);
        assertSequencesGoOn(again, sequences, BATCH_COUNT + 1);
        send(goingOn, 2);
        assertThat(committedOffset(again)).isEqualTo(17);
        assertOpenTransactionIsEnded(again);
        assertThat(again.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
        assertNotBehind(cleaned(), cleaned);
        assertNobodyLeadsUncleanly();
      }
    }
  }

  /** Kafka's controller took every stop for a clean one: no leader was asked to recover. */
  private void assertNobodyLeadsUncleanly() {
    LogDump dump =
        LogDump.of(
            LogDump.files(data.resolve("__cluster_metadata-0"), "log"),
            "--cluster-metadata-decoder");
    assertThat(dump.wrong()).isEmpty();
    assertThat(dump.lines())
        .anyMatch(line -> line.contains("\"eligibleLeaderReplicas\":[1]"))
        .noneMatch(line -> line.contains("\"leaderRecoveryState\":1"));
  }

  private static void write(KafkaServer server) {
    JavaClients.createTopic(server, CODECS, 1, LogSamples.SMALL_SEGMENTS);
    LogSamples.everyCodec(server, CODECS);
    JavaClients.createTopic(server, COMPACTED, 1, LogSamples.COMPACTED);
    LogSamples.overwriteUntilCompacted(server, COMPACTED);
    try (Admin admin = JavaClients.admin(server)) {
      Map<TopicPartition, OffsetAndMetadata> offset =
          Map.of(new TopicPartition(CODECS, 0), new OffsetAndMetadata(17));
      Void _ = JavaClients.done(admin.alterConsumerGroupOffsets(GROUP, offset).all());
    }
  }

  private static long committedOffset(KafkaServer server) {
    try (Admin admin = JavaClients.admin(server)) {
      return JavaClients.value(
              JavaClients.done(
                  admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata()),
              new TopicPartition(CODECS, 0))
          .offset();
    }
  }

  /** An idempotent producer that lives through the handovers. */
  private static Producer<String, String> goingOn(KafkaServer server) {
    JavaClients.createTopic(server, GOING_ON, 1, LogSamples.SMALL_SEGMENTS);
    return JavaClients.producer(server, Map.of("max.block.ms", Eventually.PATIENCE.toMillis()));
  }

  private static void send(Producer<String, String> producer, long expectedOffset) {
    assertThat(
            JavaClients.done(producer.send(new ProducerRecord<>(GOING_ON, 0, "k", "v"))).offset())
        .isEqualTo(expectedOffset);
  }

  /** A producer that has sent some batches of one record. */
  private static RawProducer sequences(KafkaServer server) {
    JavaClients.createTopic(server, SEQUENCES, 1, LogSamples.SMALL_SEGMENTS);
    RawProducer producer = RawProducer.of(server, SEQUENCES);
    for (int sequence = 0; sequence < BATCH_COUNT; sequence++) {
      assertThat(producer.send(server, sequence))
          .isEqualTo(new RawProducer.Answer(Errors.NONE, sequence));
    }
    return producer;
  }

  /**
   * The last batch is known as a duplicate, those before it are not taken again (snapshots say no
   * more of a producer), a gap is refused, and the next one is taken.
   */
  private static void assertSequencesGoOn(KafkaServer server, RawProducer producer, int next) {
    assertThat(producer.send(server, next - 1))
        .isEqualTo(new RawProducer.Answer(Errors.NONE, next - 1));
    assertThat(producer.send(server, next - 2).error())
        .isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
    assertThat(producer.send(server, next + 1).error())
        .isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
    assertThat(producer.send(server, next)).isEqualTo(new RawProducer.Answer(Errors.NONE, next));
  }

  private static Producer<String, String> transactional(KafkaServer server) {
    Producer<String, String> producer =
        JavaClients.producer(server, Map.of("transactional.id", TRANSACTIONAL_ID));
    producer.initTransactions();
    return producer;
  }

  /** Committed, aborted and open transactions, over several segments; gives the open one. */
  private static Producer<String, String> transactions(KafkaServer server) {
    Producer<String, String> producer = transactional(server);
    for (int i = 0; i < 4; i++) {
      producer.beginTransaction();
      LogSamples.send(producer, TRANSACTIONS, 500, "transaction " + i);
      if (i % 2 == 0) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
    }
    producer.beginTransaction();
    LogSamples.send(producer, TRANSACTIONS, 10, "open");
    producer.flush();
    return producer;
  }

  private static void assertOpenTransactionIsEnded(KafkaServer server) {
    transactional(server).close();
    PartitionContents contents = PartitionContents.of(server, TRANSACTIONS);
    assertThat(contents.lastStableOffset()).isEqualTo(contents.endOffset());
    assertThat(contents.committed())
        .noneMatch(record -> record.value().orElse("").startsWith("open"));
  }

  private static Map<String, PartitionContents> contents(KafkaServer server, String... topics) {
    Map<String, PartitionContents> contents = new TreeMap<>();
    for (String topic : topics) {
      contents.put(topic, PartitionContents.of(server, topic));
    }
    return contents;
  }

  private static Map<String, PartitionContents> contents(
      KafkaServer server, Map<String, PartitionContents> before) {
    return contents(server, before.keySet().toArray(String[]::new));
  }

  /** Told apart topic by topic, since a difference in all of them at once cannot be read. */
  private static void assertSame(
      Map<String, PartitionContents> now, Map<String, PartitionContents> before) {
    before.forEach(
        (topic, contents) -> {
          PartitionContents found = JavaClients.value(now, topic);
          assertThat(found.all()).as("records of " + topic).isEqualTo(contents.all());
          assertThat(found).as(topic).isEqualTo(contents);
        });
  }

  private Map<TopicPartition, Long> cleaned() {
    Map<TopicPartition, Long> cleaned = new HashMap<>();
    OffsetCheckpoint.read(data.resolve(OffsetCheckpoint.CLEANED_UNTIL))
        .forEach(
            (partition, offset) ->
                cleaned.put(new TopicPartition(partition.topic(), partition.partition()), offset));
    return cleaned;
  }

  /** What was compacted counts as compacted: nothing of it is done again. */
  private static void assertNotBehind(
      Map<TopicPartition, Long> now, Map<TopicPartition, Long> before) {
    TopicPartition compacted = new TopicPartition(COMPACTED, 0);
    assertThat(JavaClients.value(before, compacted)).isPositive();
    assertThat(JavaClients.value(now, compacted))
        .isGreaterThanOrEqualTo(JavaClients.value(before, compacted));
  }

  private void assertSoundFiles() {
    List<Path> files = new ArrayList<>();
    List<Path> indexes = new ArrayList<>();
    try (Stream<Path> folders = Files.list(data)) {
      for (Path partition : folders.filter(Files::isDirectory).toList()) {
        if (!partition.getFileName().toString().startsWith(".")) {
          files.addAll(LogDump.files(partition, "log", "snapshot", "txnindex"));
          indexes.addAll(LogDump.files(partition, "index", "timeindex"));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(LogDump.of(files, "--deep-iteration").wrong()).isEmpty();
    assertThat(LogDump.of(indexes, "--verify-index-only").wrong()).isEmpty();
    assertThat(LogDump.of(indexes, "--index-sanity-check").wrong()).isEmpty();
  }
}
