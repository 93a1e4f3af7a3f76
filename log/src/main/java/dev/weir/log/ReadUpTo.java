package dev.weir.log;

/** How far a read may see. */
public enum ReadUpTo {
  /** Committed records: what an ordinary consumer sees. */
  HIGH_WATERMARK,
  /** Records of decided transactions only: what a read-committed consumer sees. */
  LAST_STABLE,
  /** Everything appended: what a replica sees. */
  LOG_END
}
