package dev.weir.log.producer;

import dev.weir.log.CorruptFileException;
import dev.weir.log.FormatTooNewException;
import dev.weir.log.LogException;
import dev.weir.log.checkpoint.AtomicFile;
import dev.weir.log.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The file {@code <offset>.snapshot}: producers as of that offset, as Apache Kafka writes it.
 * Big-endian:
 *
 * <pre>
 * 0 2 version (1)    2 4 CRC-32C of bytes 6..end    6 4 number of entries    then entries of 46 bytes:
 * 0 8 producer id    8 2 epoch    10 4 last sequence    14 8 last offset    22 4 offset delta
 * 26 8 timestamp    34 4 coordinator epoch    38 8 first offset of the open transaction, or -1
 * </pre>
 *
 * <p>Only the newest batch of a producer is in the file; last sequence is -1 where there is none.
 */
final class ProducerSnapshot {
  private static final short VERSION = 1;
  private static final int CRC = 2;
  private static final int COUNT = 6;
  private static final int ENTRIES = 10;
  private static final int ENTRY_BYTES = 46;
  private static final int NONE = -1;

  private ProducerSnapshot() {}

  static void write(Path file, Map<Long, ProducerEntry> entryById) {
    ByteBuffer out = ByteBuffer.allocate(ENTRIES + entryById.size() * ENTRY_BYTES);
    out.putShort(VERSION).position(COUNT).putInt(entryById.size());
    entryById.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> write(out, entry.getKey(), entry.getValue()));
    out.putInt(CRC, checksum(out.flip()));
    AtomicFile.write(file.resolveSibling(SegmentFiles.NEXT_SNAPSHOT), file, out.array());
  }

  private static void write(ByteBuffer out, long producerId, ProducerEntry entry) {
    BatchMark last =
        entry.batches().isEmpty()
            ? new BatchMark(NONE, NONE, 0, entry.lastTimestampMs())
            : entry.batches().getLast();
    out.putLong(producerId).putShort(entry.epoch());
    out.putInt(last.lastSequence()).putLong(last.lastOffset()).putInt(last.offsetDelta());
    out.putLong(entry.lastTimestampMs()).putInt(entry.coordinatorEpoch());
    out.putLong(entry.transactionStart().orElse(NONE));
  }

  private static int checksum(ByteBuffer file) {
    CRC32C crc = new CRC32C();
    crc.update(file.duplicate().position(COUNT));
    return (int) crc.getValue();
  }

  /**
   * Reads a snapshot.
   *
   * @throws CorruptFileException if its size or checksum is wrong
   * @throws FormatTooNewException if a newer version wrote it
   */
  static Map<Long, ProducerEntry> read(Path file) {
    ByteBuffer in;
    try {
      in = ByteBuffer.wrap(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new LogException("cannot read file=" + file, e);
    }
    if (in.limit() < ENTRIES) {
      throw new CorruptFileException(
          "snapshot has " + in.limit() + " bytes, expected at least " + ENTRIES + ", file=" + file);
    }
    short version = in.getShort();
    if (version > VERSION) {
      throw new FormatTooNewException(
          "version is " + version + ", expected " + VERSION + ", in file=" + file);
    }
    int stored = in.getInt();
    if (version < VERSION || stored != checksum(in)) {
      throw new CorruptFileException(
          "version is "
              + version
              + " and checksum "
              + stored
              + ", expected version "
              + VERSION
              + " and checksum "
              + checksum(in)
              + ", at position=0 of file="
              + file);
    }
    int count = in.getInt();
    if (count < 0 || in.remaining() != (long) count * ENTRY_BYTES) {
      throw new CorruptFileException(
          "snapshot claims "
              + count
              + " entries in "
              + in.remaining()
              + " bytes, at position="
              + COUNT
              + " of file="
              + file);
    }
    Map<Long, ProducerEntry> entryById = new HashMap<>();
    for (int i = 0; i < count; i++) {
      entryById.put(in.getLong(), readEntry(in));
    }
    return entryById;
  }

  private static ProducerEntry readEntry(ByteBuffer in) {
    short epoch = in.getShort();
    int lastSequence = in.getInt();
    long lastOffset = in.getLong();
    int offsetDelta = in.getInt();
    long timestampMs = in.getLong();
    int coordinatorEpoch = in.getInt();
    long start = in.getLong();
    return new ProducerEntry(
        epoch,
        coordinatorEpoch,
        timestampMs,
        start < 0 ? OptionalLong.empty() : OptionalLong.of(start),
        lastSequence < 0
            ? List.of()
            : List.of(new BatchMark(lastSequence, lastOffset, offsetDelta, timestampMs)));
  }
}
