package dev.weir.log.dump;

import dev.weir.log.CorruptFileException;
import dev.weir.log.FormatTooNewException;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.checkpoint.LeaderEpochs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Neighbouring batches of one leader epoch each, to hold against the checkpoint. One thread. */
final class EpochRuns {
  /** A partition whose leader changed so often within one segment has other worries. */
  private static final int RUNS_MAX = 10_000;

  private record Run(long position, int epoch, long firstOffset, long lastOffset) {}

  private final Findings findings;
  private final List<Run> runs = new ArrayList<>();

  EpochRuns(Findings findings) {
    this.findings = findings;
  }

  /** Takes the next batch. */
  void add(long position, RecordBatchView batch) {
    Run last = runs.isEmpty() ? null : runs.getLast();
    if (last != null && last.epoch() == batch.leaderEpoch()) {
      runs.set(
          runs.size() - 1,
          new Run(last.position(), last.epoch(), last.firstOffset(), batch.lastOffset()));
    } else if (runs.size() < RUNS_MAX) {
      runs.add(new Run(position, batch.leaderEpoch(), batch.baseOffset(), batch.lastOffset()));
    }
  }

  /**
   * Compares with the checkpoint in the segment's directory, if there is one. It is read now, after
   * the batches, so that it knows of an epoch that began meanwhile.
   */
  void compareWith(Path directory) {
    List<LeaderEpochs.Start> starts;
    Path checkpoint = directory.resolve(LeaderEpochs.FILE_NAME);
    try {
      if (Files.exists(checkpoint)) {
        SmallFiles.requireSmall(checkpoint, FileKind.LEADER_EPOCHS);
      }
      starts = LeaderEpochs.read(directory).starts();
    } catch (CorruptFileException | FormatTooNewException e) {
      findings.note(0, "leader epochs are not compared: " + e.getMessage());
      return;
    }
    for (Run run : runs) {
      int expected = RecordBatchView.NO_LEADER_EPOCH;
      for (LeaderEpochs.Start start : starts) {
        boolean before = start.startOffset() <= run.firstOffset();
        boolean inside = !before && start.startOffset() <= run.lastOffset();
        if (before) {
          expected = start.epoch();
        } else if (inside && start.epoch() != run.epoch()) {
          findings.problem(run.position(), mismatch(run, start.epoch(), start.startOffset()));
        }
      }
      // Batches below the first entry are older than the start of the log, which moves ahead of
      // the files.
      if (expected != RecordBatchView.NO_LEADER_EPOCH && expected != run.epoch()) {
        findings.problem(run.position(), mismatch(run, expected, run.firstOffset()));
      }
    }
  }

  private static String mismatch(Run run, int expected, long offset) {
    return "leader epoch is "
        + run.epoch()
        + " for offsets "
        + run.firstOffset()
        + ".."
        + run.lastOffset()
        + ", but "
        + LeaderEpochs.FILE_NAME
        + " says "
        + expected
        + " at offset "
        + offset;
  }
}
