package dev.weir.search.shard;

import dev.weir.search.error.SearchException;
import dev.weir.search.log.LogEntry;

/** Takes the records of an index that cannot be indexed. Safe for use by any thread; may wait. */
@FunctionalInterface
public interface DeadLetters {

  /** Keeps a record with the reason. A record may come again after a crash. */
  void add(int shard, LogEntry entry, SearchException reason);
}
