package dev.weir.log.dump;

/** How far into a segment a listing goes. */
public enum Depth {
  /** The headers of batches; the records are hopped over. */
  BATCHES,
  /** The records of each batch as well, decompressed one at a time. */
  RECORDS
}
