package dev.weir.log.dump;

import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.dump.SegmentBytes.Step;
import dev.weir.log.segment.BatchScan;
import dev.weir.log.segment.SegmentFiles;
import dev.weir.log.segment.SparseIndex.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SequencedMap;

/**
 * Checks an offset index against its segment: entries grow, and each names the last offset of the
 * batch at its position. Used once.
 */
final class OffsetIndexVerification {
  /**
   * Older versions of Apache Kafka made one entry for all the batches that a follower appended at
   * once; a fetch has at most some thousands.
   */
  private static final int BATCHES_OF_AN_APPEND_MAX = 10_000;

  private final Path file;
  private final Findings findings;
  private final DumpSink sink;
  private long goodKey = -1; // of the last entry that is as it should be
  private long goodPosition = -1;

  OffsetIndexVerification(Path file, Findings findings, DumpSink sink) {
    this.file = file;
    this.findings = findings;
    this.sink = sink;
  }

  void verify(SequencedMap<String, Long> figures) throws IOException {
    try (IndexBytes index = IndexBytes.open(file, Layout.OFFSET)) {
      figures.put("entries", index.entries());
      index.checkSize(findings);
      Path log = FileKind.sibling(file, SegmentFiles.LOG);
      if (!Files.exists(log) || SegmentBytes.namedOffset(file).isEmpty()) {
        findings.problem("there is no segment " + log.getFileName() + " beside it to compare with");
        return;
      }
      // Opened after the index: a node writes the batch before its entry.
      try (SegmentBytes segment = SegmentBytes.open(log)) {
        while (!findings.isFull() && index.next()) {
          check(segment, index.position(), index.key(), index.value());
          sink.progress(index.position());
        }
      }
    }
  }

  private void check(SegmentBytes segment, long position, long key, int target) throws IOException {
    if (key <= goodKey || target <= goodPosition) {
      findings.problem(
          position,
          "entry has relative offset "
              + key
              + " and position "
              + target
              + " after "
              + goodKey
              + " and "
              + goodPosition
              + ", expected both to grow");
      return;
    }
    BatchScan walk = segment.headers(Math.max(goodPosition, 0));
    Step step = segment.next(walk);
    while (step instanceof Step.At(long at, RecordBatchView _) && at < target) {
      step = segment.next(walk);
    }
    switch (step) {
      case Step.At(long at, RecordBatchView batch) when at == target ->
          checkOffset(segment, walk, position, key, batch);
      case Step.At(long at, RecordBatchView _) ->
          findings.problem(
              position,
              "entry points to position "
                  + target
                  + ", where no batch begins; the next is at "
                  + at);
      case Step.End() ->
          findings.problem(
              position,
              "entry points to position "
                  + target
                  + ", the segment ends at "
                  + segment.sizeBytes());
      case Step.Broken(long at, String text) ->
          findings.problem(
              position, "entry cannot be checked, the segment is damaged at " + at + ": " + text);
    }
  }

  private void checkOffset(
      SegmentBytes segment, BatchScan walk, long position, long key, RecordBatchView batch)
      throws IOException {
    long offset = SegmentBytes.namedOffset(file).orElseThrow() + key;
    long first = batch.baseOffset();
    long last = batch.lastOffset();
    long target = walk.position();
    if (offset != last && (offset < last || !endsALaterBatch(segment, walk, offset))) {
      findings.problem(
          position,
          "entry has offset "
              + offset
              + ", but the batch at position "
              + target
              + " has offsets "
              + first
              + ".."
              + last);
      return;
    }
    if (offset != last) {
      findings.note(
          position,
          "entry has offset "
              + offset
              + ", which ends a batch behind the one at position "
              + target
              + "; older versions of Apache Kafka wrote so on followers, and look-ups are right");
    }
    goodKey = key;
    goodPosition = target;
  }

  private static boolean endsALaterBatch(SegmentBytes segment, BatchScan walk, long offset)
      throws IOException {
    for (int i = 0; i < BATCHES_OF_AN_APPEND_MAX; i++) {
      if (!(segment.next(walk) instanceof Step.At(long _, RecordBatchView later))) {
        return false;
      }
      if (later.lastOffset() >= offset) {
        return later.lastOffset() == offset;
      }
    }
    return false;
  }
}
