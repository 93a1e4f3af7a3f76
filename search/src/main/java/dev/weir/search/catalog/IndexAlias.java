package dev.weir.search.catalog;

import org.jspecify.annotations.Nullable;

/**
 * What an alias means to one of its indexes.
 *
 * @param filter JSON of the query that limits what is seen through it, checked already; null for
 *     all documents
 * @param writing whether documents written through it go to this index
 */
public record IndexAlias(@Nullable String filter, Writing writing) {

  /** An alias that nothing more is said of. */
  public static final IndexAlias PLAIN = new IndexAlias(null, Writing.UNSAID);

  /** What is said about the index as the one that is written to ({@code is_write_index}). */
  public enum Writing {
    /** Nothing: it is, while the alias has no other index. */
    UNSAID,
    /** It is. */
    HERE,
    /** It is not, even if it is the only one. */
    ELSEWHERE
  }
}
