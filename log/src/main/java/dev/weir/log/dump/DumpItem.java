package dev.weir.log.dump;

import dev.weir.log.TopicPartition;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.checkpoint.LeaderEpochs;
import dev.weir.log.producer.SnapshotProducer;
import dev.weir.log.segment.AbortedTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/** One thing that a file holds. Positions are bytes from the start of the file. */
public sealed interface DumpItem {
  /**
   * A record batch, by its header; sizes and offsets are as in {@link RecordBatchView}.
   *
   * @param codec name of the codec, or its number where it has none
   * @param attributes what the attributes say besides
   */
  record Batch(
      long position,
      int sizeBytes,
      long baseOffset,
      long lastOffset,
      int recordCount,
      int leaderEpoch,
      String codec,
      long baseTimestampMs,
      long maxTimestampMs,
      long producerId,
      short producerEpoch,
      int baseSequence,
      long checksum,
      List<String> attributes)
      implements DumpItem {
    static Batch of(long position, RecordBatchView batch) {
      int codec = batch.attributes() & 7;
      return new Batch(
          position,
          batch.sizeInBytes(),
          batch.baseOffset(),
          batch.lastOffset(),
          batch.recordCount(),
          batch.leaderEpoch(),
          Compression.ofId(codec).map(Compression::text).orElse("unknown(" + codec + ")"),
          batch.baseTimestamp(),
          batch.maxTimestamp(),
          batch.producerId(),
          batch.producerEpoch(),
          batch.baseSequence(),
          batch.checksum(),
          attributes(batch));
    }

    private static List<String> attributes(RecordBatchView batch) {
      List<String> names = new ArrayList<>();
      if (batch.isLogAppendTime()) {
        names.add("log-append-time");
      }
      if (batch.isTransactional()) {
        names.add("transactional");
      }
      if (batch.isControl()) {
        names.add("control");
      }
      if (batch.hasDeleteHorizon()) {
        names.add("delete-horizon");
      }
      return List.copyOf(names);
    }
  }

  /** A record; its buffers are valid until the sink returns. */
  record DataRecord(LogRecord content) implements DumpItem {}

  /**
   * A control record.
   *
   * @param type its kind, or empty if it is none that is known
   * @param coordinatorEpoch of the marker of a transaction
   */
  record ControlRecord(LogRecord content, Optional<String> type, OptionalInt coordinatorEpoch)
      implements DumpItem {}

  /** An entry of an offset index: the batch at {@code segmentPosition} ends with this offset. */
  record OffsetEntry(long position, long offset, long segmentPosition) implements DumpItem {}

  /** An entry of a time index: the largest timestamp up to this offset. */
  record TimeEntry(long position, long timestampMs, long offset) implements DumpItem {}

  /** Zero bytes up to the end: room that Apache Kafka takes for an index while it is written. */
  record Room(long position, long sizeBytes) implements DumpItem {}

  /** An entry of a transaction index. */
  record Aborted(
      long position, long producerId, long firstOffset, long lastOffset, long lastStableOffset)
      implements DumpItem {
    static Aborted of(long position, AbortedTransaction entry) {
      return new Aborted(
          position,
          entry.producerId(),
          entry.firstOffset(),
          entry.lastOffset(),
          entry.lastStableOffset());
    }
  }

  /**
   * A producer in a snapshot.
   *
   * @param lastSequence sequence of its last record; empty if it has written none in this epoch
   * @param lastOffset offset of that record, or -1
   * @param offsetDelta last minus first offset of its last batch
   * @param coordinatorEpoch epoch of the coordinator that ended its last transaction, or -1
   * @param transactionStart first offset of its open transaction
   */
  record Producer(
      long producerId,
      short epoch,
      OptionalInt lastSequence,
      long lastOffset,
      int offsetDelta,
      long timestampMs,
      int coordinatorEpoch,
      OptionalLong transactionStart)
      implements DumpItem {
    static Producer of(SnapshotProducer entry) {
      return new Producer(
          entry.producerId(),
          entry.epoch(),
          entry.lastSequence(),
          entry.lastOffset(),
          entry.offsetDelta(),
          entry.timestampMs(),
          entry.coordinatorEpoch(),
          entry.transactionStart());
    }
  }

  /** A line of the checkpoint of leader epochs. */
  record EpochStart(LeaderEpochs.Start start) implements DumpItem {}

  /** A line of a checkpoint of offsets. */
  record PartitionOffset(TopicPartition partition, long offset) implements DumpItem {}

  /** The id in the metadata of a partition. */
  record TopicId(UUID id) implements DumpItem {}

  /**
   * What a verification has looked at.
   *
   * @param problems how many it found
   * @param figures counts and offsets by name, in the order to show them
   */
  record Summary(FileKind kind, long sizeBytes, long problems, Map<String, Long> figures)
      implements DumpItem {}
}
