package dev.weir.raft;

/** What an append to the metadata log did. */
public sealed interface MetadataAppend {
  /** In the log, not committed yet. The end offset is exclusive. */
  record Appended(long endOffset) implements MetadataAppend {}

  /** Nothing was written: one batch would not hold the records. */
  record TooLarge(int sizeBytes, int sizeBytesMax) implements MetadataAppend {}

  /** Nothing was written: this voter does not lead. */
  record NotLeader(String reason) implements MetadataAppend {}
}
