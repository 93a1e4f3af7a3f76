package dev.weir.search.shard;

/** What a write came to. */
public sealed interface WriteOutcome {

  /** It is in the log. */
  record Written(int shard, Change change, DocumentState state) implements WriteOutcome {}

  /**
   * Its condition did not hold; nothing was written.
   *
   * @param reason as OpenSearch says it, beginning with the id in brackets
   */
  record Conflict(int shard, String reason) implements WriteOutcome {}

  /** The log did not take it, for this reason; nothing was written. */
  record Refused(int shard, String reason, Cause cause) implements WriteOutcome {}

  /** What a write changed. */
  enum Change {
    /** There was no such document. */
    CREATED,
    /** There was one. */
    UPDATED,
    /** It is gone now. */
    DELETED,
    /** There was none to delete; the tombstone is written all the same. */
    NOT_FOUND
  }

  /** Whose fault a refusal is. */
  enum Cause {
    /** The request's. */
    REQUEST,
    /** The shard is not available just now. */
    SHARD,
    /** Too many others write to the shard. */
    CONTENTION
  }
}
