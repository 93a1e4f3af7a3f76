package dev.weir.log.dump;

import dev.weir.log.AppendOrigin;
import dev.weir.log.CorruptFileException;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.dump.SegmentBytes.Step;
import dev.weir.log.producer.ProducerStates;
import dev.weir.log.producer.TransactionMarker;
import dev.weir.log.segment.AbortedTransaction;
import dev.weir.log.segment.SegmentFiles;
import dev.weir.log.segment.TransactionIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Checks a transaction index against its segment. The batches are replayed from the producer
 * snapshot of the segment's start on, as the log itself does it, and the aborted transactions that
 * come of it are compared with the entries. Used once.
 */
final class TransactionIndexVerification {
  /**
   * Abort markers and producers that are kept in mind: as many take some hundred megabytes, and a
   * segment could hold thirty times as many.
   */
  private static final int KEPT_MAX = 1_000_000;

  private final Path file;
  private final Findings findings;
  private final DumpSink sink;
  private final int keptMax;
  private final ProducerStates producers = new ProducerStates();
  private final Map<Long, Long> abortedIdByMarkerOffset = new HashMap<>();
  private final Map<Long, AbortedTransaction> expectedByMarkerOffset = new HashMap<>();

  /** Whether the replay knows all that was open when the segment began. */
  private boolean startIsKnown;

  /** Whether batches or records are missing, so that a replay sees less than the log did. */
  private boolean compacted;

  /** Where the replay ended, since it would have had to keep too much in mind. */
  private long replayEndOffset = Long.MAX_VALUE;

  TransactionIndexVerification(Path file, Findings findings, DumpSink sink) {
    this(file, findings, sink, KEPT_MAX);
  }

  TransactionIndexVerification(Path file, Findings findings, DumpSink sink, int keptMax) {
    this.keptMax = keptMax;
    this.file = file;
    this.findings = findings;
    this.sink = sink;
  }

  void verify(SequencedMap<String, Long> figures) throws IOException {
    SmallFiles.checkSize(file, findings);
    Path log = FileKind.sibling(file, SegmentFiles.LOG);
    if (!Files.exists(log) || SegmentBytes.namedOffset(file).isEmpty()) {
      findings.problem("there is no segment " + log.getFileName() + " beside it to compare with");
      return;
    }
    readStart();
    replay(log);
    // Read after the segment: a node writes the marker before its entry.
    List<AbortedTransaction> entries = new TransactionIndex(file).entries();
    figures.put("entries", (long) entries.size());
    figures.put("abort_markers", (long) abortedIdByMarkerOffset.size());
    long position = 0;
    long lastMarker = -1;
    for (AbortedTransaction entry : entries) {
      if (entry.lastOffset() >= replayEndOffset) {
        break; // noted already
      }
      if (entry.lastOffset() <= lastMarker) {
        findings.problem(
            position,
            "entry has last offset "
                + entry.lastOffset()
                + " after "
                + lastMarker
                + ", expected the order of the markers");
      } else if (check(position, entry)) {
        lastMarker = entry.lastOffset();
      }
      expectedByMarkerOffset.remove(entry.lastOffset());
      position += TransactionIndex.ENTRY_BYTES;
    }
    tellMissing(position);
  }

  private void readStart() {
    if (SegmentBytes.namedOffset(file).orElseThrow() == 0) {
      startIsKnown = true;
      return;
    }
    Path snapshot = FileKind.sibling(file, SegmentFiles.SNAPSHOT);
    if (!Files.exists(snapshot)) {
      findings.note(
          0,
          "there is no "
              + snapshot.getFileName()
              + " beside it: first offsets of transactions that began before the segment are not"
              + " checked");
      return;
    }
    try {
      SmallFiles.requireSmall(snapshot, FileKind.PRODUCER_SNAPSHOT);
      producers.read(snapshot);
      startIsKnown = true;
    } catch (CorruptFileException e) {
      findings.note(0, "first offsets are not checked: " + e.getMessage());
    }
  }

  private void replay(Path log) throws IOException {
    try (SegmentBytes segment = SegmentBytes.open(log)) {
      long next = segment.namedOffset().orElseThrow();
      for (; ; ) {
        switch (segment.next()) {
          case Step.At(long position, RecordBatchView header) -> {
            if (abortedIdByMarkerOffset.size() + producers.size() >= keptMax) {
              replayEndOffset = header.baseOffset();
              findings.note(
                  0,
                  "the segment has more than "
                      + keptMax
                      + " producers and abort markers: entries from offset "
                      + replayEndOffset
                      + " on are not checked");
              return;
            }
            compacted |=
                header.baseOffset() != next || header.recordCount() != header.lastOffsetDelta() + 1;
            next = header.nextOffset();
            replay(segment, position, header);
            sink.progress(position);
          }
          case Step.Broken(long position, String text) -> {
            findings.problem("the segment is damaged at position " + position + ": " + text);
            return;
          }
          case Step.End() -> {
            return;
          }
        }
      }
    }
  }

  private void replay(SegmentBytes segment, long position, RecordBatchView header)
      throws IOException {
    try {
      RecordBatchView batch = header;
      if (header.isControl()) {
        batch = segment.load(position, header.sizeInBytes());
        if (batch.hasProducerId()
            && TransactionMarker.of(batch).filter(m -> m.type() == ControlType.ABORT).isPresent()) {
          abortedIdByMarkerOffset.put(batch.baseOffset(), batch.producerId());
        }
      }
      ProducerStates.Staged staged = producers.stage(AppendOrigin.REPLICATION);
      staged.add(batch, batch.baseOffset());
      for (AbortedTransaction aborted : producers.apply(staged)) {
        expectedByMarkerOffset.put(aborted.lastOffset(), aborted);
      }
    } catch (CorruptBatchException e) {
      findings.problem(
          "the segment is damaged at position " + position + ": " + SegmentBytes.reason(e));
    }
  }

  /** Whether there is a marker for the entry; what else it says is told on the way. */
  private boolean check(long position, AbortedTransaction entry) {
    Long id = abortedIdByMarkerOffset.get(entry.lastOffset());
    if (id == null || id != entry.producerId()) {
      findings.problem(
          position,
          "entry says that producer "
              + entry.producerId()
              + " aborted at offset "
              + entry.lastOffset()
              + (id == null
                  ? ", where there is no abort marker"
                  : ", but the abort marker there is of producer " + id));
      return id != null;
    }
    AbortedTransaction expected = expectedByMarkerOffset.get(entry.lastOffset());
    if (entry.equals(expected)) {
      return true;
    }
    String text =
        "entry has first offset "
            + entry.firstOffset()
            + " and last stable offset "
            + entry.lastStableOffset()
            + ", the batches tell "
            + (expected == null
                ? "of no transaction that was open"
                : expected.firstOffset() + " and " + expected.lastStableOffset());
    if (compacted || !startIsKnown) {
      findings.note(position, text + "; not all of them are there any more");
    } else {
      findings.problem(position, text);
    }
    return true;
  }

  private void tellMissing(long position) {
    expectedByMarkerOffset.values().stream()
        .sorted((a, b) -> Long.compare(a.lastOffset(), b.lastOffset()))
        .forEach(
            missing ->
                findings.problem(
                    position,
                    "no entry for the transaction of producer "
                        + missing.producerId()
                        + " from offset "
                        + missing.firstOffset()
                        + " to "
                        + missing.lastOffset()
                        + ", whose records readers of committed ones would be shown"));
  }
}
