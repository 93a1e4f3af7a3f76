package dev.weir.search.log;

import java.util.concurrent.CompletableFuture;

/** What an append did. */
public sealed interface AppendResult {

  /**
   * The records have the offsets {@code baseOffset}, {@code baseOffset + 1}, and so on.
   *
   * @param leaderEpoch epoch stamped into the batch; the primary term is this plus one
   * @param committed completes when the records are committed, and exceptionally with a {@link
   *     DocumentLogException} if they are lost; never completed under a lock of the log
   */
  record Appended(long baseOffset, int leaderEpoch, CompletableFuture<Void> committed)
      implements AppendResult {}

  /** Somebody else appended first, and nothing was stored. Catch up to {@code endOffset}, retry. */
  record EndOffsetMoved(long endOffset) implements AppendResult {}

  /** The log does not take these records, now or ever; nothing was stored. */
  record Refused(Refusal refusal, String message) implements AppendResult {}

  /** Why an append was refused. */
  enum Refusal {
    /** A record is larger than the topic admits. */
    TOO_LARGE,
    /** This node does not lead the partition, or the partition is offline. */
    NOT_AVAILABLE,
    /** The records break a rule of the topic. */
    INVALID
  }
}
