package dev.weir.raft;

import dev.weir.protocol.metadata.MetadataRecord;
import java.util.function.Consumer;

/**
 * What the records of the metadata log come to, for a snapshot: takes them in order, and gives
 * records that come to the same. The log does not know what they mean. One thread.
 */
public interface MetadataFold {
  /** Takes the next record of the log, or of the snapshot before it. */
  void add(MetadataRecord record);

  /** Passes records which, folded from the beginning, give what this is now. */
  void forEachRecord(Consumer<MetadataRecord> into);
}
