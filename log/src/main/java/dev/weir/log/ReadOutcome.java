package dev.weir.log;

/** What a read found. */
public sealed interface ReadOutcome permits LogSlice, ReadOutcome.OutOfRange {
  /**
   * The offset is below the log start offset or above the log end offset.
   *
   * @param logStartOffset first offset of the log
   * @param logEndOffset offset after the last record
   */
  record OutOfRange(long logStartOffset, long logEndOffset) implements ReadOutcome {}
}
