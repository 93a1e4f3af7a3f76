package dev.weir.node.cli;

import dev.weir.log.UuidText;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordHeader;
import dev.weir.log.dump.DumpItem;
import dev.weir.log.dump.Finding;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The fields of an item, in the order to show them. A value is a {@link Number}, a {@link String},
 * {@link ShownBytes}, a list of strings, a list of {@link Header} or empty for nothing.
 *
 * @param type what it is
 * @param values by name
 */
record ItemFields(String type, SequencedMap<String, Optional<Object>> values) {
  /** A header of a record. */
  record Header(String key, Optional<ShownBytes> value) {}

  /** The fields of an item; of keys, values and headers the first {@code bytesMax} bytes. */
  static ItemFields of(DumpItem item, Contents contents, int bytesMax) {
    return switch (item) {
      case DumpItem.Batch batch -> batch(batch);
      case DumpItem.DataRecord(LogRecord content) -> {
        ItemFields fields = of("record", content);
        contents.words(content).ifPresent(words -> fields.add("metadata", cut(words, bytesMax)));
        fields.addContent(content, bytesMax);
        yield fields;
      }
      case DumpItem.ControlRecord(LogRecord content, var type, var coordinatorEpoch) -> {
        ItemFields fields = of("control", content);
        fields.add("control", type.orElse("unknown"));
        coordinatorEpoch.ifPresent(epoch -> fields.add("coordinator_epoch", epoch));
        if (coordinatorEpoch.isEmpty()) {
          fields.addContent(content, bytesMax);
        }
        yield fields;
      }
      case DumpItem.OffsetEntry(long position, long offset, long segmentPosition) ->
          of("offset_entry", position)
              .with("offset", offset)
              .with("segment_position", segmentPosition);
      case DumpItem.TimeEntry(long position, long timestampMs, long offset) ->
          of("time_entry", position).with("timestamp", timestampMs).with("offset", offset);
      case DumpItem.Room(long position, long sizeBytes) ->
          of("room", position).with("size", sizeBytes);
      case DumpItem.Aborted aborted ->
          of("aborted", aborted.position())
              .with("producer_id", aborted.producerId())
              .with("first_offset", aborted.firstOffset())
              .with("last_offset", aborted.lastOffset())
              .with("last_stable_offset", aborted.lastStableOffset());
      case DumpItem.Producer producer -> producer(producer);
      case DumpItem.EpochStart(var start) ->
          empty("epoch").with("epoch", start.epoch()).with("start_offset", start.startOffset());
      case DumpItem.PartitionOffset(var partition, long offset) ->
          empty("partition_offset")
              .with("topic", partition.topic())
              .with("partition", partition.partition())
              .with("offset", offset);
      case DumpItem.TopicId(var id) -> empty("topic_id").with("topic_id", UuidText.of(id));
      case DumpItem.Summary summary -> {
        ItemFields fields = empty("verified").with("kind", summary.kind().text());
        fields.add("size", summary.sizeBytes());
        summary.figures().forEach(fields::add);
        yield fields.with("problems", summary.problems());
      }
    };
  }

  /** The fields of a finding. */
  static ItemFields of(Finding finding) {
    ItemFields fields =
        empty(
            switch (finding.weight()) {
              case PROBLEM -> "problem";
              case NOTE -> "note";
            });
    finding.position().ifPresent(position -> fields.add("position", position));
    return fields.with("text", finding.text());
  }

  private static ItemFields batch(DumpItem.Batch batch) {
    ItemFields fields =
        of("batch", batch.position())
            .with("size", batch.sizeBytes())
            .with("base_offset", batch.baseOffset())
            .with("last_offset", batch.lastOffset())
            .with("records", batch.recordCount())
            .with("leader_epoch", batch.leaderEpoch())
            .with("codec", batch.codec())
            .with("base_timestamp", batch.baseTimestampMs())
            .with("max_timestamp", batch.maxTimestampMs())
            .with("crc", batch.checksum());
    if (batch.producerId() >= 0) {
      fields.add("producer_id", batch.producerId());
      fields.add("producer_epoch", batch.producerEpoch());
      fields.add("base_sequence", batch.baseSequence());
    }
    if (!batch.attributes().isEmpty()) {
      fields.add("attributes", batch.attributes());
    }
    return fields;
  }

  private static ItemFields producer(DumpItem.Producer producer) {
    ItemFields fields =
        empty("producer")
            .with("producer_id", producer.producerId())
            .with("producer_epoch", producer.epoch());
    if (producer.lastSequence().isPresent()) {
      fields.add("last_sequence", producer.lastSequence().getAsInt());
      fields.add("last_offset", producer.lastOffset());
      fields.add("offset_delta", producer.offsetDelta());
    }
    fields.add("timestamp", producer.timestampMs());
    fields.add("coordinator_epoch", producer.coordinatorEpoch());
    producer.transactionStart().ifPresent(start -> fields.add("transaction_start", start));
    return fields;
  }

  private static ItemFields empty(String type) {
    return new ItemFields(type, new LinkedHashMap<>());
  }

  private static ItemFields of(String type, long position) {
    return empty(type).with("position", position);
  }

  private static ItemFields of(String type, LogRecord content) {
    return empty(type).with("offset", content.offset()).with("timestamp", content.timestampMs());
  }

  private static ShownBytes cut(String words, int bytesMax) {
    ByteBuffer bytes = ByteBuffer.wrap(words.getBytes(StandardCharsets.UTF_8));
    return ShownBytes.of(bytes, bytesMax).orElseThrow();
  }

  private void addContent(LogRecord content, int bytesMax) {
    values.put("key", ShownBytes.of(content.key(), bytesMax).map(Object.class::cast));
    values.put("value", ShownBytes.of(content.value(), bytesMax).map(Object.class::cast));
    if (!content.headers().isEmpty()) {
      List<Header> headers = new ArrayList<>();
      for (RecordHeader header : content.headers()) {
        headers.add(new Header(header.key(), ShownBytes.of(header.value(), bytesMax)));
      }
      add("headers", headers);
    }
  }

  private void add(String name, Object value) {
    values.put(name, Optional.of(value));
  }

  private ItemFields with(String name, Object value) {
    add(name, value);
    return this;
  }
}
