package dev.weir.conformance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.weir.conformance.RestFace.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** An index is a view of a topic: what goes in at one face comes out at the other. */
@ExtendWith(SharedNode.class)
final class LogViewTest {
  private static final int SHARDS = 3;
  private static final String MATCH_ALL = "{\"match_all\": {}}";

  private final NodeProcess node;
  private final RestFace rest;
  private final Producer<String, String> producer;

  LogViewTest(NodeProcess node) {
    this.node = node;
    this.rest = new RestFace(node);
    this.producer = JavaClients.producer(node, Map.of("linger.ms", 0));
  }

  private String index = "";

  @BeforeEach
  void createIndex(TestInfo test) {
    index = "view-" + test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    rest.createIndex(index, SHARDS);
  }

  @AfterEach
  void close() {
    producer.close();
    rest.close();
  }

  @Test
  void numberOfShardsIsThePartitionCount() {
    try (Admin admin = JavaClients.admin(node)) {
      assertThat(
              JavaClients.done(
                  requireNonNull(
                      admin.describeTopics(List.of(index)).topicNameValues().get(index))))
          .extracting(TopicDescription::partitions, LIST)
          .hasSize(SHARDS);
    }
    assertThat(
            rest.get("/" + index + "/_settings")
                .at("/" + index + "/settings/index/number_of_shards")
                .asString())
        .isEqualTo("" + SHARDS);
  }

  @Test
  void documentWrittenWithBulkIsARecordOfTheTopic() {
    List<JsonNode> items = rest.bulk(index, numberedDocuments(20));

    Map<String, ConsumerRecord<String, String>> recordById = new HashMap<>();
    consume(index, SHARDS, items.size()).forEach(record -> recordById.put(record.key(), record));

    assertThat(recordById).hasSize(items.size());
    for (JsonNode item : items) {
      String id = item.get("_id").asString();
      assertThat(recordById).containsKey(id);
      ConsumerRecord<String, String> record = requireNonNull(recordById.get(id));
      assertThat(record.partition()).isEqualTo(home(id));
      assertThat(item.get("_seq_no").asLong()).isEqualTo(record.offset());
      assertThat(item.get("_primary_term").asInt())
          .isEqualTo(record.leaderEpoch().orElseThrow() + 1);
      assertThat(RestFace.JSON.readTree(record.value()))
          .isEqualTo(rest.get("/" + index + "/_doc/" + id).get("_source"));
    }
  }

  @Test
  void recordProducedIsADocument() {
    RecordMetadata record = produce("bird", "{\"n\": 1, \"text\": \"a heron stands still\"}");

    rest.refresh(index);

    assertThat(rest.ids(index, "{\"match\": {\"text\": \"heron\"}}")).containsExactly("bird");
    JsonNode document = rest.get("/" + index + "/_doc/bird");
    assertThat(document.get("_seq_no").asLong()).isEqualTo(record.offset());
    assertThat(document.get("_version").asInt()).isEqualTo(1);
    assertThat(record.partition()).isEqualTo(home("bird"));
  }

  @Test
  void eachRecordOfAKeyIsAVersionOfItsDocument() {
    RecordMetadata _ = produce("bird", "{\"n\": 1}");
    RecordMetadata _ = produce("bird", "{\"n\": 2}");
    RecordMetadata last = produce("bird", "{\"n\": 3}");

    rest.refresh(index);

    assertThat(rest.ids(index, MATCH_ALL)).containsExactly("bird");
    JsonNode document = rest.get("/" + index + "/_doc/bird");
    assertThat(document.at("/_source/n").asInt()).isEqualTo(3);
    assertThat(document.get("_version").asInt()).isEqualTo(3);
    assertThat(document.get("_seq_no").asLong()).isEqualTo(last.offset());
  }

  @Test
  void conditionalWriteSeesWhatAProducerWroteBefore() {
    JsonNode created = rest.done("PUT", "/" + index + "/_doc/bird", "{\"n\": 1}");
    RecordMetadata between = produce("bird", "{\"n\": 2}");

    String path = "/" + index + "/_doc/bird?if_primary_term=" + created.get("_primary_term");
    Answer late = rest.send("PUT", path + "&if_seq_no=" + created.get("_seq_no"), "{\"n\": 3}");
    JsonNode inTime = rest.done("PUT", path + "&if_seq_no=" + between.offset(), "{\"n\": 4}");

    assertThat(late.status()).isEqualTo(409);
    assertThat(late.body().at("/error/type").asString())
        .isEqualTo("version_conflict_engine_exception");
    assertThat(inTime.get("_version").asInt()).isEqualTo(3);
    assertThat(consume(index, SHARDS, 3)).as("the refused write left no record").hasSize(3);
  }

