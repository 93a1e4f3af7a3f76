package dev.weir.raft;

import dev.weir.log.CorruptFileException;
import dev.weir.log.LogException;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordBatches;
import dev.weir.log.checkpoint.AtomicFile;
import dev.weir.protocol.Message;
import dev.weir.protocol.metadata.MetadataRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
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

  /** End of the name of a file that is being written; Kafka's, which deletes it at its start. */
  private static final String UNFINISHED = ".checkpoint.part";

  private static final Comparator<Checkpoint> AGE =
      Comparator.comparingLong(Checkpoint::endOffset).thenComparingInt(Checkpoint::epoch);

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
      return files.flatMap(file -> named(file).stream()).max(AGE);
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
    new Checkpoint(directory.resolve(BOOTSTRAP_NAME), 0, 0).write(voters, nowMs, records::forEach);
  }

  /**
   * Writes a snapshot; returns when it is on the disk under its name. A process that dies before
   * leaves a file that no reader takes for a snapshot.
   *
   * @param voters as the log has them; none where the quorum is a static one
   * @param lastTimestampMs of the last record below the offset
   * @param records passes those that come to the same as all below the offset
   */
  static Checkpoint writeSnapshot(
      Path directory,
      long endOffset,
      int epoch,
      List<Voter> voters,
      long lastTimestampMs,
      Consumer<Consumer<MetadataRecord>> records) {
    Path file =
        directory.resolve(String.format(Locale.ROOT, "%020d-%010d.checkpoint", endOffset, epoch));
    Checkpoint snapshot = new Checkpoint(file, endOffset, epoch);
    snapshot.write(voters, lastTimestampMs, records);
    return snapshot;
  }

  private void write(
      List<Voter> voters, long timestampMs, Consumer<Consumer<MetadataRecord>> records) {
    Path unfinished =
        file.resolveSibling(file.getFileName().toString().replace(".checkpoint", UNFINISHED));
    try {
      try (FileChannel channel =
          FileChannel.open(
              unfinished,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        new Writer(channel, epoch, timestampMs).write(voters, records);
        channel.force(true);
      }
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | UncheckedIOException e) {
      throw new LogException("cannot write file=" + file, e);
    }
    AtomicFile.syncDirectory(file.toAbsolutePath().resolveSibling(""));
  }

  /** Writes one checkpoint, batch after batch, with offsets that count from 0. */
  private static final class Writer {
    private final FileChannel channel;
    private final int epoch;
    private final long timestampMs;
    private long nextOffset;

    Writer(FileChannel channel, int epoch, long timestampMs) {
      this.channel = channel;
      this.epoch = epoch;
      this.timestampMs = timestampMs;
    }

    void write(List<Voter> voters, Consumer<Consumer<MetadataRecord>> records) {
      RecordBatchBuilder head = RecordBatchBuilder.control();
      add(head, ControlType.SNAPSHOT_HEADER, ControlRecords.snapshotHeader(timestampMs));
      if (!voters.isEmpty()) {
        add(head, ControlType.KRAFT_VERSION, ControlRecords.kraftVersion(1));
        add(head, ControlType.KRAFT_VOTERS, ControlRecords.voters(voters));
      }
      write(head);
      MetadataBatches.Spread spread =
          new MetadataBatches.Spread(
              () -> RecordBatchBuilder.data(Compression.NONE), timestampMs, this::write);
      records.accept(spread::add);
      spread.end();
      RecordBatchBuilder foot = RecordBatchBuilder.control();
      add(foot, ControlType.SNAPSHOT_FOOTER, ControlRecords.snapshotFooter());
      write(foot);
    }

    private void add(RecordBatchBuilder batch, ControlType type, Message value) {
      ControlRecords.add(batch, timestampMs, type, value);
    }

    private void write(RecordBatchBuilder batch) {
      ByteBuffer bytes = batch.baseOffset(nextOffset).leaderEpoch(epoch).build();
      nextOffset += batch.count();
      try {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Deletes what an interrupted snapshot has left. */
  static void deleteUnfinished(Path directory) {
    deleteIf(directory, name -> name.endsWith(UNFINISHED));
  }

  /** Deletes the checkpoints before this one, which nobody reads any more. */
  void deleteOlder() {
    deleteIf(
        file.toAbsolutePath().resolveSibling(""),
        name ->
            named(file.resolveSibling(name))
                .filter(other -> AGE.compare(other, this) < 0)
                .isPresent());
  }

  private static void deleteIf(Path directory, Predicate<String> condition) {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (condition.test(file.getFileName().toString())) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new LogException("cannot delete checkpoints of directory=" + directory, e);
    }
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
