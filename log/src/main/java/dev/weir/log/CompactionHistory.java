package dev.weir.log;

import dev.weir.log.CompactionStatus.Running;
import dev.weir.log.CompactionVerdict.Failing;
import dev.weir.log.compaction.CompactionProgress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of the runs over one log, and how far the present one is. Written by one run at a
 * time, read by any thread.
 */
final class CompactionHistory {
  /** After the first failure: what stood in the way, such as a full disk, may be gone soon. */
  static final long RETRY_MIN_MS = 60_000;

  /** After many: damage stays until somebody acts, and each try reads all that is dirty. */
  static final long RETRY_MAX_MS = 3_600_000;

  private volatile @Nullable CompactionProgress progress;
  private volatile @Nullable CompactionReport lastRun;
  private volatile @Nullable Failing failing;
  private volatile CompactionTotals totals = CompactionTotals.NONE;

  void begun(CompactionProgress ofRun) {
    progress = ofRun;
  }

  /** The run is over, whatever became of it. */
  void ended() {
    progress = null;
  }

  void succeeded(CompactionReport report) {
    lastRun = report;
    failing = null;
    totals = totals.plus(report);
  }

  void failed(RuntimeException cause, long nowMs, long elapsedMs) {
    Failing before = failing;
    int failures = before == null ? 1 : before.failures() + 1;
    failing =
        new Failing(
            text(cause),
            failures,
            before == null ? nowMs : before.sinceMs(),
            nowMs + retryAfterMs(failures));
    totals = totals.plusFailure(elapsedMs);
  }

  /** The next turn tries again at once, since something has changed. */
  void forgetFailures() {
    failing = null;
  }

  private static long retryAfterMs(int failures) {
    long after = RETRY_MIN_MS;
    for (int i = 1; i < failures && after < RETRY_MAX_MS; i++) {
      after = Math.min(2 * after, RETRY_MAX_MS);
    }
    return after;
  }

  Optional<Failing> failing() {
    return Optional.ofNullable(failing);
  }

  Optional<Running> running() {
    return Optional.ofNullable(progress).map(CompactionProgress::running);
  }

  Optional<CompactionReport> lastRun() {
    return Optional.ofNullable(lastRun);
  }

  CompactionTotals totals() {
    return totals;
  }

  /** A failure in one line: what failed, and what the system said of it. */
  static String text(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null || cause.getMessage() == null
        ? String.valueOf(failure.getMessage())
        : failure.getMessage() + ": " + cause.getMessage();
  }
}
