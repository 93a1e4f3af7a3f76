package dev.weir.log;

/**
 * Answer to "where does this leader epoch end?" (KIP-101, KIP-279).
 *
 * @param epoch the largest epoch at or below the requested one that the log knows
 * @param endOffset start offset of the next larger epoch, or the log end offset
 */
public record EpochEnd(int epoch, long endOffset) {
  /** The log knows no epoch that answers the question. */
  public static final EpochEnd UNKNOWN = new EpochEnd(-1, -1);
}
