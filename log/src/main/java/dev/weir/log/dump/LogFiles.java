package dev.weir.log.dump;

import dev.weir.log.CorruptFileException;
import dev.weir.log.FormatTooNewException;
import dev.weir.log.LogException;
import dev.weir.log.segment.SparseIndex.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Lists and verifies one file of a log. Damage is a finding, not an exception; what can still be
 * read is.
 */
public final class LogFiles {
  private LogFiles() {}

  /**
   * Hands the contents of a file to a sink.
   *
   * @throws LogException if the file cannot be read
   */
  public static void list(Path file, FileKind kind, Depth depth, DumpSink sink) {
    Findings findings = new Findings(file, sink);
    guarded(
        file,
        findings,
        () -> {
          switch (kind) {
            case SEGMENT, METADATA_SNAPSHOT -> SegmentListing.list(file, depth, sink, findings);
            case OFFSET_INDEX -> IndexListing.list(file, Layout.OFFSET, sink, findings);
            case TIME_INDEX -> IndexListing.list(file, Layout.TIME, sink, findings);
            case TRANSACTION_INDEX,
                PRODUCER_SNAPSHOT,
                LEADER_EPOCHS,
                PARTITION_OFFSETS,
                PARTITION_METADATA -> {
              SmallFiles.requireSmall(file, kind);
              SmallFiles.list(file, kind, sink, findings);
            }
          }
        });
  }

  /**
   * Checks a whole file, against the files beside it that it has to agree with, and ends with a
   * {@link DumpItem.Summary}.
   *
   * @throws LogException if the file cannot be read
   */
  public static void verify(Path file, FileKind kind, DumpSink sink) {
    Findings findings = new Findings(file, sink);
    SequencedMap<String, Long> figures = new LinkedHashMap<>();
    guarded(
        file,
        findings,
        () -> {
          switch (kind) {
            case SEGMENT, METADATA_SNAPSHOT ->
                new SegmentVerification(file, findings, sink).verify(figures);
            case OFFSET_INDEX -> new OffsetIndexVerification(file, findings, sink).verify(figures);
            case TIME_INDEX -> new TimeIndexVerification(file, findings, sink).verify(figures);
            case TRANSACTION_INDEX -> {
              SmallFiles.requireSmall(file, kind);
              new TransactionIndexVerification(file, findings, sink).verify(figures);
            }
            case PRODUCER_SNAPSHOT, LEADER_EPOCHS, PARTITION_OFFSETS, PARTITION_METADATA -> {
              SmallFiles.requireSmall(file, kind);
              SmallFiles.verify(file, kind, findings, figures);
            }
          }
        });
    sink.item(new DumpItem.Summary(kind, sizeBytes(file), findings.problems(), copy(figures)));
  }

  private static Map<String, Long> copy(SequencedMap<String, Long> figures) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  /** What a step may throw that is no finding. */
  private interface Reading {
    void run() throws IOException;
  }

  private static void guarded(Path file, Findings findings, Reading reading) {
    try {
      reading.run();
    } catch (CorruptFileException | FormatTooNewException e) {
      findings.problem(withoutFile(String.valueOf(e.getMessage()), file));
    } catch (IOException e) {
      throw new LogException("cannot read file=" + file + ": " + e, e);
    }
  }

  /** The reader of a finding is told the file already. */
  private static String withoutFile(String text, Path file) {
    return text.replace(" of file=" + file, "")
        .replace(", in file=" + file, "")
        .replace(" in file=" + file, "")
        .replace(", file=" + file, "");
  }

  static long sizeBytes(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new LogException("cannot read the size of file=" + file + ": " + e, e);
    }
  }
}