  @Test
  void tombstoneDeletesTheDocument() {
    RecordMetadata _ = produce("bird", "{\"n\": 1}");
    RecordMetadata _ = produce("fish", "{\"n\": 2}");
    ProducerRecord<String, @Nullable String> tombstone = new ProducerRecord<>(index, "bird", null);
    RecordMetadata _ = JavaClients.done(producer.send(cast(tombstone)));

    rest.refresh(index);

    assertThat(rest.ids(index, MATCH_ALL)).containsExactly("fish");
    assertThat(rest.send("GET", "/" + index + "/_doc/bird", "").status()).isEqualTo(404);
  }

  @Test
  void deletedDocumentIsATombstoneOfTheTopic() {
    JsonNode _ = rest.done("PUT", "/" + index + "/_doc/bird", "{\"n\": 1}");
    JsonNode deleted = rest.done("DELETE", "/" + index + "/_doc/bird", "");

    ConsumerRecord<String, String> tombstone = consume(index, SHARDS, 2).getLast();

    assertThat(tombstone.key()).isEqualTo("bird");
    assertThat(tombstone.value()).isNull();
    assertThat(tombstone.offset()).isEqualTo(deleted.get("_seq_no").asLong());
  }

  @Test
  void recordInAPartitionOfAnothersChoiceIsTheSameDocument() {
    int elsewhere = (home("bird") + 1) % SHARDS;
    RecordMetadata stray = produceTo(elsewhere, "bird", "{\"n\": 1, \"text\": \"heron\"}");
    rest.refresh(index);

    assertThat(rest.ids(index, "{\"match\": {\"text\": \"heron\"}}")).containsExactly("bird");
    assertThat(rest.get("/" + index + "/_doc/bird").get("_seq_no").asLong())
        .isEqualTo(stray.offset());

    JsonNode update =
        rest.done("POST", "/" + index + "/_update/bird", "{\"doc\": {\"text\": \"egret\"}}");
    rest.refresh(index);

    assertThat(update.get("_version").asInt()).isEqualTo(2);
    assertThat(update.get("_seq_no").asLong())
        .as("follows the version before it, in its partition")
        .isEqualTo(stray.offset() + 1);
    assertThat(rest.ids(index, MATCH_ALL)).containsExactly("bird");
    assertThat(rest.get("/" + index + "/_doc/bird").get("_source"))
        .isEqualTo(RestFace.JSON.readTree("{\"n\": 1, \"text\": \"egret\"}"));
  }

  @Test
  void idIsVisibleOnceWhicheverPartitionsItsRecordsAreIn() {
    JsonNode _ = rest.done("PUT", "/" + index + "/_doc/bird?refresh=true", "{\"n\": -1}");
    for (int n = 0; n < 2 * SHARDS; n++) {
      int partition = n % SHARDS;
      // Later than all before it: of two records in different partitions the newer one counts.
      long timestampMs = System.currentTimeMillis() + 1000L * (n + 1);
      RecordMetadata _ =
          JavaClients.done(
              producer.send(
                  new ProducerRecord<>(
                      index, partition, timestampMs, "bird", "{\"n\": " + n + "}")));
      rest.refresh(index);
      assertThat(rest.ids(index, MATCH_ALL)).containsExactly("bird");
      assertThat(rest.ids(index, "{\"term\": {\"n\": " + n + "}}")).containsExactly("bird");
      assertThat(rest.get("/" + index + "/_doc/bird").at("/_source/n").asInt()).isEqualTo(n);
    }
    JsonNode _ = rest.done("DELETE", "/" + index + "/_doc/bird?refresh=true", "");
    assertThat(rest.ids(index, MATCH_ALL)).isEmpty();
    assertThat(rest.send("GET", "/" + index + "/_doc/bird", "").status()).isEqualTo(404);
  }

  @Test
  void recordThatCannotBeIndexedGoesToTheDeadLettersAndIndexingGoesOn() {
    RecordMetadata broken = produceTo(0, "broken", "{\"n\": ");
    RecordMetadata conflicting = produceTo(0, "conflicting", "{\"n\": \"many\"}");
    RecordMetadata good = produceTo(0, "good", "{\"n\": 7}");
    rest.refresh(index);

    assertThat(good.offset()).isGreaterThan(conflicting.offset());
    assertThat(rest.ids(index, MATCH_ALL)).containsExactly("good");
    List<ConsumerRecord<String, String>> letters = consume(index + ".dlq", 1, 2);
    assertDeadLetter(letters.get(0), broken, "broken", "{\"n\": ");
    assertDeadLetter(letters.get(1), conflicting, "conflicting", "{\"n\": \"many\"}");
    assertThat(header(letters.get(1), "weir.error.type")).isEqualTo("mapper_parsing_exception");
    assertThat(header(letters.get(1), "weir.error.reason")).contains("[n]");
  }

