package dev.weir.log.dump;

import dev.weir.log.CorruptFileException;
import dev.weir.log.LogException;
import dev.weir.log.checkpoint.LeaderEpochs;
import dev.weir.log.checkpoint.OffsetCheckpoint;
import dev.weir.log.checkpoint.PartitionMetadata;
import dev.weir.log.producer.SnapshotFiles;
import dev.weir.log.producer.SnapshotProducer;
import dev.weir.log.segment.AbortedTransaction;
import dev.weir.log.segment.TransactionIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.UUID;

/** Files that are read as a whole: snapshots, checkpoints, the transaction index. */
final class SmallFiles {
  /**
   * Bound of a snapshot or a transaction index: 700,000 producers. Their objects take some ten
   * times as much, which is to fit into a heap of 1 GiB with room to spare.
   */
  private static final long BINARY_BYTES_MAX = 32L << 20;

  /** Bound of a checkpoint, for the same reason: its lines are short, and objects take more. */
  private static final long TEXT_BYTES_MAX = 16L << 20;

  private SmallFiles() {}

  /**
   * Refuses a file that is too large to be read as a whole.
   *
   * @throws CorruptFileException if it is
   * @throws LogException if its size cannot be read
   */
  static void requireSmall(Path file, FileKind kind) {
    long bytesMax =
        switch (kind) {
          case PRODUCER_SNAPSHOT, TRANSACTION_INDEX -> BINARY_BYTES_MAX;
          case LEADER_EPOCHS, PARTITION_OFFSETS, PARTITION_METADATA -> TEXT_BYTES_MAX;
          case SEGMENT, METADATA_SNAPSHOT, OFFSET_INDEX, TIME_INDEX ->
              throw new IllegalArgumentException(kind + " is not read as a whole");
        };
    long size = LogFiles.sizeBytes(file);
    if (size > bytesMax) {
      throw new CorruptFileException(
          "file has "
              + size
              + " bytes, files of its kind are read up to "
              + bytesMax
              + ", in file="
              + file);
    }
  }

  static void list(Path file, FileKind kind, DumpSink sink, Findings findings) throws IOException {
    switch (kind) {
      case TRANSACTION_INDEX -> {
        long position = 0;
        for (AbortedTransaction entry : new TransactionIndex(file).entries()) {
          sink.item(DumpItem.Aborted.of(position, entry));
          position += TransactionIndex.ENTRY_BYTES;
        }
        checkSize(file, findings);
      }
      case PRODUCER_SNAPSHOT ->
          SnapshotFiles.producers(file)
              .forEach(producer -> sink.item(DumpItem.Producer.of(producer)));
      case LEADER_EPOCHS ->
          epochs(file).forEach(start -> sink.item(new DumpItem.EpochStart(start)));
      case PARTITION_OFFSETS ->
          OffsetCheckpoint.read(file).entrySet().stream()
              .sorted(Map.Entry.comparingByKey())
              .forEach(
                  entry ->
                      sink.item(new DumpItem.PartitionOffset(entry.getKey(), entry.getValue())));
      case PARTITION_METADATA -> sink.item(new DumpItem.TopicId(topicId(file)));
      case SEGMENT, METADATA_SNAPSHOT, OFFSET_INDEX, TIME_INDEX ->
          throw new IllegalArgumentException(kind + " is not read as a whole");
    }
  }

  static void verify(
      Path file, FileKind kind, Findings findings, SequencedMap<String, Long> figures) {
    switch (kind) {
      case PRODUCER_SNAPSHOT -> verifySnapshot(file, findings, figures);
      case LEADER_EPOCHS -> verifyEpochs(file, findings, figures);
      case PARTITION_OFFSETS -> {
        Map<?, Long> offsets = OffsetCheckpoint.read(file);
        figures.put("partitions", (long) offsets.size());
        offsets.forEach(
            (partition, offset) -> {
              if (offset < 0) {
                findings.problem(
                    "offset of " + partition + " is " + offset + ", expected 0 or more");
              }
            });
      }
      case PARTITION_METADATA -> topicId(file);
      case SEGMENT, METADATA_SNAPSHOT, OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX ->
          throw new IllegalArgumentException(kind + " has a verification of its own");
    }
  }

  static void checkSize(Path file, Findings findings) throws IOException {
    long size = Files.size(file);
    long rest = size % TransactionIndex.ENTRY_BYTES;
    if (rest > 0 && !FileGrowth.since(size, () -> Files.size(file)).grows()) {
      findings.problem(
          size - rest,
          "file ends after "
              + rest
              + " bytes of an entry of "
              + TransactionIndex.ENTRY_BYTES
              + "; aborted records may be shown to readers of committed ones");
    }
  }

  private static List<LeaderEpochs.Start> epochs(Path file) {
    return LeaderEpochs.read(file.toAbsolutePath().resolveSibling("")).starts();
  }

  private static UUID topicId(Path file) {
    return PartitionMetadata.read(file.toAbsolutePath().resolveSibling(""))
        .orElseThrow(() -> new CorruptFileException("file is gone, file=" + file));
  }

  private static void verifySnapshot(
      Path file, Findings findings, SequencedMap<String, Long> figures) {
    List<SnapshotProducer> producers = SnapshotFiles.producers(file);
    figures.put("producers", (long) producers.size());
    OptionalLong named = SegmentBytes.namedOffset(file);
    if (named.isEmpty()) {
      findings.problem("the name has no offset of 20 digits, which says where the snapshot stands");
      return;
    }
    for (SnapshotProducer producer : producers) {
      long last = Math.max(producer.lastOffset(), producer.transactionStart().orElse(-1));
      if (last >= named.getAsLong()) {
        findings.problem(
            "producer "
                + producer.producerId()
                + " has offset "
                + last
                + ", expected one below the snapshot's own, "
                + named.getAsLong());
      }
    }
  }

  private static void verifyEpochs(
      Path file, Findings findings, SequencedMap<String, Long> figures) {
    List<LeaderEpochs.Start> starts = epochs(file);
    figures.put("epochs", (long) starts.size());
    LeaderEpochs.Start last = new LeaderEpochs.Start(-1, 0);
    for (LeaderEpochs.Start start : starts) {
      if (start.epoch() <= last.epoch() || start.startOffset() < last.startOffset()) {
        findings.problem(
            "epoch "
                + start.epoch()
                + " from offset "
                + start.startOffset()
                + " follows epoch "
                + last.epoch()
                + " from offset "
                + last.startOffset()
                + ", expected both to grow");
      }
      last = start;
    }
  }
}
