package dev.weir.search.log;

import java.util.List;

/**
 * Records read, in offset order, with gaps where compaction removed some. Their buffers belong to
 * the reader from then on: the log does not use them again.
 *
 * @param nextOffset where to read on, exclusive end of this chunk; above the last entry where
 *     control batches or gaps follow it, and equal to the offset asked for when nothing was there
 * @param undecidedFrom where the first record was passed over whose transaction is still open, or
 *     {@link #NOTHING_UNDECIDED}; once the log's end offset is above it, read again from there
 */
public record LogChunk(List<LogEntry> entries, long nextOffset, long undecidedFrom) {

  /** {@link #undecidedFrom} of a chunk that leaves nothing out that may count later. */
  public static final long NOTHING_UNDECIDED = Long.MAX_VALUE;

  /** Takes an unmodifiable copy of the entries. */
  public LogChunk {
    entries = List.copyOf(entries);
  }

  /** A chunk without open transactions. */
  public LogChunk(List<LogEntry> entries, long nextOffset) {
    this(entries, nextOffset, NOTHING_UNDECIDED);
  }
}
