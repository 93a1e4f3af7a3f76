package dev.weir.log.dump;

import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordReader;
import dev.weir.log.dump.SegmentBytes.Step;
import dev.weir.log.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * Checks a segment: every batch is whole and has its checksum, its records can be decoded and lie
 * within it, offsets grow, leader epochs do not go back. Base offset and leader epoch are outside
 * the checksum, so what lies beside the segment has to vouch for them: the name of the next
 * segment, and the checkpoint of leader epochs.
 *
 * <p>Used once.
 */
final class SegmentVerification {
  private final Path file;
  private final Findings findings;
  private final DumpSink sink;
  private final EpochRuns epochs;
  private OptionalLong segmentOffset = OptionalLong.empty();
  private long batches;
  private long records;
  private long firstOffset = -1;
  private long nextOffset = -1; // after the last batch; -1 before the first
  private int lastEpoch = RecordBatchView.NO_LEADER_EPOCH;

  SegmentVerification(Path file, Findings findings, DumpSink sink) {
    this.file = file;
    this.findings = findings;
    this.sink = sink;
    this.epochs = new EpochRuns(findings);
  }

  void verify(SequencedMap<String, Long> figures) throws IOException {
    try (SegmentBytes segment = SegmentBytes.open(file)) {
      segmentOffset = segment.namedOffset();
      nextOffset = segmentOffset.orElse(0);
      walk(segment);
      if (segmentOffset.isPresent()) {
        epochs.compareWith(file.toAbsolutePath().resolveSibling(""));
        checkNextSegment(segment);
      }
    }
    figures.put("batches", batches);
    figures.put("records", records);
    if (batches > 0) {
      figures.put("first_offset", firstOffset);
      figures.put("next_offset", nextOffset);
    }
  }

  private void walk(SegmentBytes segment) throws IOException {
    while (!findings.isFull()) {
      switch (segment.next()) {
        case Step.At(long position, RecordBatchView header) -> {
          check(segment, position, header);
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

  private void check(SegmentBytes segment, long position, RecordBatchView header)
      throws IOException {
    checkOffsets(position, header);
    checkEpoch(position, header);
    batches++;
    try {
      RecordBatchView batch = segment.load(position, header.sizeInBytes());
      if (!batch.checksumMatches()) {
        findings.problem(position, SegmentListing.checksumText(batch));
      } else {
        checkRecords(position, batch);
      }
    } catch (CorruptBatchException e) {
      findings.problem(position, SegmentBytes.reason(e));
    }
  }

  private void checkOffsets(long position, RecordBatchView batch) {
    long base = batch.baseOffset();
    long last = batch.lastOffset();
    if (base < nextOffset) {
      findings.problem(
          position,
          batches == 0
              ? "base offset is " + base + ", the segment's name says " + nextOffset
              : "base offset is " + base + ", the batch before it ends with " + (nextOffset - 1));
    } else if (batches == 0 ? segmentOffset.isPresent() && base > nextOffset : base > nextOffset) {
      findings.note(
          position,
          "offsets "
              + nextOffset
              + ".."
              + (base - 1)
              + " are not there; compaction leaves such gaps, nothing else does");
    }
    if (batch.lastOffsetDelta() < 0
        || (segmentOffset.isPresent() && last - segmentOffset.getAsLong() > Integer.MAX_VALUE)) {
      findings.problem(
          position,
          "offsets are "
              + base
              + ".."
              + last
              + ", expected to grow and to be at most "
              + Integer.MAX_VALUE
              + " above the segment's own");
      return; // what follows is measured by the batches before
    }
    if (batches == 0) {
      firstOffset = base;
    }
    nextOffset = Math.max(nextOffset, last + 1);
  }

  private void checkEpoch(long position, RecordBatchView batch) {
    int epoch = batch.leaderEpoch();
    if (epoch < lastEpoch) {
      findings.problem(
          position, "leader epoch is " + epoch + ", the batch before it has " + lastEpoch);
    } else {
      epochs.add(position, batch);
      lastEpoch = epoch;
    }
  }

  private void checkRecords(long position, RecordBatchView batch) {
    long next = batch.baseOffset();
    try (RecordReader reader = batch.records()) {
      while (reader.hasNext()) {
        LogRecord one = reader.next();
        records++;
        if (one.offset() < next || one.offset() > batch.lastOffset()) {
          findings.problem(
              position,
              "record has offset "
                  + one.offset()
                  + ", expected "
                  + next
                  + ".."
                  + batch.lastOffset());
          return;
        }
        next = one.offset() + 1;
      }
    }
  }

  /** The next segment begins where this one ends, or behind a gap that compaction has left. */
  private void checkNextSegment(SegmentBytes segment) throws IOException {
    String name = String.valueOf(file.getFileName());
    if (!name.equals(FileKind.plainName(file)) || batches == 0) {
      return; // a segment that is written anew or deleted has no neighbours
    }
    long own = segmentOffset.orElseThrow();
    OptionalLong next;
    try (Stream<Path> beside = Files.list(file.toAbsolutePath().resolveSibling(""))) {
      next =
          beside
              .map(path -> String.valueOf(path.getFileName()))
              .flatMapToLong(other -> SegmentFiles.offset(other, SegmentFiles.LOG).stream())
              .filter(offset -> offset > own)
              .min();
    }
    long endPosition = segment.sizeBytes();
    if (next.isPresent() && nextOffset > next.getAsLong()) {
      findings.problem(
          endPosition,
          "segment ends with offset "
              + (nextOffset - 1)
              + ", but the next one beside it begins with "
              + next.getAsLong());
    } else if (next.isPresent() && nextOffset < next.getAsLong() && !segment.hasGrown()) {
      // One that grew was written on when it was read, and the node went on to the next since.
      findings.note(
          endPosition,
          "segment ends with offset "
              + (nextOffset - 1)
              + ", and the next one beside it begins with "
              + next.getAsLong()
              + "; compaction leaves such gaps, nothing else does");
    }
  }
}
