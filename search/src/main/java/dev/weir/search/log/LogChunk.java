package dev.weir.search.log;

import java.util.List;

/**
 * Records read, in offset order, with gaps where compaction removed some. Their buffers belong to
 * the reader from then on: the log does not use them again.
 *
 * @param nextOffset where to read on, exclusive end of this chunk; above the last entry where
 *     control batches or gaps follow it, and equal to the offset asked for when nothing was there
 */
public record LogChunk(List<LogEntry> entries, long nextOffset) {

  /** Takes an unmodifiable copy of the entries. */
  public LogChunk {
    entries = List.copyOf(entries);
  }
}
