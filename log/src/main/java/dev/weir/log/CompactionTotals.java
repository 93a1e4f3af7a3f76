package dev.weir.log;

/**
 * What compactions did since the log, or the directory of logs, was opened.
 *
 * @param runs number of those that came to their end
 * @param failures number of those that did not
 * @param elapsedMs how long all of them took
 * @param bytesRead bytes of segments that were read
 * @param bytesBefore size of the segments that were written anew
 * @param bytesAfter size of what was written
 * @param recordsBefore number of records in those segments
 * @param recordsAfter number of them that are left
 * @param tombstonesExpired number of tombstones that went since their time was over
 */
public record CompactionTotals(
    long runs,
    long failures,
    long elapsedMs,
    long bytesRead,
    long bytesBefore,
    long bytesAfter,
    long recordsBefore,
    long recordsAfter,
    long tombstonesExpired) {
  /** Before the first run. */
  public static final CompactionTotals NONE = new CompactionTotals(0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** These and a run that came to its end. */
  public CompactionTotals plus(CompactionReport run) {
    return plus(
        new CompactionTotals(
            1,
            0,
            run.elapsedMs(),
            run.bytesRead(),
            run.bytesBefore(),
            run.bytesAfter(),
            run.recordsBefore(),
            run.recordsAfter(),
            run.tombstonesExpired()));
  }

  /** These and a run that failed after a while. */
  public CompactionTotals plusFailure(long afterMs) {
    return plus(new CompactionTotals(0, 1, afterMs, 0, 0, 0, 0, 0, 0));
  }

  private CompactionTotals plus(CompactionTotals other) {
    return new CompactionTotals(
        runs + other.runs,
        failures + other.failures,
        elapsedMs + other.elapsedMs,
        bytesRead + other.bytesRead,
        bytesBefore + other.bytesBefore,
        bytesAfter + other.bytesAfter,
        recordsBefore + other.recordsBefore,
        recordsAfter + other.recordsAfter,
        tombstonesExpired + other.tombstonesExpired);
  }
}
