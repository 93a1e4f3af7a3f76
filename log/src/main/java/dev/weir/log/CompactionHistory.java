package dev.weir.log;

import dev.weir.log.CompactionStatus.Running;
import dev.weir.log.CompactionVerdict.Failing;
import dev.weir.log.compaction.CompactionProgress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What became of the runs over one log, and how far the present one is. Written by one run at a
 * time, and by whoever changes what may have made them fail; read by any thread.
 */
final class CompactionHistory {
  /** After the first failure: what stood in the way, such as a full disk, may be gone soon. */
  static final long RETRY_MIN_MS = 60_000;

  /** After many: damage stays until somebody acts, and each try reads all that is dirty. */
  static final long RETRY_MAX_MS = 3_600_000;

  private volatile @Nullable CompactionProgress progress;
  private volatile @Nullable CompactionReport lastRun;
  private final AtomicReference<@Nullable Failing> failing = new AtomicReference<>();
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
    failing.set(null);
    totals = totals.plus(report);
  }

  void failed(RuntimeException cause, long nowMs, long elapsedMs) {
    failing.updateAndGet(
        before -> {
          int failures = before == null ? 1 : before.failures() + 1;
          long sinceMs = before == null ? nowMs : before.sinceMs();
          return new Failing(text(cause), failures, sinceMs, nowMs + retryAfterMs(failures));
        });
    totals = totals.plusFailure(elapsedMs);
  }

  /**
   * The next turn tries again, since something has changed. That it failed is told until a run
   * shows that the change has helped.
   */
  void retryAtOnce() {
    failing.updateAndGet(
        before ->
            before == null
                ? null
                : new Failing(
                    before.error(), before.failures(), before.sinceMs(), before.sinceMs()));
  }

  private static long retryAfterMs(int failures) {
    long after = RETRY_MIN_MS;
    for (int i = 1; i < failures && after < RETRY_MAX_MS; i++) {
      after = Math.min(2 * after, RETRY_MAX_MS);
    }
    return after;
  }

  /** The failures since the last run that came to its end. */
  Optional<Failing> failing() {
    return Optional.ofNullable(failing.get());
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
