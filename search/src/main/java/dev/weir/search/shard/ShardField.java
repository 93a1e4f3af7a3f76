package dev.weir.search.shard;

/** Lucene fields that only the shard itself reads. */
final class ShardField {

  /** Numeric doc value of documents that no search sees; absent from the others. */
  static final String HIDDEN = "_hidden";

  /** Value of {@link #HIDDEN}: a newer record in another shard stands for the document. */
  static final long SHADOWED = 1;

  /** Value of {@link #HIDDEN}: a tombstone. */
  static final long DELETED = 2;

  /** Term of documents, hidden ones too, whose home is another shard. */
  static final String STRAY = "_stray";

  /** The one term of {@link #STRAY}. */
  static final String STRAY_TERM = "1";

  /**
   * Term of documents, hidden ones too, that were written again after younger records, since what
   * another shard holds of their id has changed.
   */
  static final String AGAIN = "_again";

  /** The one term of {@link #AGAIN}. */
  static final String AGAIN_TERM = "1";

  private ShardField() {}
}
