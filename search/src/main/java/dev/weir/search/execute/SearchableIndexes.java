package dev.weir.search.execute;

import dev.weir.search.request.MinOffsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Where searches get their indexes from. Safe for use by any thread. */
@FunctionalInterface
public interface SearchableIndexes {
  /**
   * Opens the indexes that an expression names, each once, in order of their names.
   *
   * @param expression names and patterns separated by commas; {@code _all} or nothing for all
   * @return perhaps none, for a pattern that matches nothing; the caller closes them
   * @throws dev.weir.search.error.SearchException with status 404 if a name has no index
   */
  List<SearchableIndex> open(String expression);

  /**
   * Completes when what the offsets name is searchable in each of these indexes. Indexes that never
   * change have nothing to wait for.
   *
   * @throws dev.weir.search.error.SearchException with status 404 if a name has no index, with 400
   *     if an index lacks a shard that is named
   */
  default CompletableFuture<Void> whenSearchable(String expression, MinOffsets offsets) {
    return CompletableFuture.completedFuture(null);
  }
}
