package dev.weir.conformance;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;

/**
 * All that clients can ask of a partition's log, which must not depend on whose server answers.
 *
 * @param all every record, of aborted transactions too
 * @param committed what a reader of committed records gets
 * @param lastStableOffset where that reader's log ends
 * @param byTime what look-ups by timestamp find: some moments, then the greatest timestamp
 */
record PartitionContents(
    List<StoredRecord> all,
    List<StoredRecord> committed,
    long startOffset,
    long endOffset,
    long lastStableOffset,
    List<FoundOffset> byTime) {
  private static final Duration POLL = Duration.ofMillis(100);

  /** So many moments, spread over the records, are looked up. */
  private static final int MOMENTS = 7;

  /** A record with all that its log says of it. */
  record StoredRecord(
      long offset,
      long timestampMs,
      TimestampType timestampType,
      Optional<String> key,
      Optional<String> value,
      List<String> headers,
      Optional<Integer> leaderEpoch) {
    static StoredRecord of(ConsumerRecord<String, String> record) {
      return new StoredRecord(
          record.offset(),
          record.timestamp(),
          record.timestampType(),
          Optional.ofNullable(record.key()),
          Optional.ofNullable(record.value()),
          StreamSupport.stream(record.headers().spliterator(), false)
              .map(
                  header -> header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8))
              .toList(),
          record.leaderEpoch());
    }
  }

  /** Answer of a look-up by timestamp. */
  record FoundOffset(long offset, long timestampMs, Optional<Integer> leaderEpoch) {}

  static PartitionContents of(KafkaServer server, String topic) {
    TopicPartition partition = new TopicPartition(topic, 0);
    Reading all = Reading.of(server, partition, "read_uncommitted");
    Reading committed = Reading.of(server, partition, "read_committed");
    try (Admin admin = JavaClients.admin(server)) {
      Stream<OffsetSpec> moments =
          all.records.isEmpty()
              ? Stream.of()
              : Stream.iterate(0, i -> i + 1)
                  .limit(MOMENTS)
                  .map(i -> all.records.get(i * (all.records.size() - 1) / (MOMENTS - 1)))
                  .map(record -> OffsetSpec.forTimestamp(record.timestampMs));
      List<FoundOffset> byTime =
          Stream.concat(moments, Stream.of(OffsetSpec.maxTimestamp()))
              .map(spec -> find(admin, partition, spec))
              .toList();
      return new PartitionContents(
          all.records,
          committed.records,
          all.startOffset,
          all.endOffset,
          committed.endOffset,
          byTime);
    }
  }

  private static FoundOffset find(Admin admin, TopicPartition partition, OffsetSpec spec) {
    ListOffsetsResultInfo found =
        JavaClients.done(admin.listOffsets(Map.of(partition, spec)).partitionResult(partition));
    return new FoundOffset(found.offset(), found.timestamp(), found.leaderEpoch());
  }

  private record Reading(List<StoredRecord> records, long startOffset, long endOffset) {
    static Reading of(KafkaServer server, TopicPartition partition, String isolation) {
      Map<String, Object> settings =
          Map.of("isolation.level", isolation, "enable.auto.commit", false);
      try (Consumer<String, String> consumer = JavaClients.consumer(server, settings)) {
        List<TopicPartition> one = List.of(partition);
        consumer.assign(one);
        consumer.seekToBeginning(one);
        long startOffset = JavaClients.value(consumer.beginningOffsets(one), partition);
        long endOffset = JavaClients.value(consumer.endOffsets(one), partition);
        List<StoredRecord> records = new ArrayList<>();
        Eventually.holds(
            "all records of " + partition,
            () -> {
              consumer.poll(POLL).forEach(record -> records.add(StoredRecord.of(record)));
              return consumer.position(partition) >= endOffset;
            });
        return new Reading(List.copyOf(records), startOffset, endOffset);
      }
    }
  }
}
