package dev.weir.search.shard;

/**
 * What one shard knows of one id: its newest record there.
 *
 * @param seqNo offset of the record
 * @param primaryTerm leader epoch of the record, plus one
 * @param version count of the changes of the document, or what an external version set it to
 * @param recordTimeMs timestamp of the record, ms since 1970
 */
public record DocumentState(
    long seqNo, long primaryTerm, long version, long recordTimeMs, Presence presence) {

  /** Whether searches see the document here. */
  public enum Presence {
    /** They do. */
    VISIBLE,
    /** The document exists, but a newer record of the same id in another shard stands for it. */
    SHADOWED,
    /** The record is a tombstone. */
    DELETED
  }

  /** Whether the record holds a document. */
  public boolean isLive() {
    return presence != Presence.DELETED;
  }

  DocumentState as(Presence other) {
    return new DocumentState(seqNo, primaryTerm, version, recordTimeMs, other);
  }
}
