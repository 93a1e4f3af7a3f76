package dev.weir.log.dump;

import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordReader;
import dev.weir.log.dump.SegmentBytes.Step;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Lists the batches of a segment, and their records where they are wanted. */
final class SegmentListing {
  private static final int MARKER_BYTES = 6;
  private static final int COORDINATOR_EPOCH_AT = 2;

  private SegmentListing() {}

  static void list(Path file, Depth depth, DumpSink sink, Findings findings) throws IOException {
    try (SegmentBytes segment = SegmentBytes.open(file)) {
      for (; ; ) {
        switch (segment.next()) {
          case Step.At(long position, RecordBatchView header) -> {
            sink.item(DumpItem.Batch.of(position, header));
            if (depth == Depth.RECORDS) {
              listRecords(segment, position, header.sizeInBytes(), sink, findings);
            }
            sink.progress(position);
          }
          case Step.Broken(long position, String text) -> {
            findings.problem(position, text);
            return;
          }
          case Step.End() -> {
            return;
          }
        }
      }
    }
  }

  private static void listRecords(
      SegmentBytes segment, long position, int batchBytes, DumpSink sink, Findings findings)
      throws IOException {
    try {
      RecordBatchView batch = segment.load(position, batchBytes);
      if (!batch.checksumMatches()) {
        findings.problem(position, checksumText(batch));
      }
      try (RecordReader records = batch.records()) {
        while (records.hasNext()) {
          LogRecord next = records.next();
          sink.item(batch.isControl() ? control(next) : new DumpItem.DataRecord(next));
        }
      }
    } catch (CorruptBatchException e) {
      findings.problem(position, SegmentBytes.reason(e));
    }
  }

  static String checksumText(RecordBatchView batch) {
    return "checksum is "
        + batch.computeChecksum()
        + ", the batch says "
        + batch.checksum()
        + ", baseOffset="
        + batch.baseOffset();
  }

  private static DumpItem control(LogRecord content) {
    ByteBuffer key = content.key();
    ByteBuffer value = content.value();
    Optional<ControlType> type = key == null ? Optional.empty() : ControlType.ofKey(key);
    boolean ends = type.filter(t -> t == ControlType.ABORT || t == ControlType.COMMIT).isPresent();
    return new DumpItem.ControlRecord(
        content,
        type.map(Enum::name),
        ends && value != null && value.remaining() >= MARKER_BYTES
            ? OptionalInt.of(value.getInt(value.position() + COORDINATOR_EPOCH_AT))
            : OptionalInt.empty());
  }
}
