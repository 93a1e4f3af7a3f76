package dev.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole broker, used by the client library of Apache Kafka. */
class JavaClientTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path path;
  private TestNode node;

  @BeforeEach
  void start() {
    node = TestNode.start(path, Map.of());
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void whatWasProducedIsConsumedInOrderWithEveryCompression() throws Exception {
    for (String compression : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
      String topic = "compressed-" + compression;
      produce(topic, 200, Map.of("compression.type", compression));
      assertThat(consume(topic, 200)).as(compression).isEqualTo(values(200));
    }
  }

  @Test
  void everyLevelOfAcknowledgementArrives() throws Exception {
    for (String acks : List.of("0", "1", "all")) {
      String topic = "acks-" + acks;
      createTopic(topic, 1);
      produce(topic, 50, Map.of("acks", acks, "enable.idempotence", "false"));
      assertThat(consume(topic, 50)).as("acks=" + acks).isEqualTo(values(50));
    }
  }

  @Test
  void whatWasAcknowledgedSurvivesARestart() throws Exception {
    createTopic("kept", 3);
    produce("kept", 100, Map.of());
    node.close();
    node = TestNode.start(path, Map.of());
    assertThat(consume("kept", 100)).containsExactlyInAnyOrderElementsOf(values(100));
    try (Admin admin = admin()) {
      assertThat(describe(admin, "kept").partitions()).hasSize(3);
    }
  }

  @Test
  void aGroupGoesOnWhereItCommittedAlsoAfterARestart() throws Exception {
    createTopic("followed", 2);
    produce("followed", 60, Map.of());
    assertThat(consumeInGroup("followed", 60)).containsExactlyInAnyOrderElementsOf(values(60));
    node.close();
    node = TestNode.start(path, Map.of());
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      producer.send(new ProducerRecord<>("followed", bytes("one more"))).get();
    }
    assertThat(consumeInGroup("followed", 1)).containsExactly("one more");
  }

  @Test
  void topicsAreCreatedDescribedGrownAndDeleted() throws Exception {
    try (Admin admin = admin()) {
      createTopic("managed", 2);
      assertThatThrownBy(() -> createTopic("managed", 2))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(TopicExistsException.class);
      assertThat(admin.listTopics().names().get()).contains("managed");
      admin.createPartitions(Map.of("managed", NewPartitions.increaseTo(5))).all().get();
      assertThat(describe(admin, "managed").partitions()).hasSize(5);
      produce("managed", 10, Map.of());
      admin.deleteTopics(List.of("managed")).all().get();
      assertThatThrownBy(() -> describe(admin, "managed"))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
      createTopic("managed", 1);
      produce("managed", 3, Map.of());
      assertThat(consume("managed", 3)).isEqualTo(values(3));
    }
  }

  @Test
  void configurationsAreDescribedWithTheirSourcesAndAltered() throws Exception {
    try (Admin admin = admin()) {
      createTopic("configured", 1);
      ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "configured");
      admin
          .incrementalAlterConfigs(
              Map.of(
                  topic,
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry("retention.ms", "12345"), AlterConfigOp.OpType.SET))))
          .all()
          .get();
      Config config = configOf(admin, topic);
      assertThat(config.get("retention.ms").value()).isEqualTo("12345");
      assertThat(config.get("retention.ms").source())
          .isEqualTo(ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG);
      assertThat(config.get("cleanup.policy").value()).isEqualTo("delete");
      assertThat(config.get("cleanup.policy").isDefault()).isTrue();
      ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
      Config brokerConfig = configOf(admin, broker);
      assertThat(brokerConfig.get("num.partitions").value()).isEqualTo("1");
    }
  }

  @Test
  void offsetsAreFoundByPlaceAndTime() throws Exception {
    createTopic("timed", 1);
    TopicPartition partition = new TopicPartition("timed", 0);
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of());
        Admin admin = admin()) {
      long nowMs = System.currentTimeMillis();
      for (int i = 0; i < 10; i++) {
        producer
            .send(new ProducerRecord<>("timed", 0, nowMs - 10_000 + i * 100L, null, bytes("v" + i)))
            .get();
      }
      assertThat(offset(admin, partition, OffsetSpec.earliest())).isZero();
      assertThat(offset(admin, partition, OffsetSpec.latest())).isEqualTo(10);
      assertThat(offset(admin, partition, OffsetSpec.maxTimestamp())).isEqualTo(9);
      assertThat(offset(admin, partition, OffsetSpec.forTimestamp(nowMs - 10_000 + 350)))
          .isEqualTo(4);
      assertThat(offset(admin, partition, OffsetSpec.forTimestamp(nowMs + 60_000))).isEqualTo(-1);
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(3))).all().get();
      assertThat(offset(admin, partition, OffsetSpec.earliest())).isEqualTo(3);
    }
  }

  @Test
  void theClusterAndItsDirectoriesAreDescribed() throws Exception {
    try (Admin admin = admin()) {
      createTopic("weighed", 1);
      produce("weighed", 10, Map.of());
      assertThat(admin.describeCluster().nodes().get())
          .singleElement()
          .satisfies(broker -> assertThat(broker.port()).isEqualTo(node.port()));
      assertThat(admin.describeCluster().controller().get().id()).isEqualTo(1);
      assertThat(admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1))
          .hasSize(1)
          .allSatisfy(
              (_, directory) ->
                  assertThat(directory.replicaInfos())
                      .containsKey(new TopicPartition("weighed", 0)));
    }
  }

  @Test
  void groupsAreListedDescribedAndDeleted() throws Exception {
    createTopic("grouped", 1);
    produce("grouped", 5, Map.of());
    consumeInGroup("grouped", 5);
    try (Admin admin = admin()) {
      assertThat(admin.listGroups().all().get())
          .anySatisfy(group -> assertThat(group.groupId()).isEqualTo("group"));
      assertThat(admin.listConsumerGroupOffsets("group").partitionsToOffsetAndMetadata().get())
          .containsKey(new TopicPartition("grouped", 0));
      admin.deleteConsumerGroups(List.of("group")).all().get();
      assertThat(admin.listGroups().all().get()).isEmpty();
    }
  }

  @Test
  void aLongPollIsAnsweredByTheAppendThatItWaitsFor() throws Exception {
    createTopic("awaited", 1);
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(Map.of("fetch.max.wait.ms", "15000"));
        KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      consumer.assign(List.of(new TopicPartition("awaited", 0)));
      consumer.seekToBeginning(consumer.assignment());
      assertThat(consumer.poll(Duration.ofMillis(200))).isEmpty();
      long startNs = System.nanoTime();
      producer.send(new ProducerRecord<>("awaited", bytes("here"))).get();
      assertThat(consumer.poll(PATIENCE)).hasSize(1);
      assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void aTransactionIsRefusedClearly() {
    try (KafkaProducer<byte[], byte[]> producer =
        producer(Map.of("transactional.id", "t", "max.block.ms", "10000"))) {
      assertThatThrownBy(producer::initTransactions)
          .isInstanceOf(KafkaException.class)
          .hasMessageContaining("transactions are not served");
    }
  }

  @Test
  void theEngineAppendsAndReadsWithoutTheNetwork() throws Exception {
    createTopic("local", 1);
    LocalPartition local = node.broker().partition("local", 0).orElseThrow();
    produce("local", 3, Map.of());
    assertThat(local.endOffset()).isEqualTo(3);
    assertThat(node.broker().partition("local", 1)).isEqualTo(Optional.empty());
  }

  private void createTopic(String name, int partitions) throws Exception {
    try (Admin admin = admin()) {
      admin
          .createTopics(Set.of(new NewTopic(name, Optional.of(partitions), Optional.empty())))
          .all()
          .get();
    }
  }

  private static Config configOf(Admin admin, ConfigResource resource) throws Exception {
    return Objects.requireNonNull(
        admin.describeConfigs(List.of(resource)).all().get().get(resource));
  }

  private static TopicDescription describe(Admin admin, String topic) throws Exception {
    return Objects.requireNonNull(
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic));
  }

  private static long offset(Admin admin, TopicPartition partition, OffsetSpec spec)
      throws Exception {
    return admin.listOffsets(Map.of(partition, spec)).partitionResult(partition).get().offset();
  }

  private void produce(String topic, int count, Map<String, Object> settings) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer(settings)) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (String value : values(count)) {
        sent.add(producer.send(new ProducerRecord<>(topic, bytes(value))));
      }
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
    }
  }

  private List<String> consume(String topic, int count) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(Map.of())) {
      consumer.assign(
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList());
      consumer.seekToBeginning(consumer.assignment());
      return poll(consumer, count);
    }
  }

  private List<String> consumeInGroup(String topic, int count) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        consumer(Map.of("group.id", "group", "auto.offset.reset", "earliest"))) {
      consumer.subscribe(List.of(topic));
      List<String> values = poll(consumer, count);
      consumer.commitSync();
      return values;
    }
  }

  private static List<String> poll(KafkaConsumer<byte[], byte[]> consumer, int count) {
    List<String> values = new ArrayList<>();
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (values.size() < count && System.nanoTime() < deadlineNs) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
        values.add(new String(record.value(), StandardCharsets.UTF_8));
      }
    }
    return values;
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", node.bootstrap()));
  }

  private KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
    return new KafkaProducer<>(
        merged(settings), new ByteArraySerializer(), new ByteArraySerializer());
  }

  private KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> settings) {
    return new KafkaConsumer<>(
        merged(settings), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private Map<String, Object> merged(Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", node.bootstrap());
    return all;
  }

  private static List<String> values(int count) {
    List<String> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add("value " + i);
    }
    return values;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
