package dev.weir.rest;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How compaction of the node's logs stands: a port, since this face does not know the log. Times
 * are milliseconds since 1970, sizes bytes. Implementations are thread-safe.
 */
public interface CompactionView {
  /** All partitions that the node holds, also of topics that are not compacted, in any order. */
  Overview at(long nowMs);

  /**
   * A node at one moment.
   *
   * @param totals of all runs since the node was started
   * @param lastRoundMs when all partitions had last had their turn; empty before the first time
   * @param roundEveryMs how long after that they have it again
   */
  record Overview(
      List<Partition> partitions, Totals totals, OptionalLong lastRoundMs, long roundEveryMs) {}

  /** How a partition stands: what happens at its turn, or the reason for which nothing does. */
  enum State {
    RUNNING,
    DUE,
    BELOW_DIRTY_RATIO,
    ACTIVE_SEGMENT,
    TOO_YOUNG,
    OPEN_TRANSACTION,
    UNCOMMITTED,
    NOTHING_DIRTY,
    FAILING,
    OFFLINE,
    NOT_COMPACTED;

    private boolean isTrouble() {
      return this == FAILING || this == OFFLINE;
    }
  }

  /**
   * A state, explained.
   *
   * @param why one sentence, with the values and, where there is something to do, what
   * @param values the numbers in it
   */
  record Standing(State state, String why, List<Value> values) {}

  /** A number by its name, whose end is its unit. */
  record Value(String name, Number number) {}

  /**
   * A partition.
   *
   * @param failure what became of its last runs, if they failed, whatever its state is now
   * @param lastRun the last one that came to its end since the node was started
   */
  record Partition(
      String topic,
      int number,
      Standing standing,
      Sizes sizes,
      Offsets offsets,
      Optional<Failure> failure,
      Optional<Progress> running,
      Optional<Run> lastRun,
      Totals totals) {

    /** Whether somebody has to act: until a run has succeeded, also while one is under way. */
    boolean isTroubled() {
      return standing.state.isTrouble() || failure.isPresent();
    }
  }

  /**
   * Runs that failed, since one came to its end.
   *
   * @param error of the last
   * @param runs how many
   * @param sinceMs time of the first
   * @param retryAfterMs it is tried again at its first turn after that
   */
  record Failure(String error, long runs, long sinceMs, long retryAfterMs) {}

  /**
   * Bytes of segments.
   *
   * @param clean those that were compacted
   * @param dirty those that were not, without the one that is written to
   * @param cleanable what of the dirty ones may be compacted now
   * @param active the one that is written to
   * @param dirtyRatio what {@code min.cleanable.dirty.ratio} is compared with
   */
  record Sizes(long clean, long dirty, long cleanable, long active, double dirtyRatio) {}

  /** First offset, the one up to which the log was compacted, and the one after the last. */
  record Offsets(long logStart, long cleanedUntil, long logEnd) {}

  /** A run under way. */
  record Progress(String phase, long startedMs, long bytesDone, long bytesToDo) {}

  /**
   * What a run did.
   *
   * @param keys number of keys between the two offsets
   */
  record Run(long startedMs, long startOffset, long endOffset, long keys, Totals done) {}

  /**
   * What runs did.
   *
   * @param bytesRead some of them twice
   * @param bytesBefore size of what was written anew
   * @param tombstonesExpired number of tombstones that went since {@code delete.retention.ms} was
   *     over
   */
  record Totals(
      long runs,
      long failures,
      long elapsedMs,
      long bytesRead,
      long bytesBefore,
      long bytesAfter,
      long recordsBefore,
      long recordsAfter,
      long tombstonesExpired) {}
}
