package dev.weir.log.dump;

import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordReader;
import dev.weir.log.dump.SegmentBytes.Step;
import dev.weir.log.segment.BatchScan;
import dev.weir.log.segment.SegmentFiles;
import dev.weir.log.segment.SparseIndex.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SequencedMap;

/**
 * Checks a time index against its segment: entries grow, and the timestamp of each is the largest
 * of all batches up to the one with its offset, which has it. Used once.
 */
final class TimeIndexVerification {
  private final Path file;
  private final Findings findings;
  private final DumpSink sink;
  private long goodTimestamp = -1; // of the last entry that is as it should be
  private long goodRelative = -1;
  private long goodPosition; // of its batch in the segment

  TimeIndexVerification(Path file, Findings findings, DumpSink sink) {
    this.file = file;
    this.findings = findings;
    this.sink = sink;
  }

  void verify(SequencedMap<String, Long> figures) throws IOException {
    try (IndexBytes index = IndexBytes.open(file, Layout.TIME)) {
      figures.put("entries", index.entries());
      index.checkSize(findings);
      Path log = FileKind.sibling(file, SegmentFiles.LOG);
      if (!Files.exists(log) || SegmentBytes.namedOffset(file).isEmpty()) {
        findings.problem("there is no segment " + log.getFileName() + " beside it to compare with");
        return;
      }
      long baseOffset = SegmentBytes.namedOffset(file).orElseThrow();
      // Opened after the index: a node writes the batch before its entry.
      try (SegmentBytes segment = SegmentBytes.open(log)) {
        while (!findings.isFull() && index.next()) {
          check(segment, index.position(), index.key(), index.value(), baseOffset);
          sink.progress(index.position());
        }
      }
    }
  }

  private void check(
      SegmentBytes segment, long position, long timestampMs, int relative, long baseOffset)
      throws IOException {
    if (timestampMs <= goodTimestamp || relative < goodRelative || relative < 0) {
      findings.problem(
          position,
          "entry has timestamp "
              + timestampMs
              + " and relative offset "
              + relative
              + " after "
              + goodTimestamp
              + " and "
              + goodRelative
              + ", expected timestamps to grow and offsets not to go back");
      return;
    }
    long offset = baseOffset + relative;
    BatchScan walk = segment.headers(goodPosition);
    long largest = -1;
    Step step = segment.next(walk);
    while (step instanceof Step.At(long _, RecordBatchView before)
        && before.lastOffset() < offset) {
      largest = Math.max(largest, before.maxTimestamp());
      step = segment.next(walk);
    }
    switch (step) {
      case Step.At(long _, RecordBatchView batch) when batch.baseOffset() <= offset -> {
        checkTimestamp(segment, walk, position, new Claim(timestampMs, relative, offset), largest);
      }
      case Step.At _, Step.End() ->
          findings.problem(
              position, "entry has offset " + offset + ", which no batch of the segment holds");
      case Step.Broken(long at, String text) ->
          findings.problem(
              position, "entry cannot be checked, the segment is damaged at " + at + ": " + text);
    }
  }

  /** What an entry says. */
  private record Claim(long timestampMs, int relative, long offset) {}

  private void checkTimestamp(
      SegmentBytes segment, BatchScan walk, long position, Claim claim, long largestBefore)
      throws IOException {
    RecordBatchView batch = walk.batch();
    long largest = Math.max(largestBefore, batch.maxTimestamp());
    if (batch.maxTimestamp() != claim.timestampMs() || largest != claim.timestampMs()) {
      findings.problem(
          position,
          "entry has timestamp "
              + claim.timestampMs()
              + " at offset "
              + claim.offset()
              + ", but the batch there has "
              + batch.maxTimestamp()
              + " and the largest up to there is "
              + largest);
      return;
    }
    if (claim.offset() != batch.lastOffset() && !isOfARecord(segment, walk, claim)) {
      findings.problem(
          position,
          "entry has offset "
              + claim.offset()
              + ", expected the last of its batch, "
              + batch.lastOffset()
              + ", or that of a record with timestamp "
              + claim.timestampMs());
      return;
    }
    if (largestBefore == claim.timestampMs()) {
      findings.note(
          position,
          "a batch before offset "
              + claim.offset()
              + " has the same timestamp, "
              + claim.timestampMs()
              + ": a search for it begins too late; older versions of Apache Kafka wrote so where"
              + " one append had several batches");
    }
    goodTimestamp = claim.timestampMs();
    goodRelative = claim.relative();
    goodPosition = walk.position();
  }

  /**
   * Older versions of Apache Kafka named the record with the timestamp, and not its batch's end.
   */
  private static boolean isOfARecord(SegmentBytes segment, BatchScan walk, Claim claim)
      throws IOException {
    try {
      RecordBatchView whole = segment.load(walk.position(), walk.batch().sizeInBytes());
      try (RecordReader records = whole.records()) {
        while (records.hasNext()) {
          LogRecord next = records.next();
          if (next.offset() >= claim.offset()) {
            return next.offset() == claim.offset() && next.timestampMs() == claim.timestampMs();
          }
        }
      }
      return false;
    } catch (CorruptBatchException e) {
      return false; // told when the segment itself is verified
    }
  }
}