  private void assertDeadLetter(
      ConsumerRecord<String, String> letter, RecordMetadata from, String key, String value) {
    assertThat(letter.key()).isEqualTo(key);
    assertThat(letter.value()).isEqualTo(value);
    assertThat(header(letter, "weir.error.type")).isNotEmpty();
    assertThat(header(letter, "weir.error.reason")).isNotEmpty();
    assertThat(header(letter, "weir.topic")).isEqualTo(index);
    assertThat(header(letter, "weir.partition")).isEqualTo("" + from.partition());
    assertThat(header(letter, "weir.offset")).isEqualTo("" + from.offset());
  }

  @Test
  void definitionIsARecordOfTheCatalog() {
    try (Consumer<String, String> consumer = JavaClients.consumer(node, Map.of())) {
      consumer.assign(List.of(new TopicPartition("__weir_catalog", 0)));
      consumer.seekToBeginning(consumer.assignment());
      ConsumerRecord<String, String> definition =
          Eventually.gives(
              "the definition of " + index,
              () -> {
                for (ConsumerRecord<String, String> record :
                    consumer.poll(Duration.ofMillis(200))) {
                  if (record.key().contains(index)) {
                    return Optional.of(record);
                  }
                }
                return Optional.empty();
              });
      assertThat(definition.value()).contains("\"text\"");
    }
  }

  @Test
  void kcatReadsWhatBulkWrote() {
    ForeignProcess.assumeWanted("kcat");
    List<JsonNode> items = rest.bulk(index, numberedDocuments(20));

    List<String> lines =
        ForeignProcess.run(
            List.of(),
            "kcat",
            "-b",
            node.kafka(),
            "-C",
            "-t",
            index,
            "-o",
            "beginning",
            "-e",
            "-q",
            "-f",
            "%k %o %s\\n");

    List<String> expected = new ArrayList<>();
    for (JsonNode item : items) {
      String id = item.get("_id").asString();
      expected.add(id + " " + item.get("_seq_no") + " " + document(Integer.parseInt(id)));
    }
    assertThat(lines).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Its partitioner is not the Java client's: most records are away from home. */
  @Test
  void whatKcatWritesIsSearchable() {
    ForeignProcess.assumeWanted("kcat");
    List<String> lines = IntStream.range(0, 50).mapToObj(n -> n + ":" + document(n)).toList();
    List<String> _ =
        ForeignProcess.run(lines, "kcat", "-b", node.kafka(), "-P", "-t", index, "-K:");

    rest.refresh(index);

    assertThat(rest.ids(index, MATCH_ALL)).hasSize(50).doesNotHaveDuplicates();
    for (int n = 0; n < 50; n++) {
      assertThat(rest.get("/" + index + "/_doc/" + n).at("/_source/n").asInt()).isEqualTo(n);
    }
    List<JsonNode> rewritten = rest.bulk(index, numberedDocuments(50));
    rest.refresh(index);
    assertThat(rewritten).allSatisfy(item -> assertThat(item.get("_version").asInt()).isEqualTo(2));
    assertThat(rest.ids(index, MATCH_ALL)).hasSize(50).doesNotHaveDuplicates();
  }

  private static List<String> numberedDocuments(int count) {
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      lines.add("{\"index\": {\"_id\": \"" + n + "\"}}");
      lines.add(document(n));
    }
    return lines;
  }

  private static String document(int n) {
    return "{\"n\": " + n + ", \"text\": \"number " + n + "\"}";
  }

  private RecordMetadata produce(String key, String value) {
    return JavaClients.done(producer.send(new ProducerRecord<>(index, key, value)));
  }

  private RecordMetadata produceTo(int partition, String key, String value) {
    return JavaClients.done(producer.send(new ProducerRecord<>(index, partition, key, value)));
  }

  /** The client takes a null value for a tombstone; its types do not say so. */
  @SuppressWarnings({"unchecked", "NullAway"})
  private static ProducerRecord<String, String> cast(
      ProducerRecord<String, @Nullable String> record) {
    return (ProducerRecord<String, String>) (ProducerRecord<String, ?>) record;
  }

  private static int home(String id) {
    return Utils.toPositive(Utils.murmur2(id.getBytes(StandardCharsets.UTF_8))) % SHARDS;
  }

  private static String header(ConsumerRecord<String, String> record, String key) {
    Header header = record.headers().lastHeader(key);
    assertThat(header).as(key).isNotNull();
    return new String(header.value(), StandardCharsets.UTF_8);
  }

  private List<ConsumerRecord<String, String>> consume(String topic, int partitions, int count) {
    try (Consumer<String, String> consumer = JavaClients.consumer(node, Map.of())) {
      List<TopicPartition> all = new ArrayList<>();
      for (int partition = 0; partition < partitions; partition++) {
        all.add(new TopicPartition(topic, partition));
      }
      consumer.assign(all);
      consumer.seekToBeginning(all);
      return JavaClients.poll(consumer, count);
    }
  }
}
