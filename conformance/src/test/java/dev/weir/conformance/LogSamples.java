package dev.weir.conformance;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Topics of one partition with a bit of everything that a log can hold. */
final class LogSamples {
  private static final int SEGMENT_BYTES = 1 << 20;

  /**
   * As every topic here: nothing goes by its age, and a megabyte, the least there is, fills one.
   */
  static final Map<String, String> SMALL_SEGMENTS =
      Map.of("segment.bytes", "" + SEGMENT_BYTES, "retention.ms", "-1");

  /** Compacted whenever there is something to compact; tombstones are kept. */
  static final Map<String, String> COMPACTED =
      Map.of(
          "segment.bytes",
          "" + SEGMENT_BYTES,
          "retention.ms",
          "-1",
          "cleanup.policy",
          "compact",
          "min.cleanable.dirty.ratio",
          "0.01");

  /** How many records a topic gets for each codec. */
  static final int RECORDS_PER_CODEC = 600;

  private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
  private static final int KEY_COUNT = 10;

  /**
   * One record in so many has a key of its own, so that no segment is empty after a compaction: for
   * one that is, Kafka takes the time of its file for that of its records, and finds none by time.
   */
  private static final int ONCE_IN = 100;

  private static final int VALUE_CHARS = 1_000;

  private LogSamples() {}

  /** Writes with every codec, so that the log has several segments; batches of some records. */
  static void everyCodec(KafkaServer server, String topic) {
    for (String codec : CODECS) {
      Map<String, Object> settings = Map.of("compression.type", codec, "linger.ms", 5);
      try (Producer<String, String> producer = JavaClients.producer(server, settings)) {
        send(producer, topic, RECORDS_PER_CODEC, codec);
      }
    }
  }

  static int everyCodecCount() {
    return CODECS.size() * RECORDS_PER_CODEC;
  }

  /**
   * Writes a few keys over and over, with tombstones among them, and waits until all segments but
   * the last are compacted.
   */
  static void overwriteUntilCompacted(KafkaServer server, String topic) {
    int count = 3_000;
    try (Producer<String, String> producer = JavaClients.producer(server, Map.of())) {
      send(producer, topic, count, "again " + UUID.randomUUID());
    }
    // What remains are the segment that is written, a record of each key, and what was written
    // once.
    long remainMax = SEGMENT_BYTES / VALUE_CHARS * 10 / 9 + KEY_COUNT + 3L * count / ONCE_IN;
    Eventually.holds(
        "a compaction of " + topic,
        () -> PartitionContents.of(server, topic).all().size() <= remainMax);
  }

  /**
   * Sends records with a timestamp, some headers and a value of their own; every tenth has no
   * value.
   */
  static void send(Producer<String, String> producer, String topic, int count, String name) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Header> headers =
          i % 3 == 0
              ? List.of(new RecordHeader("name", name.getBytes(StandardCharsets.UTF_8)))
              : List.of();
      sent.add(
          producer.send(
              new ProducerRecord<>(
                  topic,
                  0,
                  Batches.TIMESTAMP_MS + i * 1_000L,
                  i % ONCE_IN == 0 ? "only once " + name + " " + i : "key " + i % KEY_COUNT,
                  i % KEY_COUNT == KEY_COUNT - 1 ? null : value(name, i),
                  headers)));
    }
    sent.forEach(
        future -> {
          RecordMetadata _ = JavaClients.done(future);
        });
  }

  /** Digits that do not repeat in a short distance, so that codecs leave something. */
  private static String value(String name, int number) {
    StringBuilder text = new StringBuilder(name).append(' ').append(number).append(' ');
    for (long x = number + 1L; text.length() < VALUE_CHARS; ) {
      x = x * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
      text.append(Long.toUnsignedString(x, Character.MAX_RADIX));
    }
    return text.toString();
  }
}
