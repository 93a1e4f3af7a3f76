package dev.weir.raft;

import dev.weir.log.CorruptFileException;
import dev.weir.log.LogException;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordBatches;
import dev.weir.log.checkpoint.AtomicFile;
import dev.weir.protocol.metadata.MetadataRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A snapshot of the metadata: everything below an offset of the log, in a file beside it, KIP-630.
 *
 * <p>The file's name is {@code <endOffset, 20 digits>-<epoch, 10 digits>.checkpoint}. It holds
 * record batches of magic 2 whose offsets count from 0: a control batch with the snapshot header
 * and, where the voters are in the log, the KRaft version and the voters; batches of metadata
 * records; a control batch with the snapshot footer, without which the file is not whole. Each
 * batch carries the epoch as its leader epoch and a CRC.
 *
 * <p>The checkpoint of offset 0 and epoch 0 is made when a directory is formatted. It is no
 * snapshot: it holds what the first leader copies into the log.
 *
 * @param endOffset exclusive: the log goes on from here
 * @param epoch of the last record below the offset
 */
record Checkpoint(Path file, long endOffset, int epoch) {
  private static final Pattern NAME = Pattern.compile("(\\d{20})-(\\d{10})\\.checkpoint");

  private static final String BOOTSTRAP_NAME =
      "0".repeat(20) + "-" + "0".repeat(10) + ".checkpoint";

  /** Kafka's bound on a batch of the metadata log: readers size their buffers by it. */
  static final int BATCH_BYTES_MAX = 8 << 20;

  /** Whether this is what the log begins with, and not a snapshot of it. */
  boolean isBootstrap() {
    return endOffset == 0;
  }

  /** The newest checkpoint in a directory. Unfinished ones have other names. */
  static Optional<Checkpoint> newest(Path directory) {
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .flatMap(file -> named(file).stream())
          .max(Comparator.comparingLong(Checkpoint::endOffset).thenComparingInt(Checkpoint::epoch));
    } catch (IOException e) {
      throw new LogException("cannot list directory=" + directory, e);
    }
  }

  private static Optional<Checkpoint> named(Path file) {
    Matcher name = NAME.matcher(file.getFileName().toString());
    return name.matches()
        ? Optional.of(
            new Checkpoint(file, Long.parseLong(name.group(1)), Integer.parseInt(name.group(2))))
        : Optional.empty();
  }

  /**
   * Writes the checkpoint that a log begins with; returns when it is on the disk. One that is there
   * is replaced.
   */
  static void writeBootstrap(
      Path directory, List<Voter> voters, List<MetadataRecord> records, long nowMs) {
    RecordBatchBuilder head = RecordBatchBuilder.control().baseOffset(0).leaderEpoch(0);
    ControlRecords.add(
        head, nowMs, ControlType.SNAPSHOT_HEADER, ControlRecords.snapshotHeader(nowMs));
    ControlRecords.add(head, nowMs, ControlType.KRAFT_VERSION, ControlRecords.kraftVersion(1));
    ControlRecords.add(head, nowMs, ControlType.KRAFT_VOTERS, ControlRecords.voters(voters));
    RecordBatchBuilder body =
        RecordBatchBuilder.data(Compression.NONE).baseOffset(head.count()).leaderEpoch(0);
    records.forEach(record -> body.add(nowMs, null, MetadataValues.encode(record)));
    RecordBatchBuilder foot =
        RecordBatchBuilder.control().baseOffset(head.count() + body.count()).leaderEpoch(0);
    ControlRecords.add(foot, nowMs, ControlType.SNAPSHOT_FOOTER, ControlRecords.snapshotFooter());

    List<ByteBuffer> batches = List.of(head.build(), body.build(), foot.build());
    ByteBuffer contents =
        ByteBuffer.allocate(batches.stream().mapToInt(ByteBuffer::remaining).sum());
    batches.forEach(contents::put);
    Path file = directory.resolve(BOOTSTRAP_NAME);
    AtomicFile.writeDurably(file, contents.array());
  }

  /**
   * Passes every batch in order.
   *
   * @throws CorruptFileException if a checksum does not match, or the footer is missing
   */
  void forEachBatch(Consumer<RecordBatchView> into) {
    ByteBuffer bytes;
    try {
      bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new LogException("cannot read file=" + file, e);
    }
    int position = 0;
    List<ControlType> lastControl = new ArrayList<>();
    for (RecordBatchView batch : RecordBatches.of(bytes)) {
      if (!batch.checksumMatches()) {
        throw new CorruptFileException(
            "batch checksum does not match: position=" + position + ", file=" + file);
      }
      lastControl.clear();
      if (batch.isControl()) {
        ControlRecords.forEach(batch, (type, _) -> lastControl.add(type));
      }
      into.accept(batch);
      position += batch.sizeInBytes();
    }
    if (position != bytes.limit() || !lastControl.contains(ControlType.SNAPSHOT_FOOTER)) {
      throw new CorruptFileException(
          "checkpoint is not whole: batches end at position="
              + position
              + ", fileBytes="
              + bytes.limit()
              + ", last control records are "
              + lastControl
              + ", file="
              + file);
    }
  }
}
