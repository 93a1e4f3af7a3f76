package dev.weir.search.log;

/** Where a read ends. */
public enum ReadUpTo {
  /** At {@link DocumentLog#endOffset()}: what may be indexed. */
  COMMITTED,
  /** At {@link DocumentLog#appendedEndOffset()}: what a conditional write is decided against. */
  APPENDED
}
