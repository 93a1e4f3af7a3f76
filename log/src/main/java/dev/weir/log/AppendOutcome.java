package dev.weir.log;

/** What an append did. A failed write is no outcome: it takes the log offline. */
public sealed interface AppendOutcome {
  /**
   * The batches are in the log, in the page cache at least.
   *
   * @param baseOffset offset of the first record
   * @param lastOffset offset of the last record, inclusive
   * @param logAppendTimeMs the time that was stamped, or {@link #NO_TIMESTAMP} where the topic
   *     keeps the producer's time
   * @param logStartOffset first offset of the log
   */
  record Appended(long baseOffset, long lastOffset, long logAppendTimeMs, long logStartOffset)
      implements AppendOutcome {}

  /**
   * The same producer appended this batch before; the offsets are those of the first time.
   *
   * @param baseOffset offset of the first record
   * @param lastOffset offset of the last record, inclusive
   * @param timestampMs the batch's timestamp of the first time if the log stamps it, else {@link
   *     #NO_TIMESTAMP}
   * @param logStartOffset first offset of the log
   */
  record Duplicate(long baseOffset, long lastOffset, long timestampMs, long logStartOffset)
      implements AppendOutcome {}

  /**
   * Nothing was written.
   *
   * @param reason why
   * @param message for the client, with actual and expected values
   */
  record Refused(Refusal reason, String message) implements AppendOutcome {}

  /**
   * A conditional append found another log end than expected; nothing was written.
   *
   * @param endOffset the log end offset now
   */
  record EndOffsetMoved(long endOffset) implements AppendOutcome {}

  /** Stands for "the log did not stamp a time". */
  long NO_TIMESTAMP = -1;
}
