package dev.weir.search.shard;

import dev.weir.search.error.SearchException;
import dev.weir.search.log.LogEntry;
import org.jspecify.annotations.Nullable;

/** A record of the log that is known to the shard and not yet in its index. */
sealed interface TailEntry {

  /** Its offset. */
  long offset();

  /** Memory that it holds, roughly. */
  long sizeBytes();

  /**
   * It changes a document.
   *
   * @param state what it makes of the document; VISIBLE here means live, since which shard shows an
   *     id is settled when the record is applied
   * @param content null for a tombstone
   */
  record Change(String id, DocumentState state, @Nullable Content content, LogEntry entry)
      implements TailEntry {
    @Override
    public long offset() {
      return state.seqNo();
    }

    @Override
    public long sizeBytes() {
      return OVERHEAD_BYTES + (content == null ? 0 : content.source().remaining());
    }
  }

  /** It cannot be indexed. */
  record Unreadable(LogEntry entry, SearchException reason) implements TailEntry {
    @Override
    public long offset() {
      return entry.offset();
    }

    @Override
    public long sizeBytes() {
      return OVERHEAD_BYTES;
    }
  }

  /** Objects around a record. */
  long OVERHEAD_BYTES = 200;
}
