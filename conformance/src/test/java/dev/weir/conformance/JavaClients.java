package dev.weir.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Apache Kafka's own Java client, set to a server. */
final class JavaClients {
  private static final Duration POLL = Duration.ofMillis(200);

  private JavaClients() {}

  /** A producer with the client's defaults but for what is given. */
  static Producer<String, String> producer(KafkaServer server, Map<String, Object> settings) {
    return new KafkaProducer<>(
        with(server, settings), new StringSerializer(), new StringSerializer());
  }

  /** A consumer that begins where the log begins, with the defaults but for what is given. */
  static Consumer<String, String> consumer(KafkaServer server, Map<String, Object> settings) {
    Map<String, Object> all = with(server, settings);
    all.putIfAbsent("auto.offset.reset", "earliest");
    return new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
  }

  static Admin admin(KafkaServer server) {
    return Admin.create(with(server, Map.of()));
  }

  static void createTopic(KafkaServer server, String name, int partitions) {
    createTopic(server, name, partitions, Map.of());
  }

  static void createTopic(
      KafkaServer server, String name, int partitions, Map<String, String> configs) {
    try (Admin admin = admin(server)) {
      NewTopic topic = new NewTopic(name, partitions, (short) 1).configs(configs);
      Void _ = done(admin.createTopics(List.of(topic)).all());
    }
  }

  /** Polls until so many records have come; fails if more come with them. */
  static List<ConsumerRecord<String, String>> poll(
      Consumer<String, String> consumer, int recordCount) {
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    Eventually.holds(
        recordCount + " records",
        () -> {
          consumer.poll(POLL).forEach(records::add);
          return records.size() >= recordCount;
        });
    if (records.size() > recordCount) {
      throw new AssertionError("expected " + recordCount + " records, got " + records);
    }
    return records;
  }

  /** The value of a future that must not take long; its failure is the cause of the error. */
  static <T> T done(Future<T> future) {
    try {
      return future.get(Eventually.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("not within " + Eventually.PATIENCE, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** The value of a key that the client must have answered. */
  static <K, V> V value(Map<K, V> answer, K key) {
    V value = answer.get(key);
    if (value == null) {
      throw new AssertionError("no answer for " + key + " in " + answer);
    }
    return value;
  }

  private static Map<String, Object> with(KafkaServer server, Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", server.kafka());
    return all;
  }
}
